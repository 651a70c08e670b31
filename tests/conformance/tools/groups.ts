// The conformance list of the tool layer: which test files prove which of its groups, and which cases must be among them by name.
// A case has one home, so a group points at the unit tests beside the code as well as at the tables in this folder.

/** Tests of one file; `only` names those of them that belong to the group. */
export interface GroupSource {
  file: string;
  only?: RegExp;
}

/** `cases`: what the list asks for in the group, in its words, and the tests that show it: of each some must pass, none may fail. */
export interface Group {
  number: number;
  name: string;
  sources: GroupSource[];
  cases: Record<string, RegExp>;
}

const here = 'tests/conformance/tools';
/** Tests whose own name begins with the case's and a colon. */
const named = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, new RegExp(`(^| )${name}: `)]));
const numbered = (letter: string, count: number) =>
  named(Array.from({ length: count }, (_, at) => `${letter}${at + 1}`));

/** In the order of the list. */
export const groups: Group[] = [
  {
    number: 1,
    name: 'Define',
    sources: [{ file: 'lib/tools/run-tool.test.ts' }, { file: `${here}/define.test.ts` }],
    cases: {
      'fresh objects': /with defaults, in each call anew/,
      'decoded arguments': /^input (number and boolean strings|defaults)/,
      'what is wrong is told with its path': /path, value and/,
      'truncation opted out of': /bounds its own output is not cut again/,
      'abort signal': /hears of a stop through its signal/,
      'progress keeps the time of the start': /shows progress without losing when it began/,
    },
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
    cases: {
      lines: /nothing goes uncounted too many lines/,
      bytes: /nothing goes uncounted too many bytes/,
      both: /nothing goes uncounted both/,
      tail: /long output keeps both ends/,
      'one line of 60 kB': /a single line of 60 kB/,
      'the exact limit': /exactly the limit passes unchanged|2000 lines are not cut/,
      CRLF: /nothing goes uncounted CRLF/,
      'a wide character at the cut': /wide characters and splits no pair|astral characters/,
      configuration: /the budget is the caller’s/,
      retention: /of too many the oldest go/,
    },
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
    cases: {
      'gpt-5 patches': /openai\/gpt-5\.6 changes files with apply_patch/,
      'gpt-4o edits': /openai\/gpt-4o changes files with edit/,
      'gpt-oss edits': /gpt-oss-120b changes files with edit/,
      'claude edits': /claude-sonnet-5-5 changes files with edit/,
      'a proxy’s alias': /my-proxy-gpt-5\.4 changes files with apply_patch/,
      'custom: default and named exports, a broken import': /named as OpenCode names them/,
      'custom: no arguments': /accepts no args at all/,
      'custom: zod': /accepts its own zod/,
      'custom: old schemas': /accepts plain JSON Schemas/,
      duplicates: /a second tool of a name stands aside/,
      'the hook on definitions': /tool\.definition: /,
      'what permissions hide': /^edit is offered or not: /,
      'agents in the description of task': /lists the agents that may be started/,
    },
  },
  {
    number: 4,
    name: 'Read',
    sources: [
      { file: 'lib/tools/tools.test.ts', only: /^read / },
      { file: `${here}/read.test.ts` },
      { file: 'components/editor/buffers.test.ts', only: /^what was typed is what read and grep see/ },
    ],
    cases: {
      'lines, pages and the end': /^read numbers, pages and the end/,
      'the budget': /^read long files stop at the budget/,
      'empty, binary, missing': /^read empty, binary, image by magic, directory, missing/,
      'outside of the project': /^read outside of the project/,
      'a PNG that is none': /text that is called an image/,
      'a 25 MB image': /an image of more than 20 MiB is refused by name/,
      'UTF-16': /^UTF-16 with its mark/,
      GBK: /^GBK when it is (not )?named/,
      'names in NFC and NFD': /NFC and NFD/,
      'a directory': /^a directory as a tree/,
      'a link to itself': /a link that leads to itself/,
      'an unsaved buffer': /^what was typed is what read and grep see/,
    },
  },
  {
    number: 5,
    name: 'Glob and grep',
    sources: [{ file: 'lib/tools/tools.test.ts', only: /^(grep |glob:)/ }, { file: `${here}/search.test.ts` }],
    cases: {
      'the table of patterns': /^glob, pattern by pattern [*./a-z]/,
      'one file with siblings': /a single file path searches only it|its siblings are not/,
      'a long line': /one line of 70 000 characters/,
      'not UTF-8': /a file that is not UTF-8 spoils nothing/,
      'a wrong expression': /is no expression, and that is said/,
      '100 and 101 paths': /100 paths are all of them, 101 are not/,
      '100 and 101 matches': /100 matches are all of them, 101 are not/,
      'ignored and named': /ignored on demand|ignored or not/,
    },
  },
  {
    number: 6,
    name: 'Edit',
    sources: [
      { file: 'lib/tools/edit.test.ts' },
      { file: 'lib/tools/multiedit.test.ts' },
      { file: `${here}/edit.test.ts` },
    ],
    cases: {
      'ten line endings': /^line endings of file, old and new text/,
      BOM: /BOM (stays|and CRLF)|CRLF and BOM of an existing file stay/,
      'edits at once': /parallel edits of one file all arrive/,
      ...numbered('E', 10),
      'replaceAll with $': /E4: \$ is literal/,
      'create, exists, directory': /^create, exists, directory/,
      'a stale base': /^a file that somebody changed after the model read it/,
      'an edit of the person during the question': /the base is checked again after the question/,
    },
  },
  {
    number: 7,
    name: 'Patch',
    sources: [{ file: 'lib/tools/apply-patch.test.ts' }, { file: `${here}/patch.test.ts` }],
    cases: {
      'what a chunk does': /^what a chunk does/,
      'what is refused': /^what is refused, with nothing written/,
      ...numbered('P', 10),
      'a crash in the middle': /a tab that dies in the middle of a commit|when a write fails in the middle/,
      'two sections of a file': /P7: (two sections of one file|a second section)/,
      'context with line numbers': /begins with a line number is told so|line numbers of read/,
    },
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
    cases: {
      'exit code and standard error': /output, errors, exit code, time and place/,
      'time over': /the deadline ends it/,
      stop: /stop ends it/,
      'sleep & echo': /it returns when the shell exits/,
      setsid: /^a child in a session of its own/,
      'no such directory': /a missing directory/,
      '100 MB of output': /^100 MB of output/,
      'output that is no text': /^output that is no text/,
      'a question of the program': /^a question of a program finds no input/,
      'nothing stays for the next command': /^variables, functions and the directory of a command end with it/,
      'prefixes and quotes seen through': /seen through quotes, prefixes and wrappers/,
      'what only the shell can know': /^what only the shell can know/,
      'what is written': /^what is written is an edit/,
      'outside of the project': /^leaving the project is asked about/,
      'code in another language': /^code in another language/,
      'subcommands behind options': /^a subcommand is found behind options/,
      'programs that run programs': /^programs that run programs/,
    },
  },
  {
    number: 9,
    name: 'Permission',
    sources: [
      { file: 'lib/permission/rules.test.ts' },
      { file: `${here}/permission.test.ts` },
      { file: `${here}/secrets.test.ts` },
      { file: 'lib/extensions/extension-hooks.test.ts', only: /^permission hooks/ },
      { file: 'lib/session/permissions.test.ts' },
      { file: 'lib/session/subagents.test.ts', only: /asks the person/ },
      { file: 'lib/session/session.test.ts', only: /^questions/ },
    ],
    cases: {
      'the last match': /^(decide the last match wins|the last rule that matches counts)/,
      expansion: /^expansion of/,
      wildcards: / matches .*: (true|false)$/,
      'a pattern that ends in a blank and a star': /^git matches git \*: true/,
      'a denial over a grant': /a denial beats a grant/,
      'a refusal ends its siblings': /one without ends the turn and its siblings/,
      'always frees what it covers': /always is remembered and frees the others/,
      persistence: /grants for the project say who asked what, end, are kept and can be revoked/,
      'asks of sub-agents reach the person': /asks the person in their own conversation/,
      deadline: /a question that nobody answers is a refusal|so does the deadline/,
      'a hook that fails': /^permission hooks it (throws|never answers|loops for ever)/,
      'a ban with its reason': /^banned commands/,
    },
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
    cases: {
      'interrupted calls': /^after a reload what was running is interrupted/,
      'parallel calls settle in any order': /^parallel calls settle as they end/,
      'blocked or going on': /a refusal with words goes to the model; one without ends the turn/,
      'the same call again and again, across steps': /^an agent that repeats itself/,
      'retry-after in milliseconds, seconds, as a date, in the past, invalid': /^retry-after/,
      'too long: one summary': /a provider that finds the prompt too long: one summary/,
      'steer and queue': /^said while a turn runs (steering|what is queued)/,
      'stop with callers that wait': /^everybody who waits for a turn is let go by stop/,
      'fifty steps': /a run of fifty steps/,
    },
  },
  {
    number: 11,
    name: 'Task',
    sources: [{ file: 'lib/session/subagents.test.ts' }, { file: 'lib/session/agent-limits.test.ts' }],
    cases: {
      'gone on with, by whoever started it':
        /can be gone on with by its id, and only by the conversation that started it/,
      depth: /does not start others, and says why/,
      'stop ends it': /stop ends it, and nothing runs any more/,
      'its failure is told': /that fails tells why, and how to go on/,
      'its cost counts': /counts what sub-agents cost/,
      'its tokens count': /its tokens are counted/,
    },
  },
  {
    number: 12,
    name: 'Conversion',
    sources: [{ file: `${here}/conversion.test.ts` }, { file: 'lib/session/media.test.ts' }],
    cases: {
      'calls without a result': /^every call has a result, whatever became of it/,
      'media in a message of the person': /where results are only text it follows in the next message/,
      'reasoning of another model': /^reasoning of another model is left out/,
      'empty text between signed blocks': /empty text between two signed blocks/,
      'what a model does not take': /a model without eyes/,
    },
  },
  {
    number: 13,
    name: 'Schema',
    sources: [{ file: 'lib/registry/schema-dialects.test.ts' }, { file: `${here}/schema.test.ts` }],
    cases: {
      'names that objects have by themselves': /names that objects have by themselves/,
      'Gemini’s enum, both ways round': /^Gemini \{.*whichever stands first/,
      'lists of types': /^Gemini a list (of types|with null)/,
      'a reference with siblings': /a reference with siblings/,
      tuples: /^(Gemini|Kimi.*|Anthropic) an? (old )?pair/,
      'siblings of alternatives': /^Gemini siblings of alternatives/,
      'recursive definitions': /what refers to itself|recursion stays a reference/,
      additionalProperties: /(Gemini|OpenAI) additionalProperties/,
    },
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
    cases: named([
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
    ]),
  },
  {
    number: 15,
    name: 'Snapshot and revert',
    sources: [
      { file: 'lib/session/reload-and-undo.test.ts', only: /^(undo|the changes of a conversation)/ },
      { file: `${here}/revert.test.ts` },
    ],
    cases: {
      ...named(['user-created', 'user-modified', 'rename', 'binary', 'ignored', 'large', 'two sessions']),
      'only what the tools wrote': /^undo takes back what the tools wrote, and only that/,
      'after a reload': /^undo works after a reload/,
    },
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
    cases: {},
  },
];
