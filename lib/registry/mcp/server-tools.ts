// A server's tools as ours. A definition that makes no sense costs that tool alone. What the server says about itself (read-only, harmless) is
// shown and never believed: every call asks, and an answer is remembered for this very definition, so a changed one asks again.
import { z } from 'zod';
import { stableJson } from '../../std/json';
import { type Tool, ToolError, type ToolResult } from '../../tools/tool';
import { typeOf } from '../declarations';
import { toolName } from '../tool-names';
import { callResult } from './call-result';
import type { McpConnection } from './connection';
import { exampleOfSchema } from './schema-example';
import { inputOfSchema } from './schema-input';
import type { ServerAsks } from './server-asks';
import { reasonOf } from './server-state';

const definition = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: z.looseObject({ title: z.string().optional(), readOnlyHint: z.boolean().optional() }).optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
});
type Definition = z.infer<typeof definition>;

/** Remembers which definition of a tool was allowed last; `Storage` fits. */
export type AllowedDefinitions = Pick<Storage, 'getItem' | 'setItem'>;

export interface ServerTools {
  tools: Tool[];
  absent: { name: string; why: string }[];
}

const maxDescriptionChars = 8000;
const maxReturnsChars = 600;

/** The tools of a connection as it is now. */
export function serverTools(
  connection: McpConnection,
  asksOf: (callId: string) => ServerAsks,
  allowed: AllowedDefinitions,
): ServerTools {
  const { config, tools: entries } = connection.state();
  const tools: Tool[] = [];
  const absent: ServerTools['absent'] = [];
  const taken = new Map<string, string>();
  for (const entry of entries) {
    const parsed = definition.safeParse(entry);
    if (!parsed.success) {
      const name =
        typeof entry === 'object' && entry !== null && 'name' in entry ? String(entry.name) : '(without a name)';
      absent.push({
        name: toolName(config.name, name),
        why: `Its definition is not valid: ${parsed.error.issues[0]!.message}.`,
      });
      continue;
    }
    const name = toolName(config.name, parsed.data.name);
    const other = taken.get(name);
    if (other !== undefined) {
      absent.push({ name, why: `${config.name} has two tools of this name: ${other} and ${parsed.data.name}.` });
      continue;
    }
    taken.set(name, parsed.data.name);
    try {
      tools.push(toolOf(connection, parsed.data, name, inputOf(entry as Definition), asksOf, allowed));
    } catch (error) {
      absent.push({ name, why: `Its input schema can’t be used: ${(error as Error).message}.` });
    }
  }
  return { tools, absent };
}

/** A step asks for all tools again; their schemas are read once. */
const inputs = new WeakMap<object, Tool['input']>();

function inputOf(entry: Definition): Tool['input'] {
  let input = inputs.get(entry);
  if (input === undefined) {
    input = inputOfSchema(entry.inputSchema);
    inputs.set(entry, input);
  }
  return input;
}

function toolOf(
  connection: McpConnection,
  one: Definition,
  name: string,
  input: Tool['input'],
  asksOf: (callId: string) => ServerAsks,
  allowed: AllowedDefinitions,
): Tool<Record<string, unknown>> {
  const server = connection.state().config.name;
  const jsonSchema = { properties: {}, ...one.inputSchema, type: 'object' };
  const shown = one.title ?? one.annotations?.title ?? one.name;
  return {
    name,
    kind: 'run',
    description: `${(one.description ?? shown).slice(0, maxDescriptionChars)}\n(A tool of the MCP server ${server}.)`,
    input,
    jsonSchema,
    ...returnsOf(one),
    example: exampleOfSchema(one.inputSchema),
    async execute(values, context) {
      const title = `${shown} (${server})`;
      context.update({ title });
      const fingerprint = await definitionHash(one);
      const before = allowed.getItem(name);
      const isChanged = before !== null && before !== fingerprint;
      await context.ask({
        permission: name,
        patterns: [`definition ${fingerprint}`],
        always: [`definition ${fingerprint}`],
        title: `Call ${one.name} of the MCP server ${server}`,
        meta: {
          mcp: server,
          input: values,
          ...(isChanged ? { changed: true } : {}),
          ...(one.annotations?.readOnlyHint === true ? { saysReadOnly: true } : {}),
        },
      });
      allowed.setItem(name, fingerprint);
      const answer = await connection
        .callTool(one.name, values, {
          signal: context.signal,
          asks: asksOf(context.callId),
          ...(one.execution?.taskSupport === 'required' ? { asTask: true } : {}),
          onProgress: ({ progress, total, message }) => {
            const share = total === undefined ? String(progress) : `${progress} of ${total}`;
            context.update({ title, output: message === undefined ? share : `${message} (${share})` });
          },
        })
        .catch((error: unknown) => {
          if (context.signal.aborted) throw error;
          throw new ToolError(`The MCP server ${server}: ${reasonOf(error)}`);
        });
      return judged(callResult(server, title, answer), one);
    },
  };
}

/** With a word on it where the structured part is not what the server's own schema promised: the answer counts all the same. */
function judged(result: ToolResult, { outputSchema }: Definition): ToolResult {
  const structured = result.meta?.structured;
  if (outputSchema === undefined || structured === undefined) return result;
  let why: string | undefined;
  try {
    const parsed = inputOfSchema(outputSchema).safeParse(structured);
    const issue = parsed.success ? undefined : parsed.error.issues[0]!;
    why = issue && `${issue.path.join('.') || 'the whole'}: ${issue.message}`;
  } catch {
    // A schema that makes no sense promises nothing.
  }
  if (why === undefined) return result;
  return { ...result, output: `${result.output}\n\n[Its structured part is not as the server describes it (${why}).]` };
}

/** Of everything that the model is told about it: 24 hexadecimal digits of its SHA-256. */
async function definitionHash({ name, title, description, inputSchema, annotations }: Definition): Promise<string> {
  const text = stableJson({ name, title, description, inputSchema, annotations });
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes.subarray(0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What programs get, when the server says it and it is short. */
function returnsOf({ outputSchema }: Definition): { returns?: string } {
  if (outputSchema === undefined) return {};
  const type = typeOf(outputSchema, { root: outputSchema, depth: 0 });
  return { returns: type.length > maxReturnsChars ? 'object' : type };
}
