// Tools as lines of TypeScript, for programs that call them: short enough to be read in the description of `execute`, and searched where they
// don't all fit.
import { toJSONSchema } from 'zod';
import { estimateTokens } from '../std/bound-text';
import type { ProgramTool } from '../tools/execute';
import type { Tool } from '../tools/tool';

type Schema = Record<string, unknown>;

const maxDepth = 4;
const maxAboutChars = 120;
const maxDeclarationChars = 1500;

/** `tools.read(input: { path: string; offset?: number }): Promise<string>; // Reads a text file …` */
export function declarationOf(tool: Tool): string {
  const place = /^[A-Za-z_$][\w$]*$/.test(tool.name) ? `tools.${tool.name}` : `tools[${JSON.stringify(tool.name)}]`;
  const schema = (tool.jsonSchema ?? toJSONSchema(tool.input, { io: 'input' })) as Schema;
  const isOptional = !Array.isArray(schema.required) || schema.required.length === 0;
  const type = typeOf(schema, { root: schema, depth: 0 });
  const short = type.length > maxDeclarationChars ? 'object' : type;
  const about = tool.description.split('\n')[0]!.slice(0, maxAboutChars);
  return `${place}(input${isOptional ? '?' : ''}: ${short}): Promise<${tool.returns ?? 'string'}>; // ${about}`;
}

interface Walk {
  root: Schema;
  depth: number;
}

/** A JSON schema as a type; `unknown` for what it can't say in short. */
export function typeOf(schema: unknown, walk: Walk): string {
  if (typeof schema !== 'object' || schema === null || walk.depth > maxDepth) return 'unknown';
  const { $ref, const: only, enum: values, anyOf, oneOf, type, items } = schema as Schema;
  const inner: Walk = { ...walk, depth: walk.depth + 1 };
  if (typeof $ref === 'string') return typeOf(referred($ref, walk.root), inner);
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  const options = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(options)) return [...new Set(options.map((option) => typeOf(option, inner)))].join(' | ');
  if (Array.isArray(type))
    return [...new Set(type.map((one) => typeOf({ ...(schema as Schema), type: one }, inner)))].join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(items, inner);
      return item.includes(' ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectType(schema as Schema, inner);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required, additionalProperties }: Schema, inner: Walk): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${needed.has(name) ? '' : '?'}: ${typeOf(schema, inner)}`;
  });
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  return typeof additionalProperties === 'object' ? `Record<string, ${typeOf(additionalProperties, inner)}>` : 'object';
}

function referred(reference: string, root: Schema): unknown {
  if (reference === '#') return root;
  return /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)
    ? reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, name) => (Object.hasOwn(Object(at), name) ? (at as Schema)[name] : undefined), root)
    : undefined;
}

/** Tokens for all declarations together. */
const catalogueTokens = 2000;

/** What the model is told of the tools, by source: as many declarations as fit, the shortest first and each source in its turn; all are counted. */
export function catalogueOf(sources: ReadonlyMap<string, readonly ProgramTool[]>, maxTokens = catalogueTokens): string {
  const shown = new Set<ProgramTool>();
  const queues = [...sources.values()].map((tools) =>
    [...tools].sort((a, b) => a.declaration.length - b.declaration.length || (a.name < b.name ? -1 : 1)),
  );
  let tokens = 0;
  for (let isFull = false; !isFull && queues.some((queue) => queue.length > 0); )
    for (const queue of queues) {
      const tool = queue.shift();
      if (tool === undefined) continue;
      tokens += estimateTokens(tool.declaration);
      isFull = tokens > maxTokens;
      if (isFull) break;
      shown.add(tool);
    }
  return [...sources]
    .map(([source, tools]) => {
      const lines = tools.filter((tool) => shown.has(tool)).map((tool) => tool.declaration);
      const hidden = tools.length - lines.length;
      const rest = hidden === 0 ? '' : `; ${hidden} not shown here, tools.$find("words") returns them`;
      return [`// ${source}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}${rest}`, ...lines].join('\n');
    })
    .join('\n');
}
