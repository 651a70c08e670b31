import { expect, test } from 'vitest';
import { valueIn, withValue } from './change-config';

const text = `{
  // Never.
  "permission": { "bash": { "npm publish *": "deny" } },
  "budget": { "cost": 2 },
}
`;

test('a value is changed where it stands, and all else stays as it was written', async () => {
  expect(await withValue(text, ['budget', 'cost'], 3)).toBe(text.replace('2', '3'));
  const longer = await withValue(text, ['permission', 'doom_loop'], 'deny');
  expect(longer).toContain('// Never.');
  expect(await valueIn(longer, ['permission'])).toEqual({ bash: { 'npm publish *': 'deny' }, doom_loop: 'deny' });
});

test('nothing becomes a file, and what is emptied goes', async () => {
  const made = await withValue('', ['compaction', 'auto'], false);
  expect(JSON.parse(made)).toEqual({ compaction: { auto: false } });
  expect(JSON.parse(await withValue(made, ['compaction', 'auto'], undefined))).toEqual({});
  expect(await valueIn(await withValue(text, ['budget', 'cost'], undefined), ['budget'])).toBeUndefined();
});

test('a word for all permissions keeps counting beside its exception', async () => {
  const changed = await withValue('{"permission":"allow"}', ['permission', 'doom_loop'], 'deny');
  expect(JSON.parse(changed)).toEqual({ permission: { '*': 'allow', doom_loop: 'deny' } });
});

test('what can’t be read is left alone', async () => {
  await expect(withValue('{ "a": ', ['editing'], 'patch')).rejects.toThrow('Mend it there first');
  await expect(withValue('[]', ['editing'], 'patch')).rejects.toThrow('Mend it there first');
  expect(await valueIn('{ "a": ', ['a'])).toBeUndefined();
  expect(await valueIn('{ "a": 1 }', ['constructor', 'name'])).toBeUndefined();
});
