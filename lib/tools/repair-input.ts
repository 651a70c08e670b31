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
}

const maxDepth = 6;

/** The mended value (the same object when nothing was to mend) and what was done to it. Never throws. */
export function repairInput(value: unknown, schema: JsonSchema): { value: unknown; repairs: string[] } {
  const repairs: string[] = [];
  return { value: repaired(value, schema, '', repairs, 0), repairs };
}

function repaired(value: unknown, schema: JsonSchema, path: string, repairs: string[], depth: number): unknown {
  const name = path === '' ? 'the input' : path;
  const allowed = allowedValues(schema);
  if (typeof value === 'string' && !allowed.includes(value)) {
    // Some providers know only strings as allowed values.
    const meant = allowed.filter((one) => String(one) === value);
    if (meant.length === 1) {
      repairs.push(`${name}: read as ${meant[0]}`);
      return meant[0];
    }
  }
  if (depth > maxDepth || schema.anyOf) return value;
  switch (schema.type) {
    case 'object': {
      const object = typeof value === 'string' ? parsedAs(value, isRecord) : value;
      if (object !== value) repairs.push(`${name}: read from a JSON string`);
      return isRecord(object) ? repairedObject(object, schema, path, repairs, depth) : value;
    }
    case 'array': {
      let array: unknown = typeof value === 'string' ? parsedAs(value, Array.isArray) : value;
      if (array !== value) repairs.push(`${name}: read from a JSON string`);
      else if (value !== null && typeof value !== 'object' && schema.items?.type !== 'object') {
        array = [value];
        repairs.push(`${name}: put into a list`);
      }
      if (!Array.isArray(array) || !schema.items) return array;
      return array.map((item, at) => repaired(item, schema.items!, `${path}[${at}]`, repairs, depth + 1));
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
  repairs: string[],
  depth: number,
): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const out: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(object)) {
    const at = path === '' ? key : `${path}.${key}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known === undefined) {
      if (schema.additionalProperties === false) repairs.push(`${at}: unknown, dropped`);
      else out[key] = member;
      continue;
    }
    const optional = !schema.required?.includes(key);
    const placeholder =
      member === null || (isRecord(member) && Object.keys(member).length === 0 && known.type !== 'object');
    if (optional && placeholder) {
      repairs.push(`${at}: empty, dropped`);
      continue;
    }
    out[key] = repaired(member, known, at, repairs, depth + 1);
  }
  return out;
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
