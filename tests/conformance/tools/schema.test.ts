// Group 13: schemas that a careless reader of JSON Schema trips over, in every dialect and in the validation of what comes back.
import { describe, expect, test } from 'vitest';
import { normalisedSchema, type SchemaDialect } from '../../../lib/registry/schema-dialects';

type Schema = Record<string, any>;
const dialects: SchemaDialect[] = ['anthropic', 'openai', 'gemini', 'kimi', 'plain'];
const propertiesIn = (dialect: SchemaDialect, properties: Schema, more: Schema = {}): Schema =>
  (normalisedSchema({ type: 'object', properties, ...more }, dialect) as Schema).properties;

describe.each(dialects)('%s', (dialect) => {
  test('names that objects have by themselves are names like any other', () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    const given = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`);
    const properties = propertiesIn(dialect, given, { required: names });
    expect(Object.keys(properties).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(Object.getOwnPropertyDescriptor(properties, name)!.value.type).toBe('string');
  });
  test('an anchor is found, or the reference to it is refused by name', () => {
    const schema = { properties: { a: { $ref: '#here' } }, $defs: { A: { $anchor: 'here', type: 'string' } } };
    expect(() => normalisedSchema({ type: 'object', ...schema }, dialect)).toThrow('#here');
  });
  test('bounds of old drafts mean what they meant', () => {
    const { x } = propertiesIn(dialect, {
      x: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    });
    expect(x.exclusiveMinimum).not.toBe(true);
    expect(x.exclusiveMaximum).toBeUndefined();
    expect(JSON.stringify(x)).toContain('9');
  });
  test('a bound that no number can hold is not sent as null', () => {
    const schema = JSON.parse('{"type":"number","minimum":-1e400,"maximum":1e400}');
    expect(JSON.stringify(propertiesIn(dialect, { x: schema }).x)).not.toMatch(/null|Infinity/);
  });
});
