// The read tool: numbered lines of a text file, an image or a document to look at, or a directory's names, in pages that say how to go on.
import { z } from 'zod';
import { byteLength, cutLine, outputBudget, safeCut } from '../std/bound-text';
import { splitLines } from '../std/line-endings';
import { baseName } from '../std/paths';
import { decodeLegacy, decodeText } from '../std/text-file';
import { askToRead, type Located, locate } from './locate';
import { type MediaKind, mediaKind } from './media-kind';
import { locateExisting, nearNames } from './near-names';
import { readPrompt } from './read.prompt';
import { directoryLines, treeLines } from './read-directory';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const maxLines = 2000;
const maxLineChars = 2000;
const maxLineCharsFrom = 20_000;
const maxFileBytes = 64 * 1024 * 1024;
const maxMediaBytes = 20 * 1024 * 1024;
const maxDepth = 6;

const input = z.object({
  path: z.string().min(1).describe('The file or directory'),
  offset: z.number().int().min(0).optional().describe('First line, 1-based'),
  limit: z.number().int().positive().max(maxLines).optional().describe('How many lines'),
  column: z.number().int().positive().optional().describe('First character of each line, 1-based'),
  encoding: z.string().min(1).max(40).optional().describe('Of text that is not Unicode'),
  depth: z.number().int().min(1).max(maxDepth).optional().describe('Levels of a directory'),
});
type Page = { offset: number; limit: number; column: number | undefined; isWhole: boolean };

/** Reads files and directories. */
export const readTool: Tool<z.infer<typeof input>> = {
  name: 'read',
  kind: 'read',
  description: readPrompt.description,
  input,
  example: { path: 'src/index.ts', offset: 1, limit: 200 },
  async execute({ path, offset, limit, column, encoding, depth }, context) {
    const place = await existing(await located(context, path), context);
    const { fs } = context.sandbox;
    const page = { offset: Math.max(1, offset ?? 1), limit: limit ?? maxLines, column, isWhole: limit === undefined };
    const stat = await fs.stat(place.path);
    if (stat.kind === 'directory') return readDirectory(place, page, depth ?? 1, context);
    if (stat.kind === 'other') throw new ToolError(readPrompt.special(place.shown));
    if (stat.size > maxFileBytes)
      throw new ToolError(
        readPrompt.binary(place.shown, `it has ${stat.size} bytes; use grep, or head and tail in bash`),
      );
    return readFile(place, page, encoding, context);
  },
};

async function located(context: ToolContext, path: string): Promise<Located> {
  const place = await locate(context, path);
  context.update({ title: place.shown });
  await askToRead(context, [place]);
  return place;
}

/** The place, or that of the file whose name only looks the same; that one is asked for as well. */
async function existing(place: Located, context: ToolContext): Promise<Located> {
  const twin = await locateExisting(context, place.path);
  if (twin.path !== place.path) return located(context, twin.path);
  await context.sandbox.fs.stat(place.path).catch(async (error: { code?: string }) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new ToolError(readPrompt.missing(place.shown, await nearNames(context.sandbox, place.path)));
  });
  return place;
}

async function readFile(
  place: Located,
  page: Page,
  encoding: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const bytes = await context.sandbox.fs.read(place.path);
  const media = encoding === undefined ? mediaKind(bytes) : undefined;
  if (media !== undefined) return readMedia(place, media, bytes);
  const text = textOf(place, bytes, encoding, context);
  const lines = splitLines(text);
  if (lines.length === 0 && page.offset === 1)
    return { title: place.shown, output: '(the file is empty)', meta: { lines: 0, total: 0 } };
  if (page.offset > lines.length) throw new ToolError(readPrompt.beyond(place.shown, page.offset, lines.length));
  const shown: string[] = [];
  let used = 0;
  for (let at = page.offset - 1; at < lines.length && shown.length < page.limit; at++) {
    const line = `${at + 1}: ${shownLine(lines[at]!, page.column)}`;
    used += byteLength(line) + 1;
    if (used > outputBudget.maxBytes && shown.length > 0) break;
    shown.push(line);
  }
  const last = page.offset - 1 + shown.length;
  const footer = last >= lines.length ? readPrompt.end(lines.length) : readPrompt.more(page.offset, last, lines.length);
  const meta = { lines: shown.length, total: lines.length, offset: page.offset };
  return { title: place.shown, output: `${shown.join('\n')}\n${footer}`, meta, value: () => pageText(lines, page) };
}

/** Who names a column wants to read on in a long line: more of it is shown. */
function shownLine(line: string, column: number | undefined): string {
  if (column === undefined) return cutLine(line, maxLineChars);
  return cutLine(line.slice(safeCut(line, Math.min(column - 1, line.length), true)), maxLineCharsFrom);
}

/** For a program: without numbers, and all of it when it named no limit. */
function pageText(lines: readonly string[], { offset, limit, isWhole }: Page): string {
  return lines.slice(offset - 1, isWhole ? undefined : offset - 1 + limit).join('\n');
}

/** The text; what is read as Unicode is from now on the base of edits. */
function textOf(place: Located, bytes: Uint8Array, encoding: string | undefined, context: ToolContext): string {
  if (encoding !== undefined && !/^utf-?(8|16)/i.test(encoding)) {
    const legacy = decodeLegacy(bytes, encoding);
    if (legacy === 'unknown encoding') throw new ToolError(readPrompt.unknownEncoding(encoding));
    if (legacy === 'not valid') throw new ToolError(readPrompt.notInEncoding(place.shown, encoding));
    return legacy.text;
  }
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') {
    const say = bytes.subarray(0, 8192).includes(0) ? readPrompt.binary : readPrompt.legacy;
    throw new ToolError(say(place.shown, decoded.reason));
  }
  context.seen.set(place.path, decoded.text);
  return decoded.text;
}

function readMedia(place: Located, { words, mediaType }: MediaKind, bytes: Uint8Array): ToolResult {
  if (mediaType === undefined)
    throw new ToolError(readPrompt.binary(place.shown, `it is ${words}, ${bytes.length} bytes`));
  if (bytes.length > maxMediaBytes)
    throw new ToolError(readPrompt.tooLarge(place.shown, words, bytes.length, maxMediaBytes));
  return {
    title: place.shown,
    output: readPrompt.shown(words, bytes.length),
    meta: { mediaType, bytes: bytes.length },
    // The sandbox's memory is shared and goes on changing.
    media: [{ bytes: Uint8Array.from(bytes), mediaType, name: baseName(place.path) }],
  };
}

async function readDirectory(place: Located, page: Page, depth: number, context: ToolContext): Promise<ToolResult> {
  const tree = depth > 1 ? await treeLines(context.sandbox, place.path, depth, context.signal) : undefined;
  const entries = tree?.lines ?? (await directoryLines(context.sandbox, place.path));
  const end = tree ? readPrompt.tree(tree.files, tree.directories, tree.ignored, tree.cut) : undefined;
  if (entries.length === 0)
    return { title: place.shown, output: end ?? '(the directory is empty)', meta: { lines: 0, total: 0 } };
  if (page.offset > entries.length) throw new ToolError(readPrompt.beyond(place.shown, page.offset, entries.length));
  const names = entries.slice(page.offset - 1, page.offset - 1 + page.limit);
  const last = page.offset - 1 + names.length;
  const footer =
    last < entries.length
      ? readPrompt.more(page.offset, last, entries.length)
      : (end ?? `(${readPrompt.entries(entries.length)})`);
  return {
    title: `${place.shown}/`,
    output: `${names.join('\n')}\n${footer}`,
    meta: { lines: names.length, total: entries.length, directory: true },
  };
}
