// What each provider is told of the tools: the full registry and schemas as strangers write them, over the real wire formats.
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtInSource } from '@/lib/registry/built-in-source';
import type { ToolSource } from '@/lib/registry/registry';
import type { Tool } from '@/lib/tools/tool';
import { type FakeProvider, startFakeProvider } from './fake-provider';
import { formats, said, tools, wholePath } from './whole-path';

let provider: FakeProvider;
afterEach(() => provider.close());

const stranger = (name: string, jsonSchema: Record<string, unknown>): Tool => ({
  name,
  kind: 'read',
  description: 'Of a stranger.',
  input: z.record(z.string(), z.unknown()),
  jsonSchema,
  example: {},
  execute: async (input) => ({ title: name, output: `got ${JSON.stringify(input)}` }),
});
const strangers: ToolSource = {
  name: 'strangers',
  offer: () => ({
    tools: [
      stranger('hard', {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        definitions: {
          Node: { type: 'object', properties: { child: { $ref: '#/definitions/Node', title: 'Child' } } },
        },
        properties: {
          level: { enum: [1, 2], type: 'integer' },
          either: { type: ['string', 'integer', 'null'], description: 'Either' },
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
          list: { type: 'array' },
          always: { const: 'yes' },
          tree: { $ref: '#/definitions/Node', description: 'The tree' },
          when: { type: 'string', format: 'uri-reference' },
        },
        required: ['level', 'ghost'],
        additionalProperties: false,
      }),
      stranger('impossible', { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } }),
    ],
  }),
};

/** The tools of a request as name → schema, wherever this format keeps them. */
function told(body: any): Record<string, any> {
  const list: any[] = body.tools[0].functionDeclarations ?? body.tools;
  return Object.fromEntries(
    list.map((one) => [
      one.name ?? one.function.name,
      one.input_schema ?? one.parametersJsonSchema ?? one.parameters ?? one.function.parameters,
    ]),
  );
}

const nodes = (node: unknown): Record<string, unknown>[] =>
  typeof node !== 'object' || node === null
    ? []
    : [...(Array.isArray(node) ? [] : [node as Record<string, unknown>]), ...Object.values(node).flatMap(nodes)];

/** The objects whose keys are names of properties, not words of a schema. */
const propertyMaps = (schema: unknown) => new Set(nodes(schema).map((node) => node.properties));

describe.each([...formats, { name: 'Kimi', model: 'compatible/kimi-test' }])('$name', ({ name, model }) => {
  test('is told every tool in its own form, and a call comes through', async () => {
    provider = await startFakeProvider([
      { parts: [{ tool: 'hard', input: { level: 1, tree: { child: {} } } }] },
      { parts: [{ text: 'Done.' }] },
    ]);
    const { session } = await wholePath({
      url: provider.url,
      model,
      session: { sources: () => [builtInSource, strangers] },
    });
    await session.send('go');
    expect(session.state().status).toEqual({ kind: 'idle' });
    expect(said(session)).toEqual(['go', 'Done.']);
    expect(tools(session)[0]).toMatchObject({ state: 'done', output: 'got {"level":1,"tree":{"child":{}}}' });

    const { tools: offered, absent } = session.offer();
    const schemas = told(provider.requests[0]!.body);
    expect(Object.keys(schemas)).toEqual(offered.map(({ tool }) => tool.name));
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['bash', 'read', 'grep', 'todo', 'question', 'hard']));
    expect(absent).toContainEqual({
      name: 'impossible',
      source: 'strangers',
      why: "Its schema can't be told to this model: it refers to https://example.com/a.json, which it does not hold itself.",
    });
    for (const schema of Object.values(schemas)) {
      expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(schema).not.toHaveProperty('anyOf');
      for (const node of nodes(schema)) expect(node).not.toHaveProperty('$schema');
    }
    const { properties, required } = schemas.hard;
    switch (name) {
      case 'Google':
        expect(required).toEqual(['level']);
        expect(properties).toMatchObject({
          level: { type: 'string', enum: ['1', '2'] },
          either: { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
          pair: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
          always: { type: 'string', enum: ['yes'] },
          tree: { type: 'object', properties: { child: { type: 'object' } } },
        });
        for (const schema of Object.values(schemas)) {
          const known = nodes(schema).filter((node) => !propertyMaps(schema).has(node));
          for (const unknown of ['$ref', '$defs', 'additionalProperties', 'const', 'oneOf', 'default'])
            for (const node of known) expect(Object.keys(node)).not.toContain(unknown);
          for (const node of nodes(schema)) if (node.type === 'array') expect(node.items).toBeDefined();
        }
        break;
      case 'Anthropic Messages':
        expect(properties.tree).toEqual({ $ref: '#/$defs/Node', description: 'The tree' });
        expect(properties.pair).toEqual({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] });
        break;
      case 'OpenAI Responses':
        expect(required).toEqual(['level']);
        expect(properties).toMatchObject({
          tree: { $ref: '#/$defs/Node' },
          always: { type: 'string', enum: ['yes'] },
          either: { type: ['string', 'integer', 'null'] },
        });
        break;
      default:
        expect(properties).toMatchObject({
          tree: { $ref: '#/$defs/Node' },
          pair: { type: 'array', items: { type: 'string' } },
          either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }], description: 'Either' },
        });
        expect(properties.tree).toEqual({ $ref: '#/$defs/Node' });
    }
  });
});
