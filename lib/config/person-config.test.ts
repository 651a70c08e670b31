import { describe, expect, test } from 'vitest';
import { checkPersonConfig } from './person-config';
import { readConfig } from './read-config';

const check = async (text: string) =>
  (await checkPersonConfig(text)).problems.map(({ line, message }) => `${line ?? '-'}: ${message}`);

describe('the person’s own configuration is checked with the lines of its faults', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['a good one', '{ "permission": { "bash": { "npm test *": "allow" } }, "budget": { "cost": 2 } }', []],
    ['no JSON', '{\n  "model": \n}', ['3: Line 3: ValueExpected. Nothing of this file is used.']],
    ['no object', '[]', ['-: It must be an object, and it is []. Nothing of it is used.']],
    [
      'values',
      '{\n  "permission": {\n    "edit": "maybe",\n    "bash": {\n      "a.b *": 3\n    }\n  },\n  "subagent_depth": -1\n}',
      [
        '3: permission.edit must be allow, ask, deny or an object: "maybe".',
        '5: permission.bash.a.b * must be allow, ask or deny: 3.',
        '8: subagent_depth must be above 0, and it is -1: left out.',
      ],
    ],
    ['unknown keys', '{\n  "modle": "x"\n}', ['2: Not used here: modle.']],
    [
      'keys that only a project has, or nobody',
      '{\n  "model": "x/y",\n  "instructions": ["a.md"],\n  "plugin": ["./p.js"]\n}',
      [
        '2: model: not used; the model that you choose in the chat is kept.',
        '3: instructions: only the instructions of a project are read.',
        '4: plugin: only the plugins of a project are run.',
      ],
    ],
    [
      'misspelt permissions',
      '{"permission":\n{"bahs": "deny"}}',
      ['2: permission.bahs: nothing asks for bahs. Did you mean bash?'],
    ],
    [
      'agents',
      '{"agent": {\n  "doc.s": {\n    "writable": ["../x"],\n    "budget": {"cost": 0}\n  }\n}}',
      [
        '3: agent.doc.s.writable must be a list of folders of the project, and it is ["../x"]: taken as none.',
        '4: agent.doc.s.budget.cost must be above 0, and it is 0: left out.',
      ],
    ],
  ])('%s', async (_name, text, problems) => expect(await check(text)).toEqual(problems));

  test('what is no object is broken, the rest is only remarked on', async () => {
    expect((await checkPersonConfig('{')).isBroken).toBe(true);
    expect((await checkPersonConfig('[]')).isBroken).toBe(true);
    expect((await checkPersonConfig('{"x":1}')).isBroken).toBe(false);
  });
});

test('how agents work is read', async () => {
  const text =
    '{"compaction":{"auto":false,"reserved":5000},"subagent_depth":2,"budget":{"cost":1.5},"editing":"patch"}';
  expect(await readConfig(text, 'x', [])).toMatchObject({
    compaction: false,
    reservedTokens: 5000,
    depth: 2,
    costUsd: 1.5,
    editing: 'patch',
  });
});
