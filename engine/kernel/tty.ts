// The line discipline between the page's keyboard and screen and a terminal in shared memory: Linux's N_TTY as far as programs notice.
// Modes are read at every key; OPOST/ONLCR is always on, as libuv's raw mode has it.

import type { Terminal } from '../ipc/types';
import { EAGAIN } from '../memory/errno';
import { SIGNAL } from './signals';

const KEY = {
  eof: 4,
  backspace: 8,
  tab: 9,
  newline: 10,
  return: 13,
  kill: 21,
  next: 22,
  word: 23,
  delete: 127,
} as const;
const SIGNAL_KEYS: Readonly<Record<number, number>> = { 3: SIGNAL.SIGINT, 26: SIGNAL.SIGTSTP, 28: SIGNAL.SIGQUIT };
/** MAX_CANON: a longer line is cut, with a bell. */
const MAX_LINE = 4096;
const BELL = 7;
/** So much may wait for a program that does not read: a signal key behind it must still be seen. */
const MOST_WAITING = 4 * 1024 * 1024;

export interface Tty {
  /** Keys from the page, taken before the call returns. The promise resolves when more may come: what no program reads waits here, and as much of it as a person can type holds nothing up. */
  input(bytes: Uint8Array): Promise<void>;
  /** What the screen must get for bytes that a program has written. */
  processOutput(bytes: Uint8Array): Uint8Array;
  resize(columns: number, rows: number): void;
  dispose(): void;
}

/** Drives `terminal`: `echo` gets bytes for the screen, `signalGroup` the keyboard's signals: it calls `mark` when nobody writes any more who will not hear
 * of it first; `markOutput` notes what programs have written and the screen has not got; what it returns throws that away. */
