// The read tool: numbered lines of a text file, or a directory's names, in pages that say how to go on.
import { z } from 'zod';
import type { DirEntry } from '../sandbox/sandbox';
import { byteLength, cutLine, outputBudget } from '../std/bound-text';
import { splitLines } from '../std/line-endings';
import { decodeText } from '../std/text-file';
import { askToRead, type Located, locate } from './locate';
import { mediaKind } from './media-kind';
import { nearNames } from './near-names';
import { readPrompt } from './read.prompt';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const maxLines = 2000;
const maxLineChars = 2000;
const maxFileBytes = 64 * 1024 * 1024;

const input = z.object({
  path: z.string().min(1).describe('The file or directory'),
  offset: z.number().int().min(0).optional().describe('First line, 1-based'),
  limit: z.number().int().positive().max(maxLines).optional().describe('How many lines'),
});
type Page = { offset: number; limit: number };

/** Reads files and directories. */
export const readTool: Tool<z.infer<typeof input>> = {
  name: 'read',
  kind: 'read',
  description: readPrompt.description,
  input,
  example: { path: 'src/index.ts', offset: 1, limit: 200 },
  async execute({ path, offset, limit }, context) {
    const place = await locate(context, path);
    context.update({ title: place.shown });
    await askToRead(context, [place]);
    const page = { offset: Math.max(1, offset ?? 1), limit: limit ?? maxLines };
    const stat = await context.sandbox.fs.stat(place.path).catch(async (error: { code?: string }) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
      throw new ToolError(readPrompt.missing(place.shown, await nearNames(context.sandbox, place.path)));
    });
    if (stat.kind === 'directory') return readDirectory(place, page, context);
    if (stat.size > maxFileBytes)
      throw new ToolError(
        readPrompt.binary(place.shown, `it has ${stat.size} bytes; use grep, or head and tail in bash`),
      );
    return readFile(place, page, context);
  },
};

async function readFile(place: Located, page: Page, context: ToolContext): Promise<ToolResult> {
  const bytes = await context.sandbox.fs.read(place.path);
  const media = mediaKind(bytes);
  if (media !== undefined) throw new ToolError(readPrompt.binary(place.shown, `it is ${media}, ${bytes.length} bytes`));
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') throw new ToolError(readPrompt.binary(place.shown, decoded.reason));
  context.seen.set(place.path, decoded.text);
  const lines = splitLines(decoded.text);
  if (lines.length === 0 && page.offset === 1)
    return { title: place.shown, output: '(the file is empty)', meta: { lines: 0, total: 0 } };
  if (page.offset > lines.length) throw new ToolError(readPrompt.beyond(place.shown, page.offset, lines.length));
  const shown: string[] = [];
  let used = 0;
  for (let at = page.offset - 1; at < lines.length && shown.length < page.limit; at++) {
    const line = `${at + 1}: ${cutLine(lines[at]!, maxLineChars)}`;
    used += byteLength(line) + 1;
    if (used > outputBudget.maxBytes && shown.length > 0) break;
    shown.push(line);
  }
  const last = page.offset - 1 + shown.length;
  const footer = last >= lines.length ? readPrompt.end(lines.length) : readPrompt.more(page.offset, last, lines.length);
  const meta = { lines: shown.length, total: lines.length, offset: page.offset };
  return { title: place.shown, output: `${shown.join('\n')}\n${footer}`, meta };
}

async function readDirectory(place: Located, page: Page, context: ToolContext): Promise<ToolResult> {
  const entries = (await context.sandbox.fs.list(place.path)).sort(byKindAndName);
  if (entries.length === 0)
    return { title: place.shown, output: '(the directory is empty)', meta: { lines: 0, total: 0 } };
  if (page.offset > entries.length) throw new ToolError(readPrompt.beyond(place.shown, page.offset, entries.length));
  const names = entries.slice(page.offset - 1, page.offset - 1 + page.limit).map(shownEntry);
  const last = page.offset - 1 + names.length;
  const footer =
    last < entries.length
      ? readPrompt.more(page.offset, last, entries.length)
      : `(${entries.length} ${entries.length === 1 ? 'entry' : 'entries'})`;
  return {
    title: `${place.shown}/`,
    output: `${names.join('\n')}\n${footer}`,
    meta: { lines: names.length, total: entries.length, directory: true },
  };
}

function byKindAndName(a: DirEntry, b: DirEntry): number {
  const rank = (entry: DirEntry) => (entry.kind === 'directory' ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

function shownEntry(entry: DirEntry): string {
  // A name may hold a newline; as JSON it stays one line.
  const name = /[\n\r]/.test(entry.name) ? JSON.stringify(entry.name) : entry.name;
  return entry.kind === 'directory' ? `${name}/` : entry.kind === 'symlink' ? `${name}@` : name;
}
