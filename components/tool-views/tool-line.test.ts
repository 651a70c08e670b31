// Rows say in words what a call is doing and how it ended.
import { expect, test } from 'vitest';
import type { ToolPart } from '../../lib/session/messages';
import { showDuration, spokenLine, toolLine } from './tool-line';

const part = (more: Partial<ToolPart>): ToolPart => ({
  type: 'tool',
  id: 'p',
  callId: 'c',
  tool: 'bash',
  state: 'done',
  inputText: '',
  ...more,
});

test.each<[Partial<ToolPart>, string]>([
  [{ state: 'streaming-input', inputText: '{"command":"npm te' }, 'Running npm te, preparing'],
  [{ state: 'running', input: { command: 'npm test' } }, 'Running npm test'],
  // A model may call what every object has.
  [{ tool: 'constructor', state: 'error', title: 'x' }, 'constructor x, failed'],
  [{ tool: '__proto__', title: 'x' }, '__proto__ x'],
  [{ state: 'asking', title: 'npm test' }, 'Run npm test, waits for you'],
  [
    { title: 'npm test', meta: { end: 'exited', exit: 1 }, startedAtMs: 0, endedAtMs: 1200 },
    'Ran npm test, exit 1, 1.2 s',
  ],
  [{ title: 'npm test', meta: { end: 'exited', exit: 0 } }, 'Ran npm test'],
  [{ title: 'x', meta: { end: 'timeout', exit: null } }, 'Ran x, timed out'],
  [{ title: 'npm run dev', meta: { job: 'job_1', pid: 4, port: 3000 } }, 'Started npm run dev, runs on port 3000'],
  [{ title: 'one\ntwo' }, 'Ran one'],
  [{ tool: 'edit', title: 'a.ts', meta: { change: 'changed', additions: 2, deletions: 1 } }, 'Edited a.ts, +2 −1'],
  [{ tool: 'write', title: 'a.ts', meta: { change: 'created', additions: 2, deletions: 0 } }, 'Created a.ts, +2 −0'],
  [{ tool: 'edit', title: 'a.ts', state: 'error' }, 'Edit a.ts, failed'],
  [{ tool: 'grep', title: 'TODO', meta: { matches: 1 } }, 'Searched TODO, 1 match'],
  [{ tool: 'glob', title: '**', meta: { matches: 200, truncated: true } }, 'Listed **, 200+ files'],
  [{ tool: 'read', title: 'a.ts', meta: { lines: 10, total: 90 } }, 'Read a.ts, 10 of 90 lines'],
  [{ tool: 'read', title: 'a.ts', meta: { lines: 1, total: 1 } }, 'Read a.ts, 1 line'],
  [{ tool: 'webfetch', state: 'running', input: { url: 'https://e.org/a' } }, 'Fetching https://e.org/a'],
  [
    { tool: 'webfetch', title: 'e.org/a', meta: { type: 'text/html', bytes: 12_345 } },
    'Fetched e.org/a, 12 kB text/html',
  ],
  [{ tool: 'lsp', title: 'hover User' }, 'Looked up hover User'],
  [
    { tool: 'lsp', title: 'a → b', meta: { path: 'x.ts', diff: '', additions: 2, deletions: 2, errorsAdded: 1 } },
    'Edited a → b, +2 −2, 1 new error',
  ],
  [
    {
      tool: 'question',
      title: 'Tool, Targets',
      input: { questions: [{ header: 'Tool' }, { header: 'Targets' }, { header: 'Note' }] },
      meta: { answers: [['npm'], ['Node', 'Workers'], []] },
    },
    'Asked Tool: npm, Targets: Node and Workers, Note: –',
  ],
  [{ tool: 'question', title: 'Tool', meta: { unanswered: true } }, 'Asked Tool, nobody answered'],
  [{ tool: 'other_tool', state: 'interrupted' }, 'other_tool, interrupted'],
])('%j', (more, expected) => expect(spokenLine(toolLine(part(more)))).toBe(expected));

test('a file can be opened once its name is complete', () => {
  expect(toolLine(part({ tool: 'read', title: 'src/a.ts' })).file).toBe('src/a.ts');
  expect(toolLine(part({ tool: 'read', title: 'src/', meta: { directory: true } })).file).toBeUndefined();
  expect(toolLine(part({ tool: 'bash', title: 'ls' })).file).toBeUndefined();
  expect(toolLine(part({ tool: 'edit', title: 'src/a', state: 'streaming-input' })).file).toBeUndefined();
});

test('durations', () => {
  expect([50, 400, 9_940, 12_300, 185_000].map(showDuration)).toEqual(['', '0.4 s', '9.9 s', '12 s', '3 min 5 s']);
});
