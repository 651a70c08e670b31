// The line discipline on a real terminal in shared memory; expectations are what Linux's N_TTY does.
import { describe, expect, it, vi } from 'vitest';
import { formatIpc, openIpc } from '../ipc/ipc';
import { EAGAIN } from '../memory/errno';
import { INITIAL_PAGES } from '../memory/layout';
import { FILE_TYPE } from '../tree/types';
import { createTty } from './tty';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function terminal() {
  const memory = new WebAssembly.Memory({ shared: true, initial: INITIAL_PAGES, maximum: 65536 });
  formatIpc(memory);
  const inodes = { retain() {}, release() {}, typeOf: () => FILE_TYPE.file, rdevOf: () => 0 };
  const ipc = openIpc(memory, inodes, 0, 1);
  const index = ipc.terminals.create(80, 24);
  const made = ipc.processes.allocate(-1);
  if (typeof made === 'number') throw new Error('no slot');
  ipc.tableOf(made.slot).openTerminal(index);
  const shared = ipc.terminals.open(index);
  shared.foregroundGroup = 42;
  const screen: string[] = [];
  const signals: [number, number][] = [];
  const events: string[] = [];
  const tty = createTty(
    shared,
    (bytes) => screen.push(decode(bytes)),
    (group, signal, mark) => {
      mark();
      signals.push([group, signal]);
      events.push('signal');
    },
    () => {
      events.push('mark');
      return () => events.push('discard');
    },
  );
  const read = (): string | number => {
    const target = new Uint8Array(70_000);
    const count = shared.input.read(target);
    return count < 0 ? count : decode(target.subarray(0, count));
  };
  return { tty, shared, signals, events, read, screen: () => screen.join('') };
}

describe('a program that changes the modes while keys come', () => {
  it.each([
    ['leaves', true],
    ['enters', false],
  ])('loses none of them and changes no order: it %s canonical mode', async (_, first) => {
    for (let turn = 1; turn < 8; turn++) {
      const { tty, shared, read } = terminal();
      let asked = 0;
      const modes = shared.modes;
      Object.defineProperty(shared, 'modes', {
        get: () => ({ ...modes, canonical: asked++ < turn ? first : !first }),
      });
      await tty.input(encode('fg\r'));
      await tty.input(encode('x\r'));
      const got = [read(), read(), read(), read()].filter((one) => one !== EAGAIN).join('');
      expect(got.replaceAll('\r', '\n'), `after ${turn} looks`).toBe('fg\nx\n');
    }
  });
});

it('keys typed in one moment are read and shown by the modes of one moment', async () => {
  const { tty, shared, screen, read } = terminal();
  const cooked = shared.modes;
  const raw = { canonical: false, echo: false, signals: false, returnsNewline: false };
  let asked = 0;
  // Once when the keys come; after that a program has set raw mode.
  Object.defineProperty(shared, 'modes', { get: () => (asked++ === 0 ? cooked : raw) });
  await tty.input(encode('ab\r'));
  expect([read(), screen()]).toEqual(['ab\n', 'ab\r\n']);
});

