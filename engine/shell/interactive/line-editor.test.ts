// Keys and the line that they leave, as bash 5.2 left it when it was driven in a terminal with the same keys.
import { expect, test } from 'vitest';
import { readCommandLine } from './line-editor';

const HISTORY = ['echo one two three', 'ls -l', 'echo four "five six"'];
const C = (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64);
const M = (letter: string) => `\x1b${letter}`;

async function edited(keys: string, initial = ''): Promise<string> {
  const bytes = [...Buffer.from(`${keys}\r`)];
  const result = await readCommandLine({
    prompt: '$ ',
    initial,
    history: HISTORY,
    memory: { kills: [], search: '' },
    complete: () => ({
      replaced: 'al',
      matches: ['alpha', 'alpine'].map((text) => ({ text, label: text, suffix: ' ' })),
    }),
    next: async () => bytes.shift() ?? -1,
    canvas: { size: () => ({ columns: 80, rows: 24 }), write() {} },
    onRedraw() {},
  });
  return result.kind === 'line' ? result.text : result.kind;
}

test.each([
  [`hello world${M('-')}${M('u')}`, 'hello WORLD'],
  [`foo bar${M('-')}${M('c')}x`, 'foo Barx'],
  [`hello world${M('-')}${M('d')}`, 'hello '],
  [`${M('1')}0x`, 'xxxxxxxxxx'],
  [`abc def${C('w')}${C('x')}${C('u')}`, 'abc def'],
  [`hello world${M('b')}${C('x')}${C('x')}a`, 'ahello world'],
  [`x ${M('1')}${M('.')}`, 'x four'],
  [`x ${M('.')}`, 'x "five six"'],
  [`x ${M('.')}${M('.')}`, 'x -l'],
  [`hello world${C('a')}\x1doX`, 'hellXo world'],
  [`hello world\x1b\x1doX`, 'hello wXorld'],
  [`a${C('v')}\x1b[A`, 'a\x1b[A'],
  [`a${C('v')}\tb`, 'a\tb'],
  ['echo\x1b[5~\x1b[5~', 'echo one two three'],
  [`!-3:$${M('^')}`, 'three'],
  [`echo al${M('*')}`, 'echo alpha alpine '],
  [`echo al\t`, 'echo alp'],
  [`one two three${M('b')}${C('k')}${C('a')}${C('y')}`, 'threeone two '],
  [`ehco${C('a')}${C('f')}${C('f')}${C('t')}`, 'echo'],
])('%j', async (keys, line) => {
  expect(await edited(keys)).toBe(line);
});

test('a line may begin with a text', async () => {
  expect(await edited('fix', 'pre')).toBe('prefix');
});
