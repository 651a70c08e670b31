import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { count, hostList, isListedHost, json, list, originList, readEnvironment } from './environment';

const schema = z.object({
  COUNT: count(7),
  LIST: list,
  HOSTS: hostList,
  ORIGINS: originList,
  SWITCH: z.enum(['on', 'off']).default('on'),
  ADDRESS: z.url().optional(),
  PRICES: json(z.record(z.string(), z.number()), '{"a": 1}').default({}),
});

test('blank variables count as unset', () => {
  const unset = { COUNT: 7, LIST: [], HOSTS: [], ORIGINS: [], SWITCH: 'on', PRICES: {} };
  expect(readEnvironment(schema, {})).toEqual(unset);
  expect(readEnvironment(schema, { COUNT: '', LIST: ' ', HOSTS: '', ORIGINS: '', SWITCH: '', PRICES: '' })).toEqual(
    unset,
  );
});

test('lists have no blanks, hosts are in lower case', () => {
  const values = readEnvironment(schema, { LIST: ' a,, B ', HOSTS: 'A.org, *.B.org', ORIGINS: 'http://10.0.0.5:8080' });
  expect(values.LIST).toEqual(['a', 'B']);
  expect(values.HOSTS).toEqual(['a.org', '*.b.org']);
  expect(values.ORIGINS).toEqual(['http://10.0.0.5:8080']);
});

test.each([
  [{ COUNT: '-1' }, 'COUNT must be a whole number, 0 or more'],
  [{ COUNT: 'secret' }, 'COUNT must be a whole number, 0 or more'],
  [{ COUNT: '1.5' }, 'COUNT must be a whole number, 0 or more'],
  [{ HOSTS: 'https://secret.org' }, 'HOSTS must list names like "example.org" or "*.example.org"'],
  [{ ORIGINS: 'https://secret.org/' }, 'ORIGINS must list origins'],
  [{ ORIGINS: 'file://secret' }, 'ORIGINS must list origins'],
  [{ SWITCH: 'secret' }, 'SWITCH must be on or off'],
  [{ ADDRESS: 'secret' }, 'ADDRESS must be an http or https URL'],
  [{ PRICES: '{"secret": "x"}' }, 'PRICES must be JSON like {"a": 1}'],
  [{ PRICES: 'secret' }, 'PRICES must be JSON like {"a": 1}'],
])('%o is refused by name and by what it must be, never by value', (env, message) => {
  expect(() => readEnvironment(schema, env)).toThrow(message);
  expect(() => readEnvironment(schema, env)).not.toThrow(/secret/);
});

test('every wrong variable is named', () => {
  expect(() => readEnvironment(schema, { COUNT: 'x', SWITCH: 'y' })).toThrow(/COUNT .*; SWITCH /);
});

test('a wildcard is every name below, not the name itself', () => {
  expect(isListedHost('anything.test', [])).toBe(true);
  expect(isListedHost('A.org.', ['a.org'])).toBe(true);
  expect(isListedHost('x.b.org', ['*.b.org'])).toBe(true);
  expect(isListedHost('b.org', ['*.b.org'])).toBe(false);
  expect(isListedHost('xb.org', ['*.b.org'])).toBe(false);
});

test('what can be set is said where people look for it: the README or .env.example', () => {
  const said = readFileSync('README.md', 'utf8') + readFileSync('.env.example', 'utf8');
  const read = readdirSync('lib/server')
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [
      ...readFileSync(`lib/server/${name}`, 'utf8').matchAll(/^ {2}([A-Z][A-Z_]{4,}):|\benv\.([A-Z_]+)/gm),
    ])
    .map(([, declared, asked]) => (declared ?? asked)!);
  expect(read).toContain('OPENAI_COMPATIBLE_MODELS');
  expect(read).toContain('CLOCHE_HOST');
  // NPM_CONFIG_REGISTRY is npm's own.
  expect([...new Set(read)].filter((name) => name !== 'NPM_CONFIG_REGISTRY' && !said.includes(name))).toEqual([]);
});
