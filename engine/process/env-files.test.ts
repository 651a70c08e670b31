// --env-file on the command line.
import { expect, test } from 'vitest';
import { parseDotenv } from '../bindings/dotenv';
import { readEnvFiles } from './env-files';

const FILES: Record<string, string> = { 'a.env': 'A=1\nB=1', 'b.env': 'B=2 # two' };
const read = (...words: string[]) => readEnvFiles(words, (path) => FILES[path], parseDotenv);

test('a later file wins, in both ways of writing the option', () => {
  const { variables, problem, notes } = read('--env-file=a.env', '--no-warnings', '--env-file', 'b.env');
  expect(Object.fromEntries(variables)).toEqual({ A: '1', B: '2' });
  expect([problem, notes]).toEqual([undefined, []]);
});

test('a file that is not there is a problem, an optional one a note', () => {
  expect(read('--env-file=c.env').problem).toBe('c.env: not found');
  const optional = read('--env-file-if-exists=c.env', '--env-file', 'a.env');
  expect([optional.problem, optional.notes]).toEqual([undefined, ['c.env not found. Continuing without it.']]);
  expect(optional.variables.get('A')).toBe('1');
});
