// Alternatives of a schema for providers that restrict them: what may stand beside `anyOf`, and how null is one of them.
import type { Place, Profile, Walk } from './schema-profile';
import { bothOf, InexpressibleSchema, isSchemaObject, listOf, type Schema, typesOf } from './schema-shape';

/** Remarks and definitions: nothing of them has to hold in a branch. */
const remarks = [
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
];

/** A node with `anyOf`. `nullable`: the node itself says that null is allowed. */
export function unionNode(node: Schema, nullable: boolean, walk: Walk, place: Place): Schema {
  const { profile } = walk;
  const given = listOf(node.anyOf).filter((one) => one !== false);
  const others = given.filter((one) => !isNull(one));
  if (others.length === 0) return { type: 'null' };
  const description = typeof node.description === 'string' ? node.description : undefined;
  const constraints = Object.fromEntries(
    Object.entries(node).filter(([key]) => !remarks.includes(key) && key !== 'anyOf' && key !== 'nullable'),
  );
  const visited = others.flatMap((one) => branchesOf(one, constraints, walk, place));
  if (visited.length === 0) throw new InexpressibleSchema('none of its alternatives can hold');
  const withNulls = nullable || others.length < given.length || visited.some((one) => one.nullable === true);
  const flat = new Map(visited.map(({ nullable: _nullable, ...one }) => [JSON.stringify(one), one]));
  const branches = [...flat.values()];
  const says = description !== undefined;
  if (says && profile.combinersAlone === true)
    return withNull(single(branches.map((one) => ({ description, ...one }))), withNulls, profile);
  // Nothing may stand beside a reference either.
  const isOne = branches.length === 1 && !(says && branches[0]!.$ref !== undefined);
  const whole = isOne ? branches[0]! : { anyOf: branches };
  return withNull(says ? { ...whole, description } : whole, withNulls, profile);
}

/** A branch with what stood beside it; none when both can't hold, several when it is a union itself. */
function branchesOf(branch: unknown, constraints: Schema, walk: Walk, place: Place): Schema[] {
  const isAlone = Object.keys(constraints).length === 0;
  let visited: Schema;
  try {
    visited = walk.visit(isAlone ? branch : bothOf(constraints, walk.resolved(branch)), place);
  } catch (error) {
    if (error instanceof InexpressibleSchema && !isAlone && cannotBoth(constraints, walk.resolved(branch))) return [];
    throw error;
  }
  return isOnlyUnion(visited) ? (visited.anyOf as Schema[]) : [visited];
}

function cannotBoth(a: Schema, b: Schema): boolean {
  try {
    bothOf(a, b);
    return false;
  } catch {
    return true;
  }
}

function isNull(branch: unknown): boolean {
  if (!isSchemaObject(branch) || branch.$ref !== undefined) return false;
  if (branch.const === null && 'const' in branch) return true;
  const { types, nullable } = typesOf(branch);
  return nullable && types.length === 0;
}

function single(branches: Schema[]): Schema {
  return branches.length === 1 ? branches[0]! : { anyOf: branches };
}

function isOnlyUnion(node: Schema): boolean {
  return Array.isArray(node.anyOf) && Object.keys(node).every((key) => key === 'anyOf');
}

/** The node, or null as well, in the provider's way. */
export function withNull(node: Schema, nullable: boolean, { nulls }: Profile): Schema {
  if (!nullable || node.type === 'null') return node;
  const { description, ...rest } = node;
  const outside = description === undefined ? {} : { description };
  const branches = Array.isArray(node.anyOf) ? (node.anyOf as Schema[]) : [rest];
  switch (nulls) {
    case 'nullable':
      return { ...node, nullable: true };
    case 'branch':
      return { anyOf: [...branches, { type: 'null' }], ...outside };
    case 'type list': {
      if (typeof node.type !== 'string') return { anyOf: [...branches, { type: 'null' }], ...outside };
      const values = Array.isArray(node.enum) ? { enum: [...node.enum.filter((one) => one !== null), null] } : {};
      return { ...node, type: [node.type, 'null'], ...values };
    }
  }
}
