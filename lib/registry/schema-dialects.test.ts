import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtInTools } from '../tools/built-in';
import { builtInAgents } from './agents';
import { builtInSource } from './built-in-source';
import { offerFor, type ToolSource } from './registry';
import { normalisedSchema, type SchemaDialect } from './schema-dialects';

type Schema = Record<string, any>;
const dialects: SchemaDialect[] = ['anthropic', 'openai', 'gemini', 'kimi', 'plain'];

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}
/** The property `x` of an object in that dialect. The given schema is frozen, so a change of it throws. */
const x = (schema: unknown, dialect: SchemaDialect, more: Schema = {}): Schema =>
  (normalisedSchema(frozen({ type: 'object', properties: { x: schema }, ...more }), dialect) as Schema).properties.x;

const listed = (node: unknown): Schema[] =>
  typeof node === 'object' && node !== null
    ? [...(Array.isArray(node) ? [] : [node as Schema]), ...Object.values(node).flatMap(listed)]
    : [];

describe('Gemini', () => {
  test.each([
    [{ enum: [1, 2], type: 'integer' }],
    [{ type: 'integer', enum: [1, 2] }],
    [{ enum: [1, 2] }],
    [{ enum: [1, 2], type: ['integer', 'string'] }],
  ])('%j: values and type are strings, whichever stands first', (schema) => {
    expect(x(schema, 'gemini')).toEqual({ type: 'string', enum: ['1', '2'] });
  });

  const rows: [string, unknown, Schema][] = [
    ['a list of types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'a list with null',
      { type: ['string', 'number', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
    ],
    ['one type and null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['nothing but null', { type: ['null'] }, { type: 'null' }],
    ['alternatives that are all null', { anyOf: [{ type: 'null' }, { const: null }] }, { type: 'null' }],
    ['an allowed null', { enum: ['a', null] }, { type: 'string', enum: ['a'], nullable: true }],
    ['one constant', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['a constant of true', { const: true }, { type: 'boolean', description: '(always true)' }],
    [
      'items per type',
      { type: ['array', 'string'], items: { type: 'integer' }, minLength: 1 },
      {
        anyOf: [
          { type: 'array', items: { type: 'integer' } },
          { type: 'string', description: '(minLength: 1)' },
        ],
      },
    ],
    [
      'properties where there can be none',
      { type: 'string', properties: { a: {} }, required: ['a'] },
      { type: 'string' },
    ],
    [
      'required that is not there',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'siblings of alternatives',
      { description: 'd', title: 't', default: 1, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      {
        anyOf: [
          { type: 'string', description: 'd' },
          { type: 'integer', description: 'd' },
        ],
      },
    ],
    [
      'properties beside alternatives',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      {
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['b'] },
        ],
      },
    ],
    [
      'additionalProperties',
      { type: 'object', additionalProperties: false, properties: {} },
      { type: 'object', properties: {} },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', properties: {}, description: '(any keys are allowed)' },
    ],
    [
      'a pair',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, minItems: 2, maxItems: 2 },
    ],
    [
      'an old pair of a kind',
      { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
      { type: 'array', items: { type: 'number' }, minItems: 2 },
    ],
    [
      'formats',
      { type: 'string', format: 'uri', description: 'Where' },
      { type: 'string', description: 'Where (format: "uri")' },
    ],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
    [
      'open bounds of whole numbers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      { type: 'integer', minimum: 1, maximum: 9 },
    ],
    [
      'both of two',
      { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }] },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
    ],
    [
      'a reference with a remark',
      { $ref: '#/$defs/Name', description: 'Whose' },
      { type: 'string', description: 'Whose' },
    ],
    ['a reference of old', { allOf: [{ $ref: '#/$defs/Name' }] }, { type: 'string' }],
  ];
  test.each(rows)('%s', (_name, schema, expected) => {
    expect(x(schema, 'gemini', { $defs: { Name: { type: 'string' } } })).toEqual(expected);
  });

  test('arrays have items, whatever they are', () => {
    expect(x({ type: 'array' }, 'gemini').items.anyOf).toContainEqual({ type: 'string' });
    expect(x({ type: 'array', items: { type: 'array' } }, 'gemini').items.items).toBeDefined();
  });

  test('what refers to itself is written out twice and then left open', () => {
    const Node = {
      type: 'object',
      properties: { name: { type: 'string' }, child: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
    };
    const node = x({ $ref: '#/$defs/Node' }, 'gemini', { $defs: { Node } });
    expect(node.properties.child).toMatchObject({ type: 'object', nullable: true });
    expect(node.properties.child.properties.child).toEqual({
      type: 'object',
      description: 'As above, nested further.',
      nullable: true,
    });
    expect(JSON.stringify(node)).not.toContain('$');
  });
});

describe('OpenAI', () => {
  const rows: [string, unknown, Schema][] = [
    ['a constant', { const: 3 }, { type: 'integer', enum: [3] }],
    ['a type that can only be meant', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    ['types with null', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['an OpenAPI null', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'number' }] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    [
      'what it does not know',
      { type: 'string', title: 't', examples: ['a'], minLength: 2, $comment: 'c', format: 'uri', pattern: '^a' },
      { type: 'string', pattern: '^a', description: '(format: "uri", minLength: 2)' },
    ],
    [
      'additionalProperties',
      { type: 'object', additionalProperties: { const: 1 } },
      { type: 'object', properties: {}, additionalProperties: { type: 'integer', enum: [1] } },
    ],
    ['a reference with siblings', { $ref: '#/$defs/A', description: 'd' }, { $ref: '#/$defs/A' }],
    [
      'a reference or null',
      { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], title: 'A', default: null },
      { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
    ],
  ];
  test.each(rows)('%s', (_name, schema, expected) => {
    expect(x(schema, 'openai', { $defs: { A: { type: 'string' } } })).toEqual(expected);
  });

  test('recursion stays a reference, wherever it points', () => {
    const schema = frozen({
      type: 'object',
      definitions: { 'a/b': { type: 'object', properties: { next: { $ref: '#/definitions/a~1b' } } } },
      properties: { x: { $ref: '#/definitions/a~1b' }, again: { $ref: '#' } },
    });
    const result = normalisedSchema(schema, 'openai') as Schema;
    expect(result.properties).toEqual({ x: { $ref: '#/$defs/a_b' }, again: { $ref: '#/$defs/root' } });
    expect(result.$defs.a_b).toEqual({ type: 'object', properties: { next: { $ref: '#/$defs/a_b' } } });
    expect(result.$defs.root.properties.again).toEqual({ $ref: '#/$defs/root' });
    expect(Object.keys(result)).toEqual(['type', 'properties', '$defs']);
  });
});

describe('Kimi, and servers that nothing is known of', () => {
  const rows: [string, unknown, Schema][] = [
    [
      'a pair is a list of its first',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { type: 'string' } },
    ],
    ['nothing beside a reference', { $ref: '#/$defs/A', title: 't' }, { $ref: '#/$defs/A' }],
    [
      'types one by one',
      { type: ['string', 'null'], description: 'd' },
      { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'd' },
    ],
    [
      'the type inside of alternatives',
      { type: 'string', anyOf: [{ enum: ['a'] }, { pattern: 'b' }] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', description: '(pattern: "b")' },
        ],
      },
    ],
  ];
  test.each(rows)('%s', (_name, schema, expected) => {
    for (const dialect of ['kimi', 'plain'] as const)
      expect(x(schema, dialect, { $defs: { A: { type: 'string' } } })).toEqual(expected);
  });

  test('everything names its type', () => {
    expect(x({ description: 'Anything' }, 'kimi')).toMatchObject({ anyOf: expect.any(Array), description: 'Anything' });
  });
});

describe('Anthropic', () => {
  const rows: [string, unknown, Schema][] = [
    [
      'what it knows',
      { type: ['string', 'null'], pattern: '^a', examples: ['a'] },
      { type: ['string', 'null'], pattern: '^a', examples: ['a'] },
    ],
    [
      'an old pair',
      { type: 'array', items: [{ type: 'string' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'old open bounds',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'a reference with siblings',
      { $ref: '#/definitions/A', description: 'd' },
      { $ref: '#/$defs/A', description: 'd' },
    ],
  ];
  test.each(rows)('%s', (_name, schema, expected) => {
    expect(x(schema, 'anthropic', { definitions: { A: { type: 'string' } } })).toEqual(expected);
  });
});

describe.each(dialects)('%s', (dialect) => {
  test('the top is an object, whatever it was made of', () => {
    const schema = z.toJSONSchema(
      z.discriminatedUnion('do', [
        z.object({ do: z.literal('open'), path: z.string() }),
        z.object({ do: z.literal('close'), id: z.number() }),
      ]),
    ) as Schema;
    const result = normalisedSchema(frozen(schema), dialect) as Schema;
    expect(result.type).toBe('object');
    expect(result.anyOf ?? result.oneOf ?? result.allOf).toBeUndefined();
    expect(Object.keys(result.properties)).toEqual(['do', 'path', 'id']);
    expect(result.properties.do.enum).toEqual(['open', 'close']);
    expect(result.required).toEqual(['do']);
    expect(result.description).toBe('Give one of these sets: do, path | do, id.');
    expect(normalisedSchema({}, dialect)).toEqual({ type: 'object', properties: {} });
  });

  test.each([
    ['elsewhere', { $ref: 'https://example.com/s.json' }, 'which it does not hold'],
    ['missing', { $ref: '#/$defs/Nobody' }, 'which it does not hold'],
    ['itself and nothing else', { allOf: [{ $ref: '#/properties/x' }, {}] }, 'nothing but itself'],
    ['nonsense', 'string', 'not a schema'],
    ['two types at once', { allOf: [{ type: 'string' }, { type: 'number' }] }, 'at once'],
  ])('a schema that means %s is refused with the reason', (_name, schema, reason) => {
    expect(() => x(schema, dialect)).toThrow(reason);
  });

  test('no number of levels breaks it', () => {
    let deep: Schema = { type: 'string' };
    for (let at = 0; at < 5000; at++) deep = { type: 'array', items: deep };
    expect(() => x(deep, dialect)).toThrow('too large');
    let wide: Schema = { type: 'string' };
    for (let at = 0; at < 20; at++) wide = { type: 'object', properties: { a: wide, b: wide } };
    expect(() => x(wide, dialect)).toThrow('too large');
  });

  test('an object or nothing', () => {
    expect(() => normalisedSchema({ type: 'string' }, dialect)).toThrow('not an object');
    expect(() => normalisedSchema({ anyOf: [{ type: 'string' }, { type: 'object' }] }, dialect)).toThrow('else than');
  });

  test('every tool that Cloche ships with can be told', () => {
    for (const tool of builtInTools) {
      const result = normalisedSchema(z.toJSONSchema(tool.input, { io: 'input' }) as Schema, dialect);
      for (const node of listed(result)) {
        if (dialect !== 'gemini') continue;
        expect(node.additionalProperties ?? node.$ref ?? node.const ?? node.oneOf).toBeUndefined();
        if (node.anyOf) expect(Object.keys(node).filter((key) => key !== 'nullable')).toEqual(['anyOf']);
      }
      expect(result).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
  });
});

test('a tool that can not be told is left out alone, with the reason', () => {
  const tool = { ...builtInTools[0]!, permission: 'read' };
  const source: ToolSource = {
    name: 'MCP server x',
    offer: () => ({
      tools: [
        { ...tool, name: 'far', jsonSchema: { type: 'object', properties: { a: { $ref: 'other.json' } } } },
        { ...tool, name: 'odd', jsonSchema: { type: 'object', properties: { 'a b': { type: 'string' } } } },
        { ...tool, name: 'fine', jsonSchema: { type: 'object' } },
        { ...tool, name: 'unspeakable', input: z.object({ when: z.date() }) },
      ],
    }),
  };
  const offer = (model: string) =>
    offerFor({ model, agent: builtInAgents[0]!, mode: 'ask', sources: [source, builtInSource] });
  const claude = offer('anthropic/claude-sonnet-4-5');
  expect(claude.absent.filter((one) => one.source === 'MCP server x')).toEqual([
    {
      name: 'far',
      source: 'MCP server x',
      why: "Its schema can't be told to this model: it refers to other.json, which it does not hold itself.",
    },
    {
      name: 'odd',
      source: 'MCP server x',
      why: 'Its schema can\'t be told to this model: its parameter "a b" has a name that this model\'s provider refuses.',
    },
    { name: 'unspeakable', source: 'MCP server x', why: expect.stringMatching(/^Its schema can't be told/) },
  ]);
  expect(claude.tools.map((one) => one.tool.name)).toEqual(expect.arrayContaining(['fine', 'read']));
  expect(offer('openai/gpt-4o').tools.map((one) => one.tool.name)).toContain('odd');
});
