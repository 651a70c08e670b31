// The head of a Markdown file as data. YAML is read by a library that is loaded only for projects that bring such files.

/** A Markdown file: its head (empty without one) and what follows it, without blank lines around. */
export interface FrontMatter {
  head: Record<string, unknown>;
  body: string;
}

/** Reads the head. Throws an Error that names the line when the YAML is broken or is not a mapping. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match === null || match.index !== 0) return { head: {}, body: text.replace(/^\uFEFF/, '').trim() };
  const { parse } = await import('yaml');
  const options = { maxAliasCount: 20, logLevel: 'error' } as const;
  const isYaml = (source: string) => {
    try {
      parse(source, options);
      return true;
    } catch {
      return false;
    }
  };
  let head: unknown;
  try {
    head = parse(match[1]!, options);
  } catch (error) {
    try {
      head = parse(withQuotes(match[1]!, isYaml), options);
    } catch {
      throw new Error(`its head is not YAML: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  if (head === null || head === undefined) head = {};
  if (typeof head !== 'object' || Array.isArray(head))
    throw new Error('its head must be a list of `key: value` lines.');
  return { head: head as Record<string, unknown>, body: text.slice(match[0].length).trim() };
}

/** Other programs take `description: Use it so: …`, which YAML does not: the value of a line that is none by itself is taken as text. */
function withQuotes(head: string, isYaml: (source: string) => boolean): string {
  const lines = head.split(/\r?\n/).map((line) => {
    const [, key, value] = /^([\w-]+:[ \t]+)([^\s|>[{"'].*?)[ \t]*$/.exec(line) ?? [];
    return key === undefined || isYaml(line) ? line : key + JSON.stringify(value);
  });
  return lines.join('\n');
}
