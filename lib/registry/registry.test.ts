import { expect, test } from 'vitest';
import { builtInTools } from '../tools/built-in';
import { offerFor } from './registry';

const names = (ownRules: Parameters<typeof offerFor>[0]['ownRules']) =>
  offerFor({ mode: 'ask', ownRules }).tools.map((tool) => tool.name);

test('tools are sorted, and hidden only when everything they do is denied', () => {
  expect(names([])).toEqual(['bash', 'edit', 'glob', 'grep', 'read', 'write']);
  expect(names([{ permission: 'edit', pattern: '*', effect: 'deny' }])).toEqual(['bash', 'glob', 'grep', 'read']);
  expect(
    names([
      { permission: 'edit', pattern: '*', effect: 'deny' },
      { permission: 'edit', pattern: 'docs/*', effect: 'allow' },
    ]),
  ).toContain('edit');
  expect(names([{ permission: 'bash', pattern: 'rm *', effect: 'deny' }])).toContain('bash');
});

test('two tools of one name are refused', () => {
  expect(() => offerFor({ mode: 'ask', tools: [builtInTools[0]!, builtInTools[0]!] })).toThrow('same name');
});
