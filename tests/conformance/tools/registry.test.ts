// Group 3: what is offered to whom, beyond the tables beside the registry (lib/registry/registry.test.ts).
import { describe, expect, test } from 'vitest';
import type { Effect, Rule } from '../../../lib/permission/rules';
import { builtInAgents } from '../../../lib/registry/agents';
import { builtInSource } from '../../../lib/registry/built-in-source';
import { offerFor } from '../../../lib/registry/registry';
import { last, setup } from '../../../lib/session/testing';

const rule = (permission: string, pattern: string, effect: Effect): Rule => ({ permission, pattern, effect });
const names = (ownRules: Rule[]) =>
  offerFor({ model: 'practice', agent: builtInAgents[0]!, mode: 'ask', sources: [builtInSource], ownRules }).tools.map(
    ({ tool }) => tool.name,
  );

test.each<[string, Rule[], boolean]>([
  ['denied', [rule('edit', '*', 'deny')], false],
  ['denied in one place', [rule('edit', 'src/*', 'deny')], true],
  ['denied, then allowed in one place', [rule('edit', '*', 'deny'), rule('edit', 'docs/*', 'allow')], true],
  ['denied, then to be asked in one place', [rule('edit', '*', 'deny'), rule('edit', 'docs/*', 'ask')], true],
  ['allowed in one place, then denied', [rule('edit', 'docs/*', 'allow'), rule('edit', '*', 'deny')], false],
  ['everything denied', [rule('*', '*', 'deny')], false],
  ['everything denied, this allowed', [rule('*', '*', 'deny'), rule('edit', '*', 'allow')], true],
])('edit is offered or not: %s', (_name, rules, isOffered) => expect(names(rules).includes('edit')).toBe(isOffered));

describe('the task tool', () => {
  const descriptionWith = async (ownRules: Rule[] = []) => {
    const { session, model } = await setup([['hi']], { ownRules: () => ownRules });
    await session.send('go');
    expect(last(session).end).toBe('done');
    return model.requests[0]!.tools!.find((tool) => tool.name === 'task') as { description: string } | undefined;
  };
  test('lists the agents that may be started, by name, with what they are for', async () => {
    const { description } = (await descriptionWith())!;
    expect(description.indexOf('explore')).toBeGreaterThan(0);
    expect(description.indexOf('general')).toBeGreaterThan(description.indexOf('explore'));
    expect(description).not.toMatch(/^- (build|plan):/m);
  });
  test('does not list who is denied, and is gone when all are', async () => {
    expect((await descriptionWith([rule('task', 'general', 'deny')]))!.description).not.toMatch(/^- general/m);
    expect(await descriptionWith([rule('task', '*', 'deny')])).toBeUndefined();
  });
});

test('definitions come in the same order in every step', async () => {
  const { session, model } = await setup([[{ tool: 'glob', input: { pattern: '*' } }], ['done']]);
  await session.send('go');
  const [first, second] = model.requests.map((request) => request.tools!.map((tool) => tool.name));
  expect(first).toEqual(first!.toSorted());
  expect(second).toEqual(first);
});

test('a call of a tool that is not offered is told what there is', async () => {
  const { session, model } = await setup([[{ tool: 'apply_patch', input: { patch: 'x' } }], ['done']]);
  await session.send('go');
  expect(JSON.stringify(model.requests[1]!.prompt)).toMatch(/The tools are: bash, edit/);
});
