import { expect, test } from 'vitest';
import { plainOutput, plainOutputInSlices, styledOutput } from './terminal-text';

test('colours, links and control characters are dropped; a carriage return overwrites', () => {
  expect(plainOutput('\x1b[1;32m✓\x1b[0m ok\x1b]8;;http://x\x07link\x1b]8;;\x07\x07')).toBe('✓ oklink');
  expect(plainOutput('10%\r100%\nlong line\rshort\r\n')).toBe('100%\nshortline\n');
});

test('a line that is erased and written again is shown as it is at the end', () => {
  expect(plainOutput('installing left-pad\r\x1b[Kdone\n')).toBe('done\n');
  expect(plainOutput('⠋ waiting\x1b[2K\x1b[1G⠙ waiting more\x1b[2K\x1b[1G')).toBe('');
  expect(plainOutput('a\x1b[1G\x1b[0Kb')).toBe('b');
  // To the end of the line, from where nothing is.
  expect(plainOutput('kept\x1b[K\n')).toBe('kept\n');
});

test('what looks how', () => {
  expect(styledOutput('a \x1b[1;31mred\x1b[22m thin\x1b[0m b')).toEqual({
    text: 'a red thin b',
    runs: [
      { start: 2, end: 5, style: { bold: true, colour: 1 } },
      { start: 5, end: 10, style: { colour: 1 } },
    ],
  });
  const style = (codes: string) => styledOutput(`\x1b[${codes}mx`).runs[0]?.style;
  expect(style('92;44')).toEqual({ colour: 10, back: 4 });
  expect(style('38;5;208')).toEqual({ colour: '#ff8700' });
  expect(style('38;5;9;48;5;244')).toEqual({ colour: 9, back: '#808080' });
  expect(style('48;2;20;90;160;4')).toEqual({ back: '#145aa0', underline: true });
  expect(style('38;2;300;0;0')).toBeUndefined();
  expect(style('31;39')).toBeUndefined();
  expect(style('')).toBeUndefined();
});

test('a style goes on over lines and is overwritten with its text', () => {
  expect(styledOutput('\x1b[32mone\ntwo\x1b[0m\nthree')).toEqual({
    text: 'one\ntwo\nthree',
    runs: [
      { start: 0, end: 3, style: { colour: 2 } },
      { start: 4, end: 7, style: { colour: 2 } },
    ],
  });
  expect(styledOutput('\x1b[31mfailed\x1b[0m\r\x1b[32mok\x1b[0m').runs).toEqual([
    { start: 0, end: 2, style: { colour: 2 } },
    { start: 2, end: 6, style: { colour: 1 } },
  ]);
});

test('the text is that of plainOutput, whatever a program prints', () => {
  const pieces = [
    'a',
    'é',
    '😀',
    '\n',
    '\r',
    '\r\n',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b[2K',
    '\x1b[1G',
    '\x07',
    '\x1b',
    '[',
  ];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join('');
    const { text: styled, runs } = styledOutput(text);
    expect(styled).toBe(plainOutput(text));
    expect(
      runs.every(({ start, end }, at) => start < end && end <= styled.length && start >= (runs[at - 1]?.end ?? 0)),
    ).toBe(true);
  }
});

test('megabytes in slices are the same text', async () => {
  const pieces = [
    'line of a log ',
    '\n',
    '\r',
    '\r\n',
    '\x1b[31m',
    '\x1b[2K',
    '\x07',
    '\x1b',
    ']0;a\nb',
    '\x1b]8;;x\ny\x07',
    '\x1b\\',
  ];
  let seed = 11;
  for (let round = 0; round < 5; round++) {
    const text = Array.from({ length: 300_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return pieces[seed % pieces.length];
    }).join('');
    expect((await plainOutputInSlices(text)) === plainOutput(text)).toBe(true);
  }
  for (const whole of ['', '\n', 'x'.repeat(600_000), `${'x'.repeat(300_000)}\n`])
    expect((await plainOutputInSlices(whole)) === whole).toBe(true);
});

test('a line that is overwritten without end costs its length', () => {
  for (const back of ['\r', '\x1b[G', '\r\x1b[K', '\x1b[2K']) {
    const drawn = `${'a'.repeat(200_000)}${`${back}x`.repeat(200_000)}${back.repeat(200_000)}`;
    expect(styledOutput(drawn).text).toBe(plainOutput(drawn));
  }
});
