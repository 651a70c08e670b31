// The grep tool: search on the sandbox's side, shown by file. One bad file or line never spoils the rest.
import { z } from 'zod';
import type { TextMatch } from '../sandbox/sandbox';
import { safeCut } from '../std/bound-text';
import { escapeGlob } from '../std/glob';
import { splitLines } from '../std/line-endings';
import { baseName, displayPath, parentPath, pathInLine } from '../std/paths';
import { searchableText } from '../std/text-file';
import { grepPrompt } from './grep.prompt';
import { askToRead, locate } from './locate';
import { nearNames } from './near-names';
import { readPrompt } from './read.prompt';
import { searchWithLimits } from './search-limits';
import { type Tool, type ToolContext, ToolError } from './tool';

const maxLineChars = 500;
/** Matches that are counted. */
const maxCounted = 20_000;

const input = z.object({
  pattern: z.string().min(1).describe('A regular expression, or text with literal'),
  path: z.string().min(1).optional().describe('Directory or file; default the project'),
  include: z.string().min(1).optional().describe('Glob for file paths'),
  mode: z.enum(['content', 'files', 'count']).optional().describe('What to show'),
  literal: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  multiline: z.boolean().optional(),
  context: z.number().int().min(0).max(10).optional().describe('Lines around each match'),
  ignored: z.boolean().optional().describe('Search ignored files too'),
  limit: z.number().int().positive().max(1000).optional().describe('How many matches'),
});

/** Searches file contents. */
export const grepTool: Tool<z.infer<typeof input>> = {
  name: 'grep',
  kind: 'read',
  description: grepPrompt.description,
  returns: '{ matches: { path: string; line: number; column: number; text: string }[]; more: boolean }',
  input,
  example: { pattern: 'function \\w+Total', include: '*.ts', context: 2 },
  async execute(request, context) {
    const place = await locate(context, request.path ?? '.');
    context.update({ title: request.path ? `${request.pattern} in ${place.shown}` : request.pattern });
    await askToRead(context, [place]);
    const stat = await context.sandbox.fs.stat(place.path).catch(async (error: { code?: string }) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
      throw new ToolError(readPrompt.missing(place.shown, await nearNames(context.sandbox, place.path)));
    });
    const nameOf = (path: string) => displayPath(path, context.sandbox.workdir);
    const single = stat.kind !== 'directory';
    const { mode = 'content', limit = 100 } = request;
    const found = await searchWithLimits(context.signal, grepPrompt.timedOut, (signal) =>
      context.sandbox.search.text({
        path: single ? parentPath(place.path) : place.path,
        pattern: request.pattern,
        ...(request.literal ? { literal: true } : {}),
        ...(request.ignoreCase ? { ignoreCase: true } : {}),
        ...(request.multiline ? { multiline: true } : {}),
        ...(single
          ? { include: `/${escapeGlob(baseName(place.path))}` }
          : request.include
            ? { include: request.include }
            : {}),
        respectIgnore: !single && !request.ignored,
        // Paths and counts are of whole files, so their limit is one of files.
        maxResults: mode === 'count' ? maxCounted : limit,
        ...(mode === 'files' ? { maxPerFile: 1 } : {}),
        signal,
      }),
    ).catch((error: Error) => {
      if (error.name === 'SyntaxError' || /regular expression/i.test(error.message))
        throw new ToolError(grepPrompt.badPattern(request.pattern, error.message));
      throw error;
    });
    const guarded = new Set(
      single
        ? []
        : [...new Set(found.matches.map((match) => match.path))].filter((path) => context.isGuarded(nameOf(path))),
    );
    const shown = found.matches.filter((match) => !guarded.has(match.path));
    const secrets = found.matches.length - shown.length;
    const notes = [
      found.truncated ? moreThan(mode, limit) : '',
      secrets > 0 ? grepPrompt.guarded(secrets, guarded.size) : '',
      grepPrompt.skipped(found.skipped),
      found.notUnicode > 0 ? grepPrompt.notUnicode(found.notUnicode) : '',
    ].filter(Boolean);
    const meta = {
      matches: shown.length,
      files: new Set(shown.map((match) => match.path)).size,
      truncated: found.truncated,
      skipped: found.skipped,
    };
    const body =
      shown.length === 0
        ? grepPrompt.none(request.pattern, found.filesSearched)
        : await render(shown, request, context);
    const value = () => ({
      matches: shown.map(({ path, line, column, text }) => ({
        path: displayPath(path, context.sandbox.workdir),
        line,
        column,
        text,
      })),
      more: found.truncated,
    });
    return {
      title: request.pattern,
      output: [body, ...notes].join('\n'),
      meta,
      cut: { advice: grepPrompt.narrow },
      value,
    };
  },
};

function moreThan(mode: 'content' | 'files' | 'count', limit: number): string {
  switch (mode) {
    case 'content':
      return grepPrompt.more(limit);
    case 'files':
      return grepPrompt.moreFiles(limit);
    case 'count':
      return grepPrompt.counted(maxCounted);
  }
}

async function render(
  matches: TextMatch[],
  request: { mode?: 'content' | 'files' | 'count'; context?: number },
  context: ToolContext,
): Promise<string> {
  const byFile = Map.groupBy(matches, (match) => match.path);
  const name = (path: string) => pathInLine(displayPath(path, context.sandbox.workdir));
  switch (request.mode ?? 'content') {
    case 'files': {
      const dated = await Promise.all(
        [...byFile.keys()].map(async (path) => ({ path, mtimeMs: await mtimeMs(context, path) })),
      );
      return dated
        .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1))
        .map((file) => name(file.path))
        .join('\n');
    }
    case 'count':
      return [...byFile].map(([path, found]) => `${name(path)}: ${found.length}`).join('\n');
    case 'content': {
      const blocks: string[] = [];
      for (const [path, found] of byFile)
        blocks.push(`${name(path)}:\n${await fileLines(path, found, request.context ?? 0, context)}`);
      return blocks.join('\n\n');
    }
  }
}

async function fileLines(path: string, found: TextMatch[], around: number, context: ToolContext): Promise<string> {
  const firstByLine = new Map<number, TextMatch>();
  for (const match of found) if (!firstByLine.has(match.line)) firstByLine.set(match.line, match);
  if (around === 0)
    return [...firstByLine.values()].map((match) => `  ${match.line}: ${aroundMatch(match)}`).join('\n');
  const lines = splitLines(searchableText(await context.sandbox.fs.read(path))?.text ?? '');
  const out: string[] = [];
  let last = 0;
  for (const match of firstByLine.values()) {
    const from = Math.max(last + 1, match.line - around);
    if (last > 0 && from > last + 1) out.push('  --');
    for (let line = from; line <= Math.min(lines.length, match.line + around); line++) {
      const hit = firstByLine.get(line);
      const plain = lines[line - 1]!.slice(0, safeCut(lines[line - 1]!, maxLineChars));
      out.push(hit ? `  ${line}: ${aroundMatch(hit)}` : `  ${line}- ${plain}`);
      last = line;
    }
  }
  return out.join('\n');
}

/** The line, cut around the match when it is long. */
function aroundMatch(match: TextMatch): string {
  const text = match.text.replaceAll('\r', '').replaceAll('\n', '\n     ');
  if (text.length <= maxLineChars) return text;
  const before = match.from ?? 0;
  const from = safeCut(text, Math.max(0, match.column - 1 - before - 100), true);
  const to = safeCut(text, Math.min(text.length, from + maxLineChars));
  return `${from + before > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

async function mtimeMs(context: ToolContext, path: string): Promise<number> {
  try {
    return (await context.sandbox.fs.stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}
