// What can be said of one node of a JSON Schema without knowing a provider: its types, and two nodes that both hold as one.

export type Schema = Record<string, unknown>;

/** The provider can't be told what a tool takes; `message` is the reason as the end of a sentence. */
export class InexpressibleSchema extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'InexpressibleSchema';
  }
}

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The types that a node names or can only mean. `nullable`: null is one more. An empty list: it says nothing about types. */
export function typesOf(node: Schema): { types: string[]; nullable: boolean } {
  const named = Array.isArray(node.type) ? node.type : node.type === undefined ? inferred(node) : [node.type];
  const types = [...new Set(named.filter((type): type is string => typeof type === 'string'))];
  const nullable = types.includes('null') || node.nullable === true || listOf(node.enum).includes(null);
  return { types: types.filter((type) => type !== 'null'), nullable };
}

function inferred(node: Schema): string[] {
  const values = listOf(node.enum);
  if (values.length > 0) return values.map(typeOfValue);
  const has = (...keys: string[]) => keys.some((key) => node[key] !== undefined);
  if (has('properties', 'additionalProperties', 'patternProperties', 'required')) return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems')) return ['array'];
  if (has('minLength', 'maxLength', 'pattern', 'format')) return ['string'];
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return ['number'];
  return [];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

/** An array, or nothing. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Keywords that mean something for one type only. */
const keywordType: Record<string, string> = {
  ...Object.fromEntries(
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'].map(
      (key) => [key, 'object'],
    ),
  ),
  ...Object.fromEntries(['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'].map((key) => [key, 'array'])),
  ...Object.fromEntries(['minLength', 'maxLength', 'pattern', 'format'].map((key) => [key, 'string'])),
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map((key) => [key, 'number']),
  ),
};

/** Whether a keyword says something about values of that type. */
export function concerns(keyword: string, type: string): boolean {
  const only = keywordType[keyword];
  if (only === undefined) return true;
  return only === type || (only === 'number' && type === 'integer') || (keyword === 'format' && type !== 'object');
}

/** One node that holds where both hold. Throws an InexpressibleSchema when nothing can hold. */
export function bothOf(a: Schema, b: Schema): Schema {
  const merged: Schema = { ...a };
  for (const [key, theirs] of Object.entries(b)) {
    const ours = merged[key];
    merged[key] = ours === undefined || same(ours, theirs) ? theirs : bothKeywords(key, ours, theirs);
  }
  return merged;
}

function bothKeywords(key: string, a: unknown, b: unknown): unknown {
  switch (key) {
    case 'properties': {
      const merged: Schema = { ...(a as Schema) };
      for (const [name, theirs] of Object.entries(b as Schema)) {
        const ours = merged[name];
        merged[name] = ours === undefined || same(ours, theirs) ? theirs : { allOf: [ours, theirs] };
      }
      return merged;
    }
    case 'required':
      return [...new Set([...listOf(a), ...listOf(b)])];
    case 'type': {
      const [ours, theirs] = [[a].flat(), [b].flat()];
      const left = ours.filter((type) => theirs.includes(type) || (type === 'integer' && theirs.includes('number')));
      if (theirs.includes('integer') && ours.includes('number')) left.push('integer');
      if (left.length === 0) throw new InexpressibleSchema(`a value would have to be ${ours} and ${theirs} at once`);
      return left.length === 1 ? left[0] : left;
    }
    case 'enum': {
      const left = listOf(a).filter((value) => listOf(b).some((other) => same(value, other)));
      if (left.length === 0) throw new InexpressibleSchema('two lists of allowed values have none in common');
      return left;
    }
    case 'description':
      return `${a} ${b}`;
    case 'items':
      return { allOf: [a, b] };
    case 'additionalProperties':
      return a === false || b === false ? false : a === true ? b : b === true ? a : { allOf: [a, b] };
    case 'minimum':
    case 'minLength':
    case 'minItems':
    case 'exclusiveMinimum':
      return Math.max(Number(a), Number(b));
    case 'maximum':
    case 'maxLength':
    case 'maxItems':
    case 'exclusiveMaximum':
      return Math.min(Number(a), Number(b));
    case 'anyOf':
      return listOf(a).flatMap((ours) => listOf(b).map((theirs) => ({ allOf: [ours, theirs] })));
    default:
      // Remarks and rare constraints: the first one stands, which is wider than both.
      return a;
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
