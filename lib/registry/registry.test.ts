import { describe, expect, test } from 'vitest';
import type { Rule } from '../permission/rules';
import { builtInTools } from '../tools/built-in';
import { agentNamed, builtInAgents, subagentsOf } from './agents';
import { builtInSource } from './built-in-source';
import { modelTraits } from './model-traits';
import { offerFor, type RegistryRequest, type ToolSource } from './registry';
import { toolName } from './tool-names';

const offer = (more: Partial<RegistryRequest> = {}) =>
  offerFor({ model: 'practice', agent: builtInAgents[0]!, mode: 'ask', sources: [builtInSource], ...more });
const names = (more: Partial<RegistryRequest> = {}) => offer(more).tools.map(({ tool }) => tool.name);
const rule = (permission: string, pattern: string, effect: Rule['effect']): Rule => ({ permission, pattern, effect });

describe('what is offered', () => {
  test('tools are sorted, and hidden only when everything they do is denied', () => {
    expect(names()).toEqual(['bash', 'edit', 'glob', 'grep', 'job', 'multiedit', 'read', 'write']);
    const ownRules = [rule('edit', '*', 'deny')];
    expect(names({ ownRules })).toEqual(['bash', 'glob', 'grep', 'job', 'read']);
    expect(offer({ ownRules }).absent).toContainEqual({
      name: 'edit',
      source: 'Cloche',
      why: 'A rule denies edit: *.',
    });
    expect(names({ ownRules: [...ownRules, rule('edit', 'docs/*', 'allow')] })).toContain('edit');
    expect(names({ ownRules: [rule('bash', 'rm *', 'deny')] })).toContain('bash');
  });

  test.each([
    ['openai/gpt-5.6', 'apply_patch'],
    ['openai/gpt-4o', 'edit'],
    ['compatible/gpt-oss-120b', 'edit'],
    ['anthropic/claude-sonnet-5-5', 'edit'],
    ['google/gemini-3.8-flash', 'edit'],
    ['compatible/my-proxy-gpt-5.4', 'apply_patch'],
  ])('%s changes files with %s', (model, tool) => {
    const other = tool === 'edit' ? 'apply_patch' : 'edit';
    expect(names({ model })).toContain(tool);
    expect(names({ model })).not.toContain(other);
    expect(offer({ model }).absent.find((one) => one.name === other)?.why).toMatch(/^This model changes files with/);
  });

  test('a person may choose otherwise, and turn tools off', () => {
    expect(names({ model: 'openai/gpt-5.6', editing: 'replace' })).toContain('edit');
    expect(offer({ turnedOff: ['grep'] }).absent).toContainEqual({
      name: 'grep',
      source: 'Cloche',
      why: 'You turned it off.',
    });
  });

  test('plan and explore keep what only looks', () => {
    expect(names({ agent: agentNamed(builtInAgents, 'explore') })).toEqual(['bash', 'glob', 'grep', 'job', 'read']);
    // Plans are files: edit stays, and the rules narrow it to them.
    expect(names({ agent: agentNamed(builtInAgents, 'plan') })).toContain('write');
  });

  test('the definition is what is run, and a second tool of a name stands aside', () => {
    const impostor: ToolSource = {
      name: '.opencode/tools/read.ts',
      offer: () => ({ tools: [{ ...builtInTools[0]!, name: 'read' }] }),
    };
    const result = offer({ sources: [builtInSource, impostor] });
    const read = result.tools.find(({ tool }) => tool.name === 'read')!;
    expect(read.tool).toBe(builtInTools.find((tool) => tool.name === 'read'));
    expect(read.definition).toMatchObject({
      type: 'function',
      name: 'read',
      inputSchema: { type: 'object', required: ['path'] },
    });
    expect(result.absent).toContainEqual({
      name: 'read',
      source: '.opencode/tools/read.ts',
      why: 'Cloche has a tool of this name already.',
    });
  });

  describe('a source with very many tools', () => {
    const one = builtInTools[0]!;
    const many = (count: number, more: object = {}): ToolSource => ({
      name: 'MCP server big',
      offer: () => ({
        tools: Array.from({ length: count }, (_, at) => ({ ...one, name: `big_${at}` })),
        programsOnly: 'auto',
        ...more,
      }),
    });
    const execute: ToolSource = { name: 'Cloche', offer: () => ({ tools: [{ ...one, name: 'execute' }] }) };
    const held = (sources: ToolSource[]) =>
      offer({ sources: [builtInSource, ...sources] }).tools.filter((tool) => tool.programsOnly !== undefined);

    test('is for programs alone where the model may write them; its tools are told apart with the reason', () => {
      expect(held([many(41), execute])).toHaveLength(41);
      expect(held([many(41), execute])[0]!.tool.programsOnly).toMatch(
        /^MCP server big has 41 tools; with more than 40/,
      );
      expect(held([many(40), execute])).toEqual([]);
      expect(held([many(41)])).toEqual([]);
    });

    test('is what its own setting says', () => {
      expect(held([many(41, { programsOnly: 'never' }), execute])).toEqual([]);
      expect(held([many(2, { programsOnly: 'always' }), execute]).map(({ tool }) => tool.name)).toEqual([
        'big_0',
        'big_1',
      ]);
      // Whoever says nothing is not withheld.
      expect(held([many(41, { programsOnly: undefined }), execute])).toEqual([]);
    });
  });

  test('a bad name is left out alone', () => {
    const bad: ToolSource = {
      name: 'x',
      offer: () => ({
        tools: [
          { ...builtInTools[0]!, name: 'a b' },
          { ...builtInTools[0]!, name: 'ok' },
        ],
      }),
    };
    const result = offer({ sources: [bad], model: 'openai/gpt-5.6' });
    expect(result.tools.map(({ tool }) => tool.name)).toEqual(['ok']);
    expect(result.absent.map((one) => one.name)).toEqual(['a b']);
  });
});

test('names are safe, short and stable', () => {
  expect(toolName('git hub', 'create/issue')).toBe('git_hub_create_issue');
  const long = toolName('server', 'x'.repeat(80));
  expect(long).toHaveLength(64);
  expect(long).toBe(toolName('server', 'x'.repeat(80)));
  expect(long).not.toBe(toolName('server', `${'x'.repeat(79)}y`));
});

test('sub-agents are those that are not primary and say what they are for', () => {
  expect(subagentsOf(builtInAgents).map((agent) => agent.name)).toEqual(['explore', 'general']);
  expect(agentNamed(builtInAgents, 'nobody').name).toBe('build');
});

test('an unknown model is treated plainly', () => {
  expect(modelTraits('compatible/qwen3-coder')).toMatchObject({ family: 'other', editing: 'replace', schema: 'plain' });
});