describe('canonical input', () => {
  it('arrives by the line and is echoed; Return is a newline', async () => {
    const { tty, read, screen } = terminal();
    await tty.input(encode('ab'));
    expect(read()).toBe(EAGAIN);
    await tty.input(encode('c\rnext\r'));
    expect(read()).toBe('abc\n');
    expect(read()).toBe('next\n');
    expect(screen()).toBe('abc\r\nnext\r\n');
  });

  it('is edited with backspace, ^W and ^U; a multi-byte letter goes as one', async () => {
    const { tty, read, screen } = terminal();
    await tty.input(encode('aů\x7f\x7fone two\x17\x17\x15x\r'));
    expect(read()).toBe('x\n');
    expect(screen().startsWith('aů\b \b\b \b')).toBe(true);
  });

  it('ends with ^D on an empty line only; after text it hands over the text', async () => {
    const { tty, read } = terminal();
    await tty.input(encode('half\x04'));
    expect(read()).toBe('half');
    expect(read()).toBe(EAGAIN);
    await tty.input(encode('\x04'));
    expect(read()).toBe('');
    expect(read()).toBe(EAGAIN);
  });

  it('takes ^V as: the next key means itself', async () => {
    const { tty, read, signals } = terminal();
    await tty.input(encode('\x16\x03\r'));
    expect(read()).toBe('\x03\n');
    expect(signals).toEqual([]);
  });

  it('throws the output away on a signal, once the signal is on its way', async () => {
    const { tty, events } = terminal();
    await tty.input(encode('\x03'));
    expect(events).toEqual(['mark', 'signal', 'discard']);
  });

  it('sees a signal key behind keys that nobody reads', async () => {
    const { tty, shared, signals, read } = terminal();
    for (let line = 0; line < 50; line++) void tty.input(encode(`${'x'.repeat(4000)}\r`));
    void tty.input(encode('\x03'));
    expect(signals).toEqual([[42, 2]]);
    expect(read()).toBe(EAGAIN);
    void tty.input(encode('after\r'));
    await shared.input.whenReadable();
    expect(read()).toBe('after\n');
  });

  it('takes no more than a person can type while nobody reads', async () => {
    const { tty, shared } = terminal();
    shared.setModes({ canonical: false });
    let isTaken = false;
    void tty.input(new Uint8Array(6 * 1024 * 1024).fill(97)).then(() => (isTaken = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    await tty.input(encode('\x03'));
  });

  it('sends ^C, ^Z and ^\\ as signals to the foreground group, shows them and drops the line', async () => {
    const { tty, read, signals, screen } = terminal();
    await tty.input(encode('abc\x03'));
    await tty.input(encode('\x1a\x1c'));
    await tty.input(encode('d\r'));
    expect(signals).toEqual([
      [42, 2],
      [42, 20],
      [42, 3],
    ]);
    expect(screen()).toBe('abc^C^Z^\\d\r\n');
    expect(read()).toBe('d\n');
  });

  it('is silent without echo', async () => {
    const { tty, shared, read, screen } = terminal();
    shared.setModes({ echo: false });
    await tty.input(encode('secret\r'));
    expect(read()).toBe('secret\n');
    expect(screen()).toBe('');
  });
});

describe('raw input', () => {
  it('still reads Return as a newline while ICRNL is on, and keeps what was typed before in front', async () => {
    const { tty, shared, read } = terminal();
    await tty.input(encode('early'));
    shared.setModes({ canonical: false });
    await tty.input(encode('k\r'));
    expect([read(), read()].join('')).toContain('earlyk\n');
  });

  it('passes every byte as it is', async () => {
    const { tty, shared, read, signals, screen } = terminal();
    shared.setModes({ canonical: false, echo: false, signals: false, returnsNewline: false });
    await tty.input(encode('a\x03\x04\r\x7f'));
    expect(read()).toBe('a\x03\x04\r\x7f');
    expect([signals, screen()]).toEqual([[], '']);
  });

  it('begins with what was typed but not entered', async () => {
    const { tty, shared, read } = terminal();
    await tty.input(encode('ahead'));
    shared.setModes({ canonical: false });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read()).toBe('ahead');
  });

  it('waits when the ring is full and loses nothing', async () => {
    const { tty, shared, read } = terminal();
    shared.setModes({ canonical: false, echo: false });
    const all = 'x'.repeat(100_000);
    const typed = tty.input(encode(all));
    let got = '';
    while (got.length < all.length) {
      const piece = read();
      if (typeof piece === 'string') got += piece;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await typed;
    expect(got).toBe(all);
  });
});

describe('output and size', () => {
  it('turns newlines into CR NL', () => {
    const { tty } = terminal();
    expect(decode(tty.processOutput(encode('a\nb\n')))).toBe('a\r\nb\r\n');
    expect(decode(tty.processOutput(encode('none')))).toBe('none');
  });

  it('tells the foreground group of a new size, once', () => {
    const { tty, shared, signals } = terminal();
    tty.resize(100, 30);
    tty.resize(100, 30);
    expect([shared.columns, shared.rows]).toEqual([100, 30]);
    expect(signals).toEqual([[42, 28]]);
  });
});

it('a long paste arrives whole when its reader makes room just after an attempt to write', async () => {
  const { tty, shared, read } = terminal();
  shared.setModes({ canonical: false });
  const write = shared.input.write.bind(shared.input);
  let arrived = '';
  vi.spyOn(shared.input, 'write').mockImplementation((bytes) => {
    const count = write(bytes);
    if (count === EAGAIN) arrived += read();
    return count;
  });
  const pasted = `${'x'.repeat(300_000)}q`;
  await tty.input(encode(pasted));
  await vi.waitFor(() => {
    for (let text = read(); typeof text === 'string'; text = read()) arrived += text;
    expect(arrived.length).toBe(pasted.length);
  });
  expect(arrived.endsWith('q')).toBe(true);
});
