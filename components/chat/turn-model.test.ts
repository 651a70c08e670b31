import { expect, test } from 'vitest';
import { builtInAgents } from '../../lib/registry/agents';
import { NotSent } from './mcp-spoken';
import { turnModel } from './turn-model';

const agents = builtInAgents.map((agent) => (agent.name === 'plan' ? { ...agent, model: 'p/plan' } : agent));

function world(offered: string[], says: boolean) {
  const asked: string[] = [];
  const agreed = new Set<string>();
  return {
    asked,
    choose: (request: { agent?: string; model?: string }, agent = 'build') =>
      turnModel({
        request,
        agents,
        now: { agent, model: 'p/now' },
        agreed,
        isOffered: (id) => offered.includes(id),
        ask: async ({ who, wanted }) => {
          asked.push(`${who}: ${wanted}`);
          return says;
        },
      }),
  };
}

test('the command’s model comes before the agent’s, and the agent’s before the conversation’s', async () => {
  const { choose, asked } = world(['p/plan', 'p/cmd'], false);
  expect(await choose({})).toBeUndefined();
  expect(await choose({}, 'plan')).toBe('p/plan');
  expect(await choose({ agent: 'plan' })).toBe('p/plan');
  expect(await choose({ agent: 'plan', model: 'p/cmd' })).toBe('p/cmd');
  expect(asked).toEqual([]);
});

test('one that is not offered is asked about once', async () => {
  const { choose, asked } = world([], true);
  expect(await choose({}, 'plan')).toBe('p/now');
  expect(await choose({}, 'plan')).toBe('p/now');
  expect(await choose({ model: 'p/x' })).toBe('p/now');
  expect(asked).toEqual(['The agent plan: p/plan', 'This command: p/x']);
});

test('a no sends nothing', async () => {
  await expect(world([], false).choose({}, 'plan')).rejects.toBeInstanceOf(NotSent);
});
