// A node for a provider that takes JSON Schema 2020-12 as it stands.
import type { Place, Profile, Walk } from './schema-profile';
import { InexpressibleSchema, isSchemaObject, listOf, type Schema } from './schema-shape';

const schemaLists = ['anyOf', 'oneOf', 'prefixItems'];
const schemaMaps = ['properties', 'patternProperties', 'dependentSchemas'];
const singleSchemas = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
];
/** Would change what the references mean, or is of another version. */
const left = ['$schema', '$id', 'id', '$anchor', '$defs', 'definitions', 'additionalItems', 'nullable', '$comment'];

/** One node that is allowed everything; what belongs to older versions is said as 2020-12 does. */
export function wideNode(node: Schema, walk: Walk, place: Place): Schema {
  const out: Schema = {};
  const sub = (one: unknown) => (typeof one === 'boolean' ? one : walk.visit(one, place));
  for (const [key, value] of Object.entries(node)) {
    if (left.includes(key)) continue;
    if (key === 'items' && Array.isArray(value)) {
      out.prefixItems = value.map(sub);
      if (node.additionalItems !== undefined) out.items = sub(node.additionalItems);
    } else if (key === 'required') {
      // On a property it was a yes or no once, which a provider refuses together with the whole request.
      if (Array.isArray(value)) out.required = value.filter((name) => typeof name === 'string');
    } else if (schemaLists.includes(key)) out[key] = listOf(value).map(sub);
    else if (schemaMaps.includes(key) && isSchemaObject(value)) {
      if (key === 'properties') checkNames(value, walk.profile);
      out[key] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sub(one)]));
    } else if (singleSchemas.includes(key)) out[key] = sub(value);
    else if (/^exclusiveM(in|ax)imum$/.test(key) && typeof value === 'boolean') {
      // As version 4 said it.
      const bound = key === 'exclusiveMinimum' ? 'minimum' : 'maximum';
      if (value && node[bound] !== undefined) out[key] = node[bound];
    } else out[key] = value;
  }
  if (node.exclusiveMinimum === true) delete out.minimum;
  if (node.exclusiveMaximum === true) delete out.maximum;
  if (node.nullable === true && node.type !== undefined) out.type = [...new Set([node.type, 'null'].flat())];
  return out;
}

function checkNames(properties: Schema, { propertyNames }: Profile): void {
  const bad = Object.keys(properties).find((name) => propertyNames !== undefined && !propertyNames.test(name));
  if (bad !== undefined)
    throw new InexpressibleSchema(`its parameter ${JSON.stringify(bad)} has a name that this model's provider refuses`);
}
