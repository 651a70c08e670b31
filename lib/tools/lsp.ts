// The lsp tool: what the language service of the editor knows. A place is named by a line and the word on it, because models count lines well and
// columns badly.
import { z } from 'zod';
import { cutLine } from '../std/bound-text';
import { displayPath } from '../std/paths';
import { changeFiles, type FileChange, metaOf } from './change-set';
import type { CodeEdit, CodeIntelligence, CodePlace } from './code-intelligence';
import { shortDiff } from './file-diff';
import { askToRead, type Located, locate } from './locate';
import { lspPrompt } from './lsp.prompt';
import { existingTextTarget } from './text-target';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const input = z.object({
  operation: z
    .enum(['diagnostics', 'definition', 'references', 'hover', 'symbols', 'rename'])
    .describe('What to ask for'),
  path: z.string().min(1).describe('The file'),
  line: z.number().int().positive().optional().describe('1-based line'),
  symbol: z.string().min(1).optional().describe('The name on that line'),
  newName: z.string().min(1).optional().describe('rename: the new name'),
});
type LspInput = z.infer<typeof input>;

const syncMs = 3000;
const maxPlaces = 100;

/** The tool on a language service. */
export function lspTool(code: CodeIntelligence): Tool<LspInput> {
  return {
    name: 'lsp',
    kind: 'read',
    permission: 'lsp',
    description: lspPrompt.description,
    input,
    example: { operation: 'references', path: 'src/user.ts', line: 12, symbol: 'loadUser' },
    async execute(request, context) {
      const place = await locate(context, request.path);
      const title = [request.operation, request.symbol ?? place.shown].join(' ');
      context.update({ title });
      if (!code.covers(place.path)) throw new ToolError(lspPrompt.notCovered(place.shown));
      await askToRead(context, [place]);
      const { text } = await existingTextTarget(context.sandbox, place, lspPrompt.missing);
      if (!(await code.knows(place.path, text, syncMs))) throw new ToolError(lspPrompt.notReady(place.shown));
      if (request.operation === 'rename') return rename(code, positionIn(text, place, request), request, context);
      return { title, output: await answer(code, place, text, request, context) };
    },
  };
}

async function answer(
  code: CodeIntelligence,
  place: Located,
  text: string,
  request: LspInput,
  context: ToolContext,
): Promise<string> {
  switch (request.operation) {
    case 'diagnostics': {
      const errors = await code.errors(place.path);
      return errors.map((one) => `${one.line}:${one.column} ${one.message}`).join('\n') || lspPrompt.noErrors;
    }
    case 'symbols': {
      const symbols = await code.symbols(place.path);
      const lines = symbols.map((one) => `${'  '.repeat(one.depth)}${one.kind} ${one.name} (line ${one.line})`);
      return lines.join('\n') || lspPrompt.nothing;
    }
    case 'hover':
      return (await code.hover(positionIn(text, place, request))) ?? lspPrompt.nothing;
    case 'definition':
      return places(await code.definition(positionIn(text, place, request)), context);
    case 'references':
      return places(await code.references(positionIn(text, place, request)), context);
    case 'rename':
      throw new Error('A rename is not an answer.');
  }
}

function positionIn(text: string, place: Located, { operation, line, symbol }: LspInput): CodePlace {
  if (line === undefined || symbol === undefined) throw new ToolError(lspPrompt.needs(operation));
  const content = text.split('\n')[line - 1] ?? '';
  const word = /^[\w$]+$/.test(symbol)
    ? new RegExp(`(?<![\\w$])${symbol.replaceAll('$', '\\$')}(?![\\w$])`)
    : undefined;
  const at = word === undefined ? content.indexOf(symbol) : content.search(word);
  if (at < 0) throw new ToolError(lspPrompt.noSymbol(symbol, line, cutLine(content, 200)));
  return { path: place.path, line, column: at + 1 };
}

async function places(found: CodePlace[], { sandbox }: ToolContext): Promise<string> {
  if (found.length === 0) return lspPrompt.nothing;
  const lines: string[] = [];
  for (const { path, line, column } of found.slice(0, maxPlaces)) {
    const text = await sandbox.fs.readText(path).catch(() => '');
    const content = text.split('\n')[line - 1]?.trim() ?? '';
    lines.push(`${displayPath(path, sandbox.workdir)}:${line}:${column}: ${cutLine(content, 200)}`);
  }
  if (found.length > maxPlaces) lines.push(`(${found.length - maxPlaces} more)`);
  return lines.join('\n');
}

async function rename(
  code: CodeIntelligence,
  place: CodePlace,
  { newName, symbol }: LspInput,
  context: ToolContext,
): Promise<ToolResult> {
  if (newName === undefined || !/^[\p{ID_Start}$_#][\p{ID_Continue}$]*$/u.test(newName))
    throw new ToolError(lspPrompt.needsName);
  const found = await code.rename(place, newName);
  if ('refused' in found) throw new ToolError(lspPrompt.refused(found.refused));
  const files = await Promise.all(
    [...found.edits].map(async ([path, edits]) => ({ place: await locate(context, path), edits })),
  );
  const title = `${symbol} → ${newName}`;
  const { diffs, remark } = await changeFiles(context, `Rename ${symbol} to ${newName}`, async () => {
    const changes = await Promise.all(files.map((file) => changeOf(file.place, file.edits, code, context)));
    return { changes, note: undefined };
  });
  const parts = diffs.map((diff) => `${diff.path}\n${shortDiff(diff, Math.max(10, Math.floor(120 / diffs.length)))}`);
  const heading = `Renamed ${symbol} to ${newName} in ${diffs.length} ${diffs.length === 1 ? 'file' : 'files'}.`;
  return { title, output: [heading, ...(remark ? [remark] : []), ...parts].join('\n'), meta: metaOf(diffs) };
}

async function changeOf(
  place: Located,
  edits: readonly CodeEdit[],
  code: CodeIntelligence,
  { sandbox }: ToolContext,
): Promise<FileChange> {
  const before = await existingTextTarget(sandbox, place, lspPrompt.missing);
  // The offsets are those of the text that the language service has.
  if (!(await code.knows(place.path, before.text, syncMs))) throw new ToolError(lspPrompt.notReady(place.shown));
  let text = before.text;
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => b.start - a.start))
    text = text.slice(0, start) + replacement + text.slice(end);
  return { kind: 'write', place, before, text };
}