export function createTty(
  terminal: Terminal,
  echo: (bytes: Uint8Array) => void,
  signalGroup: (group: number, signal: number, mark: () => void) => void,
  markOutput: () => () => void,
): Tty {
  let line: number[] = [];
  let literalNext = false;
  let backlog: Uint8Array[] = [];
  let drained: Promise<void> = Promise.resolve();
  let isDraining = false;
  let shown: number[] = [];
  /** Of the moment in which the present keys came. */
  let modes = terminal.modes;
  let disposed = false;

  const drain = async (): Promise<void> => {
    while (backlog.length > 0 && !disposed) {
      const count = terminal.input.write(backlog[0]);
      if (count >= 0) {
        if (count === backlog[0].length) backlog.shift();
        else backlog[0] = backlog[0].subarray(count);
      } else if (count === EAGAIN) await terminal.input.whenWritable();
      // Nobody reads it any more. (Whether it can be written to says nothing: since the attempt a reader may have made room.)
      else backlog = [];
    }
    isDraining = false;
  };

  const deliver = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    backlog.push(bytes);
    if (isDraining) return;
    isDraining = true;
    drained = drain();
  };

  const flushLine = (): void => {
    deliver(Uint8Array.from(line));
    line = [];
  };

  const echoed = (byte: number): number[] => {
    if (byte === KEY.newline) return [KEY.return, KEY.newline];
    if (byte === KEY.tab) return [byte];
    if (byte < 32) return [0x5e, byte + 64];
    if (byte === KEY.delete) return [0x5e, 0x3f];
    return [byte];
  };

  const show = (bytes: number[]): void => {
    if (modes.echo) for (const byte of bytes) shown.push(byte);
  };

  /** One message per input, not one per key; and a multi-byte letter stays whole. */
  const flushShown = (): void => {
    if (shown.length === 0) return;
    echo(Uint8Array.from(shown));
    shown = [];
  };

  /** Removes the last character and returns what wipes it off the screen. */
  const erase = (): number[] => {
    let byte = line.pop();
    while (byte !== undefined && (byte & 0xc0) === 0x80) byte = line.pop();
    if (byte === undefined) return [];
    const wipe = [KEY.backspace, 32, KEY.backspace];
    return byte < 32 || byte === KEY.delete ? [...wipe, ...wipe] : wipe;
  };

  const eraseWord = (): number[] => {
    const wiped: number[] = [];
    while (line.at(-1) === 32) wiped.push(...erase());
    while (line.length > 0 && line.at(-1) !== 32) wiped.push(...erase());
    return wiped;
  };

  const addToLine = (byte: number): void => {
    if (line.length >= MAX_LINE) {
      show([BELL]);
      return;
    }
    line.push(byte);
    show(echoed(byte));
  };

  const canonicalKey = (byte: number): void => {
    if (literalNext) {
      literalNext = false;
      addToLine(byte);
      return;
    }
    switch (byte) {
      case KEY.return:
      case KEY.newline:
        line.push(KEY.newline);
        show(echoed(KEY.newline));
        flushLine();
        return;
      case KEY.eof:
        if (line.length > 0) {
          flushLine();
          return;
        }
        if (isDraining) void drained.then(() => terminal.input.markEof());
        else terminal.input.markEof();
        return;
      case KEY.delete:
      case KEY.backspace:
        show(erase());
        return;
      case KEY.word:
        show(eraseWord());
        return;
      case KEY.kill: {
        const wiped: number[] = [];
        while (line.length > 0) wiped.push(...erase());
        show(wiped);
        return;
      }
      case KEY.next:
        literalNext = true;
        return;
      default:
        addToLine(byte);
        return;
    }
  };

  const signalKey = (byte: number): boolean => {
    const signal = SIGNAL_KEYS[byte];
    if (signal === undefined || literalNext) return false;
    line = [];
    backlog = [];
    terminal.input.discard();
    show(echoed(byte));
    flushShown();
    // Whoever waits for room must hear of the signal before it hears of the room; what it writes then must stay.
    let discardOutput = (): void => {};
    const mark = (): void => {
      discardOutput = markOutput();
    };
    if (terminal.foregroundGroup > 0) signalGroup(terminal.foregroundGroup, signal, mark);
    else mark();
    discardOutput();
    return true;
  };

  const watchModes = async (): Promise<void> => {
    while (!disposed) {
      await terminal.whenModesChange();
      // What was typed but not entered becomes readable when a program leaves canonical mode.
      if (!disposed && !terminal.modes.canonical && line.length > 0) flushLine();
    }
  };
  void watchModes();

  return {
    async input(bytes) {
      // Other workers set the modes at any moment. Those of this moment hold for all that was typed until now, or its order would be lost.
      modes = terminal.modes;
      const { canonical, signals, echo: echoes, returnsNewline } = modes;
      // A program may have left canonical mode a moment ago: what was typed before stays before.
      if (!canonical && line.length > 0) flushLine();
      let rawFrom = 0;
      const flushRaw = (to: number): void => {
        const raw = bytes.slice(rawFrom, to);
        if (returnsNewline)
          raw.forEach((byte, at) => {
            if (byte === KEY.return) raw[at] = KEY.newline;
          });
        if (echoes) show([...raw].flatMap(echoed));
        deliver(raw);
      };
      for (let i = 0; i < bytes.length; i++) {
        if (canonical) {
          if (!(signals && signalKey(bytes[i]))) canonicalKey(bytes[i]);
          rawFrom = i + 1;
        } else if (signals && SIGNAL_KEYS[bytes[i]] !== undefined) {
          flushRaw(i);
          signalKey(bytes[i]);
          rawFrom = i + 1;
        }
      }
      if (rawFrom < bytes.length) flushRaw(bytes.length);
      flushShown();
      if (backlog.reduce((sum, { length }) => sum + length, 0) > MOST_WAITING) await drained;
    },
    processOutput(bytes) {
      let newlines = 0;
      for (const byte of bytes) if (byte === KEY.newline) newlines++;
      if (newlines === 0) return bytes;
      const out = new Uint8Array(bytes.length + newlines);
      let at = 0;
      for (const byte of bytes) {
        if (byte === KEY.newline) out[at++] = KEY.return;
        out[at++] = byte;
      }
      return out;
    },
    resize(columns, rows) {
      if (terminal.columns === columns && terminal.rows === rows) return;
      terminal.columns = columns;
      terminal.rows = rows;
      if (terminal.foregroundGroup > 0) signalGroup(terminal.foregroundGroup, SIGNAL.SIGWINCH, () => {});
    },
    dispose() {
      disposed = true;
    },
  };
}
