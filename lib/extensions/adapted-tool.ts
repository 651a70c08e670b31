// A tool whose description or schema a hook has changed. Its name, its kind and its permission stay, and its own validation too: a call must suit
// both what was advertised and what the tool takes.
import { z } from 'zod';
import { exampleOfSchema } from '../registry/mcp/schema-example';
import { inputOfSchema } from '../registry/mcp/schema-input';
import { isRecord, stableJson } from '../std/json';
import type { Tool } from '../tools/tool';

/** What a hook may change. */
export interface ToolDefinition {
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
}

const maxDescriptionChars = 20_000;

/** As it is advertised without hooks. */
export function definitionGiven(tool: Tool): ToolDefinition {
  const { $schema: _dialect, ...parameters } = (tool.jsonSchema ??
    z.toJSONSchema(tool.input, { io: 'input' })) as Record<string, unknown>;
  return { description: tool.description, parameters };
}

/** What a hook made of it; undefined when that is the same, or no definition. `jsonSchema` counts before `parameters`, as in OpenCode. */
export function changedDefinition(given: ToolDefinition, answer: unknown): ToolDefinition | undefined {
  if (!isRecord(answer)) return undefined;
  const isChanged = (one: unknown): one is Record<string, unknown> =>
    isRecord(one) && stableJson(one) !== stableJson(given.parameters);
  const parameters = [answer.jsonSchema, answer.parameters].find(isChanged) ?? given.parameters;
  const said = answer.description;
  const description =
    typeof said === 'string' && said.trim() !== '' ? said.slice(0, maxDescriptionChars) : given.description;
  if (description === given.description && parameters === given.parameters) return undefined;
  return { description, parameters };
}

/** Kept by whoever wraps an adapted tool by spreading it. */
const given = Symbol('the tool before hooks');

/** What an adapted tool was made from, else the tool itself: hooks always judge a definition as it came. */
export function toolAsGiven(tool: Tool & { [given]?: Tool }): Tool {
  return tool[given] ?? tool;
}

/** *Throws* an Error when the schema can't be used. */
export function adaptedTool(tool: Tool, { description, parameters }: ToolDefinition): Tool {
  const before = { [given]: tool };
  if (stableJson(definitionGiven(tool).parameters) === stableJson(parameters))
    return { ...tool, ...before, description };
  const advertised = inputOfSchema(parameters);
  return {
    ...tool,
    ...before,
    description,
    jsonSchema: { properties: {}, ...parameters, type: 'object' },
    example: { ...tool.example, ...exampleOfSchema(parameters) },
    input: advertised.pipe(tool.input as z.ZodType<unknown, Record<string, unknown>>),
  };
}
