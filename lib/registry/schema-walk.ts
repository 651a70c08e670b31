// One walk over a JSON Schema that rewrites it into what a provider's profile allows.

import { narrowNode } from './schema-narrow';
import { anything, type Place, type Profile, type Walk } from './schema-profile';
import { defName, refTarget } from './schema-refs';
import { bothOf, InexpressibleSchema, isSchemaObject, listOf, type Schema, typesOf } from './schema-shape';
import { wideNode } from './schema-wide';

const maxDepth = 48;
const maxNodes = 4000;
/** How often a recursive schema is written out where there are no references. */
const unrolled = 2;

/** The whole schema of a tool's input; see `normalisedSchema`. */
export function walkSchema(schema: Schema, profile: Profile): Schema {
  const walk: Walk = {
    profile,
    root: schema,
    nodes: 0,
    names: new Map(),
    defs: {},
    visit: (node, place) => visit(node, walk, place),
    resolved: (node) => resolved(node, walk, []),
  };
  const top = topObject(schema, walk);
  const result = visit(top, walk, { depth: 0, inside: [] });
  const { type: _type, ...rest } = result;
  return {
    type: 'object',
    properties: {},
    ...rest,
    ...(Object.keys(walk.defs).length > 0 ? { $defs: walk.defs } : {}),
  };
}

/** No provider takes a reference or a combiner at the top: branches become one object whose properties may all be there. */
function topObject(schema: Schema, walk: Walk): Schema {
  const { $defs: _defs, definitions: _definitions, ...given } = schema;
  let top = resolved(given, walk, []);
  const branches = listOf(top.anyOf ?? top.oneOf);
  if (branches.length > 0) {
    const { anyOf: _any, oneOf: _one, ...rest } = top;
    const objects = branches.map((branch) => bothOf(rest, resolved(branch, walk, [])));
    if (objects.some((one) => !typesOf(one).types.includes('object')))
      throw new InexpressibleSchema('its input may be something else than an object');
    top = oneObject(objects);
  }
  const { types } = typesOf(top);
  if (types.length > 0 && !types.includes('object')) throw new InexpressibleSchema('its input is not an object');
  const { nullable: _nullable, enum: _enum, ...rest } = top;
  return { ...rest, type: 'object' };
}

function oneObject(objects: Schema[]): Schema {
  const properties: Schema = {};
  for (const one of objects)
    for (const [name, theirs] of Object.entries(propertiesOf(one))) {
      const ours = properties[name];
      if (ours === undefined || JSON.stringify(ours) === JSON.stringify(theirs)) properties[name] = theirs;
      else properties[name] = eitherOf(ours, theirs);
    }
  const required = listOf(objects[0]!.required).filter((name) =>
    objects.every((one) => listOf(one.required).includes(name)),
  );
  const forms = objects.map((one) => listOf(one.required).join(', ') || 'nothing else');
  const description = [objects[0]!.description, `Give one of these sets: ${[...new Set(forms)].join(' | ')}.`];
  return { type: 'object', description: description.filter(Boolean).join(' '), properties, required };
}

/** Two constants of a discriminated union are one list of values. */
function eitherOf(a: unknown, b: unknown): Schema {
  const values = [a, b].map(
    (one) => isSchemaObject(one) && ('const' in one ? [one.const] : Array.isArray(one.enum) ? one.enum : undefined),
  );
  if (values.every(Array.isArray)) return { enum: [...new Set(values.flat())] };
  return { anyOf: [...(isSchemaObject(a) && Array.isArray(a.anyOf) ? a.anyOf : [a]), b] };
}

function propertiesOf(node: Schema): Schema {
  return isSchemaObject(node.properties) ? node.properties : {};
}

/** The node with its own reference and its `allOf` written out. */
function resolved(given: unknown, walk: Walk, inside: readonly string[]): Schema {
  if (given === true) return {};
  if (!isSchemaObject(given)) throw new InexpressibleSchema('a part of its schema is not a schema');
  const { $ref, allOf, ...rest } = finite(given);
  let node: Schema = rest;
  if ($ref !== undefined) {
    if (inside.includes(String($ref))) throw new InexpressibleSchema(`${$ref} refers to nothing but itself`);
    node = bothOf(rest, resolved(refTarget(walk.root, $ref), walk, [...inside, String($ref)]));
  }
  for (const part of listOf(allOf)) node = bothOf(node, resolved(part, walk, inside));
  if (node.const !== undefined || 'const' in node) {
    const { const: only, ...others } = node;
    node = bothOf(others, { enum: [only] });
  }
  return node;
}

/** Without what is no number for JSON (`-1e400`): it would be sent as null, which a provider refuses together with the whole request. */
function finite(node: Schema): Schema {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== Infinity && value !== -Infinity));
}

function visit(node: unknown, walk: Walk, place: Place): Schema {
  const given = unwrapped(node);
  if (place.depth > maxDepth || ++walk.nodes > maxNodes) throw new InexpressibleSchema('its schema is too large');
  let { inside } = place;
  if (isSchemaObject(given) && given.$ref !== undefined) {
    const ref = String(given.$ref);
    if (walk.profile.refs !== 'inline') return reference(given, walk);
    if (inside.filter((one) => one === ref).length >= unrolled) return open(refTarget(walk.root, ref), walk);
    inside = [...inside, ref];
  }
  const whole = resolved(given, walk, []);
  const deeper = { depth: place.depth + 1, inside };
  return walk.profile.keywords === 'all' ? wideNode(whole, walk, deeper) : narrowNode(whole, walk, deeper);
}

/** A reference with remarks is often written as the only part of an `allOf`. */
function unwrapped(node: unknown): unknown {
  if (!isSchemaObject(node) || node.$ref !== undefined) return node;
  const [only, ...more] = listOf(node.allOf);
  if (more.length > 0 || !isSchemaObject(only) || only.$ref === undefined) return node;
  const { allOf: _allOf, ...rest } = node;
  return { ...rest, ...only };
}

function reference(given: Schema, walk: Walk): Schema {
  const { $ref, ...siblings } = finite(given);
  const ref = String($ref);
  const target = refTarget(walk.root, $ref);
  let name = walk.names.get(ref);
  if (name === undefined) {
    // Throws for a circle of references that ends nowhere.
    resolved({ $ref }, walk, []);
    name = defName(ref, new Set(walk.names.values()));
    walk.names.set(ref, name);
    walk.defs[name] = visit(target, walk, { depth: 1, inside: [] });
  }
  const pointer = { $ref: `#/$defs/${name}` };
  return walk.profile.refs === 'alone'
    ? pointer
    : { ...wideNode(siblings, walk, { depth: 1, inside: [] }), ...pointer };
}

/** Where recursion was cut: any value of the target's type. */
function open(target: unknown, walk: Walk): Schema {
  const { types } = typesOf(isSchemaObject(target) ? target : {});
  const description = 'As above, nested further.';
  if (types[0] === 'array') return { type: 'array', items: anything(walk.profile), description };
  return types.length === 1 ? { type: types[0], description } : { ...anything(walk.profile), description };
}
