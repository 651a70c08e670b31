import { expect, test } from 'vitest';
import { normalisedSchema } from '../schema-dialects';
import { exampleOfSchema } from './schema-example';
import { inputOfSchema } from './schema-input';

test('expressions of a server that could stop the page are left to the server', () => {
  const slow = '^(\\w+\\s?)*$';
  const input = inputOfSchema({
    properties: { text: { type: 'string', pattern: slow }, tag: { type: 'string', pattern: '^v\\d+$' } },
    patternProperties: { [slow]: { type: 'number' } },
    additionalProperties: false,
  });
  const text = `${'a'.repeat(60)}!`;
  expect(input.safeParse({ text, [text]: 'x' }).success).toBe(true);
  expect(input.safeParse({ tag: 'x' }).success).toBe(false);
});

const word = { type: 'string', minLength: 3 };
test.each<[string, Record<string, unknown>, unknown]>([
  [
    'definitions without a version',
    { type: 'object', definitions: { w: word }, properties: { a: { $ref: '#/definitions/w' } }, required: ['a'] },
    { a: 'x' },
  ],
  [
    'a reference to another property, as zod-to-json-schema writes them',
    { type: 'object', properties: { a: word, b: { $ref: '#/properties/a' } }, required: ['a', 'b'] },
    { a: 'xxx', b: 'x' },
  ],
  [
    'a reference at the top',
    { $ref: '#/$defs/all', $defs: { all: { type: 'object', properties: { a: word }, required: ['a'] } } },
    { a: 1 },
  ],
  [
    'recursion from the top',
    { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } }, name: word }, required: ['name'] },
    { name: 'xxx', kids: [{ name: 1 }] },
  ],
  [
    'recursion below',
    {
      type: 'object',
      $defs: { n: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/n' } } } } },
      properties: { root: { $ref: '#/$defs/n' } },
      required: ['root'],
    },
    { root: { kids: [1] } },
  ],
  [
    'one of several at the top',
    {
      oneOf: [
        { type: 'object', properties: { a: word }, required: ['a'] },
        { type: 'object', properties: { b: word }, required: ['b'] },
      ],
    },
    { a: 1 },
  ],
  [
    'parts that all hold',
    {
      type: 'object',
      allOf: [{ properties: { a: word }, required: ['a'] }],
      properties: { b: { type: 'array', items: word, minItems: 2 } },
      required: ['b'],
    },
    { a: 'xxx', b: ['xxx', 1] },
  ],
  [
    'formats and null',
    {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'date-time' },
        b: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 7 }] },
      },
      required: ['a', 'b'],
    },
    { a: 'soon', b: null },
  ],
])('%s: an example is valid, and what is not is found', (_name, schema, wrong) => {
  const input = inputOfSchema(schema);
  expect(input.safeParse(exampleOfSchema(schema))).toMatchObject({ success: true });
  expect(input.safeParse(wrong).success).toBe(false);
});

test('what would make a provider refuse the whole request is not told', () => {
  const old = { type: 'object', properties: { a: { type: 'string', required: true } }, required: 'a' };
  expect(normalisedSchema(old, 'anthropic')).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  expect(inputOfSchema(old).safeParse({}).success).toBe(true);
  const circle = {
    type: 'object',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    properties: { x: { $ref: '#/$defs/a' } },
  };
  for (const dialect of ['openai', 'gemini', 'kimi', 'anthropic'] as const)
    expect(() => normalisedSchema(circle, dialect)).toThrow('refers to nothing but itself');
  // Never narrower than the tool: names of a pattern have types of their own.
  const patterns = {
    type: 'object',
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: { type: 'number' },
  };
  for (const dialect of ['openai', 'kimi'] as const)
    expect(normalisedSchema(patterns, dialect)).not.toHaveProperty('additionalProperties');
});
