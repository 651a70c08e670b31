// How GNU's ls shows a name on a terminal: in quotes where a shell would not read it as it is (`--quoting-style=shell-escape`).

const NEEDS = /^$|^[#~]|[\x00-\x20!"$&'()*;<=>?[\\^`|\x7f]/;
const NAMED: Record<string, string> = { '\x07': 'a', '\b': 'b', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r' };

/** The name, quoted where it must be. */
export function quoteShown(name: string): string {
  if (!NEEDS.test(name)) return name;
  const parts = name.split(/([\x00-\x1f\x7f]+)/);
  if (parts.length === 1 && name.includes("'") && !/["$\\`!]/.test(name)) return `"${name}"`;
  const shown = parts.map((part, at) => {
    if (at % 2 === 0) return at === parts.length - 1 && part === '' ? '' : `'${part.replaceAll("'", "'\\''")}'`;
    const escaped = [...part].map((one) => `\\${NAMED[one] ?? one.charCodeAt(0).toString(8).padStart(3, '0')}`);
    return `$'${escaped.join('')}'`;
  });
  return shown.join('');
}
