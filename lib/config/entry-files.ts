// Skills, agents and commands as files: what others have written is read (SKILL.md with its folder, Markdown with a head), and the person's own are
// written in the same form, so that they can go into a project or to another program.
import { joinPath, parentPath } from '../std/paths';
import { decodeText } from '../std/text-file';
import { readFrontMatter } from './front-matter';
import { type EntryKind, entryOf, filesOf, maxSkillFiles, nameProblem, type OwnEntry, textKey } from './own-entries';

/** A file with its path below what was chosen. */
export interface ChosenBytes {
  path: string;
  contents: Uint8Array;
}

/** What was found, and what was left out, in sentences. */
export interface ReadEntries {
  entries: OwnEntry[];
  left: string[];
}

/**
 * The entries of these files: of a skill each SKILL.md with the texts beside and below it (one other Markdown file alone counts as one), of agents and commands
 * each Markdown file. Never throws for what a file says.
 */
export async function entriesIn(kind: EntryKind, files: readonly ChosenBytes[]): Promise<ReadEntries> {
  const found: ReadEntries = { entries: [], left: [] };
  const isHead = ({ path }: ChosenBytes) => /(^|\/)SKILL\.md$/i.test(path);
  const markdown = files.filter(({ path }) => /\.(md|markdown)$/i.test(path));
  const heads = kind === 'skill' && files.some(isHead) ? files.filter(isHead) : markdown;
  for (const head of heads) {
    const entry = await readEntry(kind, head, found.left);
    if (entry === undefined) continue;
    const others = kind === 'skill' && isHead(head) ? textsOf(head, files, heads, found.left) : {};
    found.entries.push(
      Object.keys(others).length === 0 ? entry : entryOf(kind, entry.name, { ...entry.value, files: others }),
    );
  }
  if (heads.length === 0)
    found.left.push(kind === 'skill' ? 'There is no SKILL.md in it.' : 'There is no Markdown file in it.');
  return found;
}

async function readEntry(
  kind: EntryKind,
  { path, contents }: ChosenBytes,
  left: string[],
): Promise<OwnEntry | undefined> {
  const decoded = decodeText(contents);
  if (decoded.kind !== 'text') return void left.push(`${path} is no text: ${decoded.reason}.`);
  try {
    const { head, body } = await readFrontMatter(decoded.text);
    const { name: given, ...rest } = head;
    const [file = '', folder = ''] = path.split('/').reverse();
    const fallback = /^SKILL\.md$/i.test(file) ? folder : file.replace(/\.[a-z]+$/i, '');
    const name = (typeof given === 'string' ? given : fallback).trim().replace(/\s+/g, '-');
    const problem = nameProblem(kind, name);
    if (problem !== undefined) return void left.push(`${path} is left out: ${problem}`);
    if (body === '') return void left.push(`${path} is left out: there is nothing below its head.`);
    // A skill has no other members.
    const more =
      kind === 'skill' ? (typeof rest.description === 'string' ? { description: rest.description } : {}) : rest;
    return entryOf(kind, name, { ...more, [textKey[kind]]: body });
  } catch (error) {
    return void left.push(`${path} is left out: ${(error as Error).message}`);
  }
}

/** The texts of a skill's folder, those of skills below it left to them. */
function textsOf(
  head: ChosenBytes,
  files: readonly ChosenBytes[],
  heads: readonly ChosenBytes[],
  left: string[],
): Record<string, string> {
  const folder = parentPath(head.path) === '.' ? '' : `${parentPath(head.path)}/`;
  const below = heads
    .filter((one) => one !== head && one.path.startsWith(folder))
    .map(({ path }) => `${parentPath(path)}/`);
  const texts: Record<string, string> = {};
  let size = 0;
  for (const file of files) {
    if (file === head || !file.path.startsWith(folder) || below.some((other) => file.path.startsWith(other))) continue;
    const decoded = decodeText(file.contents);
    if (decoded.kind !== 'text') left.push(`${file.path} is left out: only texts are kept with a skill.`);
    else if (size + decoded.text.length > maxSkillFiles)
      left.push(`${file.path} is left out: the skill would be too large.`);
    else {
      size += decoded.text.length;
      texts[file.path.slice(folder.length)] = decoded.text;
    }
  }
  return texts;
}

/** The entry as files: one Markdown file, or a skill's folder when it has files. */
export async function filesFor({
  kind,
  name,
  value,
  text,
  description,
}: OwnEntry): Promise<{ path: string; text: string }[]> {
  const { stringify } = await import('yaml');
  const { [textKey[kind]]: _text, files: _files, description: _said, ...rest } = value;
  const head = kind === 'skill' ? { name, description } : { ...(description === '' ? {} : { description }), ...rest };
  const isBare = Object.keys(head).length === 0;
  const markdown = `${isBare ? '' : `---\n${stringify(head)}---\n\n`}${text.trim()}\n`;
  if (kind !== 'skill') return [{ path: `${name.replaceAll('/', '-')}.md`, text: markdown }];
  const folder = name.replaceAll('/', '-');
  const inside = Object.entries(filesOf({ value })).filter(([path]) => !path.split('/').includes('..'));
  const others = inside.map(([path, content]) => ({
    path: joinPath(folder, path),
    text: content,
  }));
  return [{ path: `${folder}/SKILL.md`, text: markdown }, ...others];
}
