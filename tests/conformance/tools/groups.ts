// The conformance list of the tool layer: which test files prove which of its groups, and which cases must be among them by name.
// A case has one home, so a group points at the unit tests beside the code as well as at the tables in this folder.

/** Tests of one file; `only` names those of them that belong to the group. */
export interface GroupSource {
  file: string;
  only?: RegExp;
}

/** `named`: each must begin the last part of some passing test's name, e.g. `E1` for `E1: ambiguity is final`. */
export interface Group {
  number: number;
  name: string;
  sources: GroupSource[];
  named?: string[];
}

const here = 'tests/conformance/tools';
const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);

/** In the order of the list. A source that does not exist yet counts as nothing. */
export const groups: Group[] = [
  {
    number: 1,
    name: 'Define',
    sources: [{ file: 'lib/tools/run-tool.test.ts' }, { file: `${here}/define.test.ts` }],
  },
  {
    number: 2,
    name: 'Truncate',
    sources: [
      { file: 'lib/std/bound-text.test.ts' },
      { file: `${here}/truncate.test.ts` },
      { file: 'lib/tools/tools.test.ts', only: /long output keeps both ends|long files stop/ },
      { file: 'lib/session/keep-output.test.ts' },
    ],
  },
  {
    number: 3,
    name: 'Registry',
    sources: [
      { file: 'lib/registry/registry.test.ts' },
      { file: `${here}/registry.test.ts` },
      { file: 'lib/extensions/extension-tools.test.ts' },
      { file: 'lib/extensions/extension-hooks.test.ts', only: /tool\.definition/ },
      { file: 'lib/tools/tools.test.ts', only: /prompts and schemas agree/ },
    ],
  },
  {
    number: 4,
    name: 'Read',
    sources: [{ file: 'lib/tools/tools.test.ts', only: /^read / }, { file: `${here}/read.test.ts` }],
  },
  {
    number: 5,
    name: 'Glob and grep',
    sources: [{ file: 'lib/tools/tools.test.ts', only: /^(grep |glob:)/ }, { file: `${here}/search.test.ts` }],
  },
  {
    number: 6,
    name: 'Edit',
    sources: [
      { file: 'lib/tools/edit.test.ts' },
      { file: 'lib/tools/multiedit.test.ts' },
      { file: `${here}/edit.test.ts` },
    ],
    named: numbered('E', 10),
  },
  {
    number: 7,
    name: 'Patch',
    sources: [{ file: 'lib/tools/apply-patch.test.ts' }, { file: `${here}/patch.test.ts` }],
    named: numbered('P', 10),
  },
  {
    number: 8,
    name: 'Shell',
    sources: [
      { file: 'lib/tools/tools.test.ts', only: /^bash, / },
      { file: 'lib/tools/jobs.test.ts' },
      { file: 'lib/permission/bash-facts.test.ts' },
      { file: `${here}/bash-bypass.test.ts` },
      { file: `${here}/bash-runners.test.ts` },
      { file: `${here}/shell.test.ts` },
    ],
  },
  {
    number: 9,
    name: 'Permission',
    sources: [
      { file: 'lib/permission/rules.test.ts' },
      { file: `${here}/secrets.test.ts` },
      { file: 'lib/extensions/extension-hooks.test.ts', only: /^permission hooks/ },
      { file: 'lib/session/permissions.test.ts' },
      { file: `${here}/permission.test.ts` },
    ],
  },
  {
    number: 10,
    name: 'Processor',
    sources: [
      { file: 'lib/session/session.test.ts' },
      { file: 'lib/session/conversation.test.ts' },
      { file: 'lib/session/reload-and-undo.test.ts', only: /^after a reload/ },
      { file: 'lib/agent/retry.test.ts' },
      { file: `${here}/processor.test.ts` },
      { file: 'tests/providers/long-run.test.ts' },
    ],
  },
  {
    number: 11,
    name: 'Task',
    sources: [{ file: 'lib/session/subagents.test.ts' }, { file: 'lib/session/agent-limits.test.ts' }],
  },
  { number: 12, name: 'Conversion', sources: [{ file: `${here}/conversion.test.ts` }] },
  {
    number: 13,
    name: 'Schema',
    sources: [{ file: 'lib/registry/schema-dialects.test.ts' }, { file: `${here}/schema.test.ts` }],
  },
  {
    number: 14,
    name: 'MCP',
    sources: [
      { file: `${here}/mcp.test.ts` },
      { file: 'lib/registry/mcp/servers.test.ts' },
      { file: 'lib/registry/mcp/server-asks.test.ts' },
      { file: 'components/chat/mcp-fetch.test.ts' },
      { file: 'components/chat/mcp-project.test.ts' },
      { file: 'components/chat/mcp-sign-in.test.ts' },
      { file: 'components/chat/mcp-spoken.test.ts' },
    ],
    named: [
      'pagination',
      'list-changed burst',
      'bad outputSchema',
      'isError',
      'mixed media',
      'session 404',
      'name collision',
      'long name',
      'offline',
      'backoff',
      'start timeout',
      'list timeout',
      'call timeout',
      'progress',
      'quarantine',
      'drift',
      'logs on stdout',
      'huge lines',
      'dying in a call',
      'elicitation',
      'instructions',
    ],
  },
  {
    number: 15,
    name: 'Snapshot and revert',
    sources: [
      { file: 'lib/session/reload-and-undo.test.ts', only: /^(undo|the changes of a conversation)/ },
      { file: `${here}/revert.test.ts` },
    ],
  },
  // Not in the spec's list, which has Code Mode in §5.17.
  {
    number: 16,
    name: 'Programs over tools',
    sources: [
      { file: 'lib/tools/execute.test.ts' },
      { file: 'lib/tools/program-host.test.ts' },
      { file: 'lib/registry/declarations.test.ts' },
      { file: 'lib/session/execute.test.ts' },
    ],
  },
];
