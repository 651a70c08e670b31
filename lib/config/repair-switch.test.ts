// The switch of `repair` reaches the settings of a conversation, from the person and from a project, and only ever turns mending off.
import { expect, test } from 'vitest';
import { customsOf } from './testing';

test('both may turn it off, nobody turns the other’s on, and nonsense is told', async () => {
  const project = JSON.stringify({ repair: { read: true, bash: false, edit: 3 } });
  const { customs, trustAll } = await customsOf(
    { 'opencode.json': project },
    { person: '{"repair": {"read": false}}' },
  );
  await trustAll();
  expect(customs.state().workings.unrepaired).toEqual(['read', 'bash']);
  expect(
    customs
      .state()
      .problems.map((one) => one.message)
      .join(),
  ).toContain('repair.edit must be true or false');
});

test('false is for all', async () => {
  const { customs } = await customsOf({}, { person: '{"repair": false}' });
  expect(customs.state().workings.unrepaired).toEqual(['*']);
});
