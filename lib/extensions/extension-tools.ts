// What the files declare, as tools of ours: validated and defaulted by their schemas like every other, and asked about under their own names. An
// *always* is for the file as it is; what a tool asks through its context never reaches beyond that tool.
import { exampleOfSchema } from '../registry/mcp/schema-example';
import { inputOfSchema } from '../registry/mcp/schema-input';
import type { ToolSource } from '../registry/registry';
import { toolName } from '../registry/tool-names';
import { isRecord } from '../std/json';
import { steadyNow } from '../std/steady';
import { type AskRequest, type Tool, type ToolContext, ToolError, type ToolResult } from '../tools/tool';
import type { ExtensionProcess } from './extension-process';
import { type ExtensionFile, type ExtensionState, type Extensions, whyNotUsed } from './extensions';
import { foreignResult } from './foreign-result';
import type { CallOrigin, DeclaredTool, ForeignAsk } from './protocol';

/** Which conversation is served; read at each call. */
export interface ExtensionConversation {
  sessionId: string;
  /** The answer that is being written. */
  messageId(): string;
}

const maxDescriptionChars = 8000;
const maxAsks = 20;
const defaultTimeoutMs = 120_000;
const updateEveryMs = 50;
const maxMetadataUnits = 100_000;

/** One source for each file, in their order. */
export function extensionSources(
  extensions: Extensions,
  conversation: ExtensionConversation,
  timeoutMs = defaultTimeoutMs,
): ToolSource[] {
  return extensions.states().map((state): ToolSource => {
    const { path } = state.file;
    return {
      name: path,
      offer({ agent }) {
        const { loaded, status } = state;
        if (status.kind !== 'running') {
          if (state.file.kind === 'plugin' && (loaded === undefined || loaded.tools.length === 0)) return { tools: [] };
          const names = loaded?.tools.map(({ id }) => toolName(id)) ?? [nameOfFile(path)];
          return { tools: [], absent: names.map((name) => ({ name, why: whyNotUsed(state) })) };
        }
        const absent = status.loaded.refused.map(({ id, why }) => ({ name: toolName(id), why }));
        const tools: Tool[] = [];
        for (const declared of status.loaded.tools) {
          const name = toolName(declared.id);
          if (agent.readOnly === true)
            absent.push({ name, why: `It runs in the sandbox and could change files, which ${agent.name} may not.` });
          else
            try {
              tools.push(toolOf(declared, name, state, { extensions, conversation, agent: agent.name, timeoutMs }));
            } catch (error) {
              absent.push({ name, why: `Its input schema can’t be used: ${(error as Error).message}.` });
            }
        }
        return { tools, absent };
      },
    };
  });
}

/** A step asks for all tools again; their schemas are read once. */
const inputs = new WeakMap<object, Tool['input']>();

function inputOf(declared: DeclaredTool): Tool['input'] {
  let input = inputs.get(declared);
  if (input === undefined) {
    input = inputOfSchema(declared.schema);
    inputs.set(declared, input);
  }
  return input;
}

interface ToolSetting {
  extensions: Extensions;
  conversation: ExtensionConversation;
  agent: string;
  timeoutMs: number;
}

function toolOf(
  declared: DeclaredTool,
  name: string,
  { file }: ExtensionState,
  { extensions, conversation, agent, timeoutMs }: ToolSetting,
): Tool<Record<string, unknown>> {
  const version = `version ${file.hash.slice(0, 24)}`;
  const { $schema: _dialect, ...schema } = declared.schema;
  return {
    name,
    kind: 'run',
    permission: name,
    description: `${declared.description.slice(0, maxDescriptionChars)}\n(A tool of this project, ${file.path}.)`,
    input: inputOf(declared),
    jsonSchema: { properties: {}, ...schema, type: 'object' },
    example: exampleOfSchema(declared.schema),
    async execute(args, context): Promise<ToolResult> {
      const title = `Run the tool ${name} of this project (${file.path})`;
      const meta = { extension: file.path, input: args };
      await context.ask({ permission: name, patterns: [version], always: [version], title, meta });
      const process = await processOf(extensions, file);
      const { sessionId: sessionID } = conversation;
      const origin: CallOrigin = { sessionID, messageID: conversation.messageId(), agent, callID: context.callId };
      const answer = await process.request(
        { type: 'call', tool: declared.id, args, origin },
        {
          signal: context.signal,
          timeoutMs,
          onUpdate: throttled(context),
          onAsk: askThrough(context, name, file.path),
        },
      );
      return foreignResult(answer, name, file.path);
    },
  };
}

/** The person may have taken a while: what was advertised runs, or nothing. */
async function processOf(extensions: Extensions, file: ExtensionFile): Promise<ExtensionProcess> {
  const state = await extensions.settled(file.path);
  if (state === undefined || state.file.hash !== file.hash)
    throw new ToolError(`${file.path} was changed or taken back before this call could be made.`);
  if (state.status.kind !== 'running') throw new ToolError(`${file.path} is not in use. ${whyNotUsed(state)}`);
  return state.status.process;
}

/** A program may tell its progress as often as it likes; it is shown now and then. */
function throttled(context: ToolContext) {
  let shownAtMs = 0;
  return ({ title, metadata }: { title?: unknown; metadata?: unknown }) => {
    const nowMs = steadyNow();
    if (nowMs - shownAtMs < updateEveryMs) return;
    shownAtMs = nowMs;
    const isFitting = isRecord(metadata) && JSON.stringify(metadata).length <= maxMetadataUnits;
    context.update({
      ...(typeof title === 'string' ? { title: title.slice(0, 200) } : {}),
      ...(isFitting ? { meta: { extra: metadata } } : {}),
    });
  };
}

/**
 * A question of the tool's own. It is asked under the tool's name, so that an *always* covers nothing else; what the rules say about the
 * permission that it names counts as well.
 */
function askThrough(context: ToolContext, name: string, path: string): (request: ForeignAsk) => Promise<void> {
  let asked = 0;
  return async ({ permission, patterns, metadata }) => {
    if (++asked > maxAsks) throw new ToolError(`A tool may ask ${maxAsks} times in a call, and ${name} has.`);
    if (typeof permission !== 'string' || !/^[\w*-]{1,64}$/.test(permission))
      throw new ToolError('ask needs a permission: a name of letters, digits, _ and -.');
    const facts = (Array.isArray(patterns) ? patterns : [])
      .filter((one): one is string => typeof one === 'string')
      .slice(0, 50)
      .map((one) => one.slice(0, 500));
    if (facts.length === 0) facts.push('*');
    const own = facts.map((fact) => `${permission}: ${fact}`);
    const request: AskRequest = {
      permission: name,
      patterns: own,
      always: own,
      also: [{ permission, patterns: facts, always: [] }],
      title: `The tool ${name} of this project asks for ${permission}: ${facts.join(', ').slice(0, 200)}`,
      meta: { extension: path, ...(isRecord(metadata) ? { input: metadata } : {}) },
    };
    await context.ask(request);
  };
}

function nameOfFile(path: string): string {
  return toolName(path.slice(path.lastIndexOf('/') + 1).replace(/\.[jt]s$/, ''));
}
