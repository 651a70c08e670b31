// The lsp tool: what the language service of the editor knows. A place is named by a line and the word on it, because models count lines well and
// columns badly.
import { z } from 'zod';
import { cutLine } from '../std/bound-text';
import { displayPath } from '../std/paths';
import { textVersion } from '../std/text-version';
import type { CodeIntelligence, CodePlace } from './code-intelligence';
import { askToRead, type Located, locate } from './locate';
import { lspPrompt } from './lsp.prompt';
import { actionChange, actionList } from './lsp-actions';
import { changeCode } from './lsp-change';
import { existingTextTarget } from './text-target';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';

const input = z.object({
  operation: z
    .enum([
      'diagnostics',
      'definition',
      'references',
      'hover',
      'symbols',
      'rename',
      'codeActions',
      'applyCodeAction',
      'organizeImports',
    ])
    .describe('What to ask for'),
  path: z.string().min(1).describe('The file'),
  line: z.number().int().positive().optional().describe('1-based line'),
  symbol: z.string().min(1).optional().describe('The name on that line'),
  newName: z.string().min(1).optional().describe('rename: the new name'),
  action: z.string().min(1).optional().describe('applyCodeAction: its title'),
});
type LspInput = z.infer<typeof input>;

const syncMs = 3000;
const maxPlaces = 100;
/** So often is a file judged again that changed meanwhile. */
const judgements = 3;

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
      return perform(code, place, text, request, context);
    },
  };
}

async function perform(
  code: CodeIntelligence,
  place: Located,
  text: string,
  request: LspInput,
  context: ToolContext,
): Promise<ToolResult> {
  const title = [request.operation, request.symbol ?? place.shown].join(' ');
  const at = () => positionIn(text, place, request);
  switch (request.operation) {
    case 'diagnostics':
      return diagnostics(code, place, context);
    case 'symbols': {
      const symbols = await code.symbols(place.path);
      const lines = symbols.map((one) => `${'  '.repeat(one.depth)}${one.kind} ${one.name} (line ${one.line})`);
      return { title, output: lines.join('\n') || lspPrompt.nothing };
    }
    case 'hover':
      return { title, output: (await code.hover(at())) ?? lspPrompt.nothing };
    case 'definition':
      return { title, output: await places(await code.definition(at()), context) };
    case 'references':
      return { title, output: await places(await code.references(at()), context) };
    case 'rename':
      return rename(code, at(), request, context);
    case 'codeActions':
      return { title, output: await actionList(code, place, request.line) };
    case 'applyCodeAction': {
      const { title: action, change } = await actionChange(code, place, request);
      return changeCode(context, { title: action, asked: action, done: `${action}: done` }, change);
    }
    case 'organizeImports': {
      const change = await code.organizeImports(place.path);
      if (change === undefined) throw new ToolError(lspPrompt.moving(place.shown));
      const of = `the imports of ${place.shown}`;
      return changeCode(context, { title: of, asked: `Organize ${of}`, done: `Organized ${of}` }, change);
    }
  }
}

/** What is wrong in the file as it is now, or nothing: an answer about another version is none. */
async function diagnostics(code: CodeIntelligence, place: Located, context: ToolContext): Promise<ToolResult> {
  for (let attempt = 0; attempt < judgements; attempt++) {
    const { text } = await existingTextTarget(context.sandbox, place, lspPrompt.missing);
    if (!(await code.knows(place.path, text, syncMs))) throw new ToolError(lspPrompt.notReady(place.shown));
    const found = await code.errors(place.path);
    const after = await existingTextTarget(context.sandbox, place, lspPrompt.missing);
    if (found?.text !== after.text) continue;
    const version = textVersion(after.text);
    const seen = context.seen.get(place.path);
    const remark = seen === undefined || seen === after.text ? '' : `\n${lspPrompt.notWhatYouRead(place.shown)}`;
    const lines = found.errors.map((one) => `${one.line}:${one.column} ${one.message}`).join('\n');
    return {
      title: `diagnostics ${place.shown}`,
      output: `${lspPrompt.about(place.shown, version)}\n${lines || lspPrompt.noErrors}${remark}`,
      meta: { version, errors: found.errors.length },
    };
  }
  throw new ToolError(lspPrompt.moving(place.shown));
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
  const names = `${symbol} to ${newName}`;
  const words = { title: `${symbol} → ${newName}`, asked: `Rename ${names}`, done: `Renamed ${names}` };
  return changeCode(context, words, found.change);
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
