// Somebody else's JSON Schema as a zod type, so that calls are validated and defaulted as those of our own tools are. Keywords that zod does not
// know only widen what passes here: the server judges again.
import { z } from 'zod';
import { expressionHazard } from '../../std/stranger-expression';
import { standardSchema } from '../schema-dialects';

const unknownKeywords = [
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
];
const maxDepth = 32;

/** *Throws* an Error that says what is wrong with the schema. It must describe an object. */
export function inputOfSchema(schema: Record<string, unknown>): z.ZodType<Record<string, unknown>> {
  if (schema.type !== undefined && schema.type !== 'object')
    throw new Error(`its input is of type ${JSON.stringify(schema.type)}, not an object`);
  const whole = { properties: {}, ...(refersElsewhere(schema) ? standardSchema(schema) : schema), type: 'object' };
  return z.fromJSONSchema(widened(whole, 0) as Parameters<typeof z.fromJSONSchema>[0]) as z.ZodType<
    Record<string, unknown>
  >;
}

/** To places where zod does not look: `definitions` without a version that has them, a property that another one is like. */
function refersElsewhere(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith('#/$defs/')) return true;
  return Object.values(node).some(refersElsewhere);
}

function widened(schema: unknown, depth: number): unknown {
  if (depth > maxDepth) throw new Error('its input schema is nested too deep');
  if (Array.isArray(schema)) return schema.map((one) => widened(one, depth + 1));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (unknownKeywords.includes(key) || (key === 'required' && !Array.isArray(value))) continue;
    if ((key === 'patternProperties' || key === 'additionalProperties') && !namesAreExpressions(schema)) continue;
    if (key === 'properties' || key === '$defs' || key === 'definitions' || key === 'patternProperties')
      copy[key] = Object.fromEntries(
        Object.entries(value as Record<string, unknown>).map(([name, one]) => [name, widened(one, depth + 1)]),
      );
    else if (key === 'pattern') {
      // Expressions of other languages, and those that could stop the page, are the server's to judge.
      if (isExpression(value)) copy[key] = value;
    } else if (key === 'enum' || key === 'const' || key === 'default' || key === 'examples') copy[key] = value;
    else copy[key] = widened(value, depth + 1);
  }
  return copy;
}

/** Are the names of its `patternProperties` all to be used? What they let through is not known otherwise. */
function namesAreExpressions({ patternProperties = {} }: { patternProperties?: object }): boolean {
  return Object.keys(patternProperties).every(isExpression);
}

function isExpression(source: unknown): boolean {
  try {
    return typeof source === 'string' && new RegExp(source) !== undefined && expressionHazard(source) === undefined;
  } catch {
    return false;
  }
}
