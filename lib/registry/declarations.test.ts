import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '../std/bound-text';
import { builtInTools } from '../tools/built-in';
import type { Tool } from '../tools/tool';
import { catalogueOf, declarationOf, typeOf } from './declarations';

const type = (schema: Record<string, unknown>) => typeOf(schema, { root: schema, depth: 0 });
const tool = (name: string, jsonSchema: Record<string, unknown>, more: Partial<Tool> = {}): Tool => ({
  name,
  kind: 'run',
  description: 'Does it.\nMore of it.',
  input: z.unknown(),
  jsonSchema,
  example: {},
  execute: () => Promise.reject(new Error('not here')),
  ...more,
});

describe('types', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a text', { type: 'string' }, 'string'],
    ['whole numbers', { type: 'integer' }, 'number'],
    ['words', { enum: ['a', 'b', 1, null] }, '"a" | "b" | 1 | null'],
    ['one word', { const: 'x' }, '"x"'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    [
      'a list of either',
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      '(string | null)[]',
    ],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    [
      'members',
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{ a: string; "b-c"?: unknown }',
    ],
    ['a dictionary', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    ['anything', {}, 'unknown'],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, 'boolean'],
    ['a reference to nothing', { $ref: '#/$defs/b', $defs: {} }, 'unknown'],
    ['a reference into a prototype', { $ref: '#/$defs/constructor', $defs: {} }, 'unknown'],
    ['itself', { type: 'object', properties: { next: { $ref: '#' } } }, '{ next?: { next?: { next?: unknown } } }'],
    ['nonsense', { type: 'array', items: 5, enum: 'x' }, 'unknown[]'],
  ])('%s', (_name, schema, expected) => expect(type(schema)).toBe(expected));
});

describe('declarations', () => {
  test('of the shipped tools', () => {
    const byName = new Map(builtInTools.map((one) => [one.name, declarationOf(one)]));
    expect(byName.get('read')).toMatch(
      /^tools\.read\(input: \{ path: string; offset\?: number; limit\?: number; .*\}\): Promise<string>; \/\/ Reads a text file/,
    );
    expect(byName.get('glob')).toContain('Promise<{ paths: string[]; more: boolean }>');
    for (const declaration of byName.values()) expect(declaration).not.toContain('\n');
  });
  test('odd names are quoted, endless schemas are cut, no input is optional', () => {
    expect(declarationOf(tool('all_get-sum', { type: 'object' }))).toBe(
      'tools["all_get-sum"](input?: object): Promise<string>; // Does it.',
    );
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`member${at}`, { type: 'string' }]));
    expect(declarationOf(tool('wide', { type: 'object', properties: wide, required: ['member0'] }))).toBe(
      'tools.wide(input: object): Promise<string>; // Does it.',
    );
  });
});

describe('the catalogue', () => {
  const many = (source: string, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = `${source}_${at}`;
      return {
        name,
        declaration: declarationOf(tool(name, { type: 'object', properties: { a: { type: 'string' } } })),
      };
    });
  test('all sources are counted, and each has its turn', () => {
    const text = catalogueOf(
      new Map([
        ['Cloche', many('c', 5)],
        ['MCP server big', many('big', 500)],
        ['MCP server small', many('small', 3)],
      ]),
    );
    expect(estimateTokens(text)).toBeLessThan(2200);
    expect(text).toMatch(/^\/\/ Cloche: 5 tools\n/);
    expect(text).toMatch(
      /\n\/\/ MCP server big: 500 tools; \d+ not shown here, tools\.\$find\("words"\) returns them\n/,
    );
    expect(text).toMatch(/\n\/\/ MCP server small: 3 tools\ntools\.small_0/);
  });
  test('the same tools make the same text', () => {
    const sources = () => new Map([['a', many('a', 300)]]);
    expect(catalogueOf(sources())).toBe(catalogueOf(sources()));
  });
  test('one that is longer than all there is room for is still counted', () => {
    const text = catalogueOf(new Map([['x', [{ name: 'x', declaration: 'x'.repeat(20_000) }]]]));
    expect(text).toBe('// x: 1 tool; 1 not shown here, tools.$find("words") returns them');
  });
});
