// One input that a schema takes, for a model whose own was not valid.
import { refTarget } from '../schema-refs';
import { bothOf, isSchemaObject, listOf, type Schema } from '../schema-shape';

const maxDepth = 4;

/** A small input with what is required. */
export function exampleOfSchema(schema: Schema): Record<string, unknown> {
  return objectOf(plain(schema, schema), schema, 0);
}

/** Without references and combiners: the first of several forms. What can't be made one stays as it is. */
function plain(given: unknown, root: Schema, seen: readonly unknown[] = []): Schema {
  if (!isSchemaObject(given) || seen.includes(given)) return {};
  const { $ref, allOf, anyOf, oneOf, ...rest } = given;
  const inside = [...seen, given];
  try {
    let node: Schema = rest;
    if ($ref !== undefined) node = bothOf(node, plain(refTarget(root, $ref), root, inside));
    for (const part of listOf(allOf)) node = bothOf(node, plain(part, root, inside));
    const forms = listOf(anyOf ?? oneOf).map((form) => plain(form, root, inside));
    const form = forms.find((one) => one.type !== 'null');
    return form === undefined ? node : bothOf(node, form);
  } catch {
    return rest;
  }
}

function objectOf(schema: Schema, root: Schema, depth: number): Record<string, unknown> {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {};
  const names = listOf(schema.required).filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], root, depth + 1)]));
}

const formats: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
};

function exampleOf(given: unknown, root: Schema, depth: number): unknown {
  const schema = plain(given, root);
  if (schema.default !== undefined) return schema.default;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const type = [schema.type].flat().find((one) => one !== 'null') ?? (schema.properties ? 'object' : 'string');
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'array': {
      const least = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 5) : 0;
      return depth > maxDepth ? [] : Array.from({ length: least }, () => exampleOf(schema.items, root, depth + 1));
    }
    case 'object':
      return depth > maxDepth ? {} : objectOf(schema, root, depth);
    default: {
      const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, 100) : 1;
      return formats[String(schema.format)] ?? '…'.repeat(Math.max(1, least));
    }
  }
}
