// Mending what a model got almost right, only where the schema leaves no doubt. Everything mended is told in words.

import { isRecord } from '../std/json';
/** The parts of JSON Schema that zod writes and this reads. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  definitions?: Record<string, JsonSchema>;
}

const maxDepth = 6;

/** The mended value (the same object when nothing was to mend) and what was done to it. Never throws. */
export function repairInput(value: unknown, schema: JsonSchema): { value: unknown; repairs: string[] } {
  const repairs: string[] = [];
  const walk: Walk = { root: schema, repairs };
  return { value: repaired(value, schema, '', walk, 0), repairs };
}

interface Walk {
  root: JsonSchema;
  repairs: string[];
}

/** The one schema that counts: what a reference names, and of a choice with `null` the other; undefined where there is a choice. */
function only(schema: JsonSchema, root: JsonSchema, steps = 8): JsonSchema | undefined {
  if (steps === 0) return undefined;
  if (schema.$ref !== undefined) {
    const [, group, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(schema.$ref) ?? [];
    const named = group === undefined ? undefined : root[group as '$defs' | 'definitions'];
    return named !== undefined && Object.hasOwn(named, name!) ? only(named[name!]!, root, steps - 1) : undefined;
  }
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice !== undefined) {
    const others = choice.filter((one) => one.type !== 'null');
    return others.length === 1 && others.length < choice.length ? only(others[0]!, root, steps - 1) : undefined;
  }
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  return types.length === 1 ? { ...schema, type: types[0]! } : undefined;
}

function repaired(value: unknown, given: JsonSchema, path: string, walk: Walk, depth: number): unknown {
  const { repairs, root } = walk;
  const name = path === '' ? 'the input' : path;
  const allowed = allowedValues(given);
  if (typeof value === 'string' && !allowed.includes(value)) {
    // Some providers know only strings as allowed values.
    const meant = allowed.filter((one) => String(one) === value);
    if (meant.length === 1) {
      repairs.push(`${name}: read as ${meant[0]}`);
      return meant[0];
    }
  }
  const schema = depth > maxDepth ? undefined : only(given, root);
  // What may be nothing is not to be mended when it is nothing.
  if (schema === undefined || value === null) return value;
  switch (schema.type) {
    case 'object': {
      const object = typeof value === 'string' ? parsedAs(value, isRecord) : value;
      if (object !== value) repairs.push(`${name}: read from a JSON string`);
      return isRecord(object) ? repairedObject(object, schema, path, walk, depth) : value;
    }
    case 'array': {
      let array: unknown = typeof value === 'string' ? parsedAs(value, Array.isArray) : value;
      if (array !== value) repairs.push(`${name}: read from a JSON string`);
      else if (typeof value !== 'object' && !schema.prefixItems && takesScalars(schema.items, root)) {
        array = [value];
        repairs.push(`${name}: put into a list`);
      }
      if (!Array.isArray(array)) return array;
      return array.map((item, at) => {
        const inner = schema.prefixItems?.[at] ?? schema.items;
        return isRecord(inner) ? repaired(item, inner, `${path}[${at}]`, walk, depth + 1) : item;
      });
    }
    case 'integer':
    case 'number':
      if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) {
        repairs.push(`${name}: read as a number`);
        return Number(value);
      }
      return value;
    case 'boolean':
      if (value === 'true' || value === 'false') {
        repairs.push(`${name}: read as ${value}`);
        return value === 'true';
      }
      return value;
    default:
      return value;
  }
}

function repairedObject(
  object: Record<string, unknown>,
  schema: JsonSchema,
  path: string,
  walk: Walk,
  depth: number,
): Record<string, unknown> {
  const { repairs } = walk;
  const properties = schema.properties ?? {};
  const others = isRecord(schema.additionalProperties) ? schema.additionalProperties : undefined;
  const out: [string, unknown][] = [];
  for (const [key, member] of Object.entries(object)) {
    const at = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined) {
      if (schema.additionalProperties === false) repairs.push(`${at}: unknown, dropped`);
      else out.push([key, others ? repaired(member, others, at, walk, depth + 1) : member]);
      continue;
    }
    const optional = !schema.required?.includes(key);
    const type = only(known, walk.root)?.type;
    const isEmpty = isRecord(member) && Object.keys(member).length === 0;
    const placeholder =
      member === null ? !takesNull(known, walk.root) : isEmpty && type !== undefined && type !== 'object';
    if (optional && placeholder) {
      repairs.push(`${at}: empty, dropped`);
      continue;
    }
    out.push([key, repaired(member, known, at, walk, depth + 1)]);
  }
  return Object.fromEntries(out);
}

function takesScalars(items: JsonSchema | undefined, root: JsonSchema): boolean {
  const one = items === undefined ? {} : only(items, root);
  return one !== undefined && one.type !== 'object' && one.type !== 'array';
}

function takesNull(schema: JsonSchema, root: JsonSchema): boolean {
  const { type, anyOf, oneOf, $ref } = schema;
  const inner = $ref === undefined ? undefined : only(schema, root);
  if (inner !== undefined) return takesNull(inner, root);
  return (
    type === 'null' ||
    (Array.isArray(type) && type.includes('null')) ||
    (anyOf ?? oneOf ?? []).some((one) => takesNull(one, root))
  );
}

/** What a schema lists one by one; nothing when anything else is allowed too. */
function allowedValues(schema: JsonSchema): unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const branches = (schema.anyOf ?? []).map(allowedValues);
  return branches.every((one) => one.length > 0) ? branches.flat() : [];
}

function parsedAs(text: string, accepts: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return accepts(value) ? value : text;
  } catch {
    return text;
  }
}
