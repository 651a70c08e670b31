// The two names of an argument: what a hook changes under either of them counts, and none is left behind.
import { expect, test } from 'vitest';
import { withOpencodeNames, withoutOpencodeNames } from './opencode-arguments';

test.each<[string, string, Record<string, unknown>, (args: Record<string, unknown>) => unknown, unknown]>([
  ['nothing changed', 'read', { path: 'a' }, (args) => args, { path: 'a' }],
  ['theirs changed', 'read', { path: 'a' }, (args) => ({ ...args, filePath: 'b' }), { path: 'b' }],
  ['ours changed', 'read', { path: 'a' }, (args) => ({ ...args, path: 'b' }), { path: 'b' }],
  [
    'only theirs given back',
    'edit',
    { path: 'a' },
    () => ({ filePath: 'a', oldString: 'x' }),
    { oldString: 'x', path: 'a' },
  ],
  [
    'an argument that was not there',
    'bash',
    { command: 'ls' },
    (args) => ({ ...args, timeout: 5 }),
    { command: 'ls', timeoutMs: 5 },
  ],
  ['another tool', 'math_add', { filePath: 'a' }, (args) => args, { filePath: 'a' }],
  ['no object at all', 'read', { path: 'a' }, () => 3, 3],
])('%s', (_name, tool, args, change, expected) => {
  const given = withOpencodeNames(tool, args) as Record<string, unknown>;
  expect(withoutOpencodeNames(tool, args, change(given))).toEqual(expected);
});
