// A node for a provider that takes only some keywords: one type at a time, and everything else left out.
import { withHints } from './schema-hints';
import { anything, type Place, type Walk } from './schema-profile';
import { concerns, isSchemaObject, listOf, type Schema, typesOf } from './schema-shape';
import { unionNode, withNull } from './schema-union';

/** *Contract:* `given` has no `$ref`, `allOf` or `const` of its own. */
export function narrowNode(given: Schema, walk: Walk, place: Place): Schema {
  const { profile } = walk;
  const { oneOf, ...rest } = given;
  const node: Schema = oneOf !== undefined && rest.anyOf === undefined ? { ...rest, anyOf: oneOf } : rest;
  const { types, nullable } = typesOf(node);
  if (listOf(node.anyOf).length > 0) return unionNode(node, nullable, walk, place);
  if (profile.enumsAreStrings && stringValues(node).length > 0)
    return withNull(withHints({ type: 'string', enum: stringValues(node) }, node, profile), nullable, profile);
  if (types.length === 0) return withHints(nullable ? { type: 'null' } : anything(profile), node, profile);
  const { description, ...bare } = node;
  if (types.length > 1 && profile.combinersAlone === 'but description' && description !== undefined)
    return { ...narrowNode(bare, walk, place), description };
  const parts = types.map((type) => ofType(node, type, walk, place));
  if (parts.length === 1) return withNull(parts[0]!, nullable, profile);
  if (profile.nulls !== 'type list') return withNull({ anyOf: parts }, nullable, profile);
  const all = Object.assign({}, ...parts) as Schema;
  return { ...all, type: [...types, ...(nullable ? ['null'] : [])], ...enumOf(node, types) };
}

/** The allowed values as strings; none when they are only true and false, which a type says as well. */
function stringValues(node: Schema): string[] {
  const values = listOf(node.enum).filter((value) => value !== null);
  if (values.every((value) => typeof value === 'boolean')) return [];
  return [...new Set(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))];
}

function enumOf(node: Schema, types: readonly string[]): Schema {
  const values = listOf(node.enum).filter((value) => types.some((type) => isOfType(value, type)));
  return values.length === 0 ? {} : { enum: values };
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isSchemaObject(value);
    default:
      return typeof value === type;
  }
}

const madeHere = ['type', 'nullable', 'anyOf', 'enum', '$ref'];

function ofType(node: Schema, type: string, walk: Walk, place: Place): Schema {
  const { profile } = walk;
  const allowed = profile.keywords as readonly string[];
  const out: Schema = { type, ...(profile.enumsAreStrings ? {} : enumOf(node, [type])) };
  for (const key of allowed)
    if (node[key] !== undefined && concerns(key, type) && !madeHere.includes(key)) out[key] = node[key];
  if (type === 'object') objectParts(out, node, walk, place);
  if (type === 'array') arrayParts(out, node, walk, place);
  if (typeof out.format === 'string' && !profile.formats.includes(out.format)) delete out.format;
  if (type === 'integer' || type === 'number') bounds(out, node, type, allowed);
  return withHints(out, node, profile);
}

function objectParts(out: Schema, node: Schema, walk: Walk, place: Place): void {
  const given = isSchemaObject(node.properties) ? node.properties : {};
  const properties = Object.entries(given).filter(([, one]) => one !== false);
  out.properties = Object.fromEntries(properties.map(([name, one]) => [name, walk.visit(one, place)]));
  const required = listOf(node.required).filter(
    (name) => typeof name === 'string' && properties.some(([known]) => known === name),
  );
  if (required.length > 0) out.required = required;
  else delete out.required;
  // What patterns of names let through can't be told: then nothing may be said of the others.
  if (isSchemaObject(node.patternProperties) && Object.keys(node.patternProperties).length > 0)
    delete out.additionalProperties;
  if (isSchemaObject(out.additionalProperties)) out.additionalProperties = walk.visit(out.additionalProperties, place);
}

function arrayParts(out: Schema, node: Schema, walk: Walk, place: Place): void {
  const tuple = Array.isArray(node.items) ? node.items : listOf(node.prefixItems);
  if (tuple.length === 0) {
    out.items = isSchemaObject(node.items) ? walk.visit(node.items, place) : anything(walk.profile);
    return;
  }
  if (walk.profile.tuples === 'first item') {
    out.items = walk.visit(tuple[0], place);
    return;
  }
  const kinds = new Map(
    tuple.map((one) => {
      const item = walk.visit(one, place);
      return [JSON.stringify(item), item];
    }),
  );
  out.items = kinds.size === 1 ? [...kinds.values()][0] : { anyOf: [...kinds.values()] };
  out.minItems ??= tuple.length;
  if (node.additionalItems === false || node.items === false) out.maxItems ??= tuple.length;
}

/** Exclusive bounds where only inclusive ones are known; exact for whole numbers, left out for others. */
function bounds(out: Schema, node: Schema, type: string, allowed: readonly string[]): void {
  for (const [exclusive, inclusive, next] of [
    ['exclusiveMinimum', 'minimum', (bound: number) => Math.floor(bound) + 1],
    ['exclusiveMaximum', 'maximum', (bound: number) => Math.ceil(bound) - 1],
  ] as const) {
    // Version 4 said it with a flag beside the inclusive bound.
    const bound = node[exclusive] === true ? node[inclusive] : node[exclusive];
    delete out[exclusive];
    if (typeof bound !== 'number') continue;
    if (node[exclusive] === true) delete out[inclusive];
    if (allowed.includes(exclusive)) out[exclusive] = bound;
    else if (type === 'integer') out[inclusive] = next(bound);
  }
}
