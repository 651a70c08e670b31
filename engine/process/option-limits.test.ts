// Options that this sandbox cannot keep: none is swallowed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseCommandLine } from './command-line';
import { type Dump, DumpReader } from './dump';
import { valueProblem } from './option-limits';

const dump: Dump = JSON.parse(readFileSync(new URL('../generated/dump.json', import.meta.url), 'utf8'));
const parse = (words: string[], env = {}) => parseCommandLine(words, dump, new DumpReader(), env);

test('what promises something is refused by name', () => {
  expect(parse(['--cpu-prof', 'a.js']).problem).toBe('--cpu-prof: a browser gives a program no profile of itself');
  expect(parse(['--inspect=0', 'a.js']).problem).toMatch(/^--inspect: there is no inspector/);
  expect(parse(['a.js'], { NODE_OPTIONS: '--trace-exit' }).problem).toMatch(/^--trace-exit: /);
  expect(parse(['--no-trace-exit', 'a.js']).problem).toBeUndefined();
});

test('what only tunes is told of once, and the program runs', () => {
  const line = parse(['--max-old-space-size=64', '--max_old_space_size=128', '--expose-gc', 'a.js']);
  expect(line.problem).toBeUndefined();
  expect(line.rest).toEqual(['a.js']);
  expect(line.notes).toEqual([
    '--max-old-space-size has no effect in this sandbox: the browser decides the size of the heap',
    '--expose-gc has no effect in this sandbox: nobody can make a browser collect garbage, so there is no gc()',
  ]);
  expect(parse(['--title=x', 'a.js']).notes).toEqual([]);
});

test('wrong values and contradictions have node’s words', () => {
  expect(parse(['--title=', 'a.js']).problem).toBe('--title= requires an argument');
  expect(parse(['--check', '-e', '1']).problem).toBe('either --check or --eval can be used, not both');
  expect(valueProblem({ '--heap-prof-name': 'x' })).toBe('--heap-prof-name must be used with --heap-prof');
  expect(valueProblem({ '--unhandled-rejections': 'strict', '--test-isolation': 'none' })).toBeUndefined();
});
