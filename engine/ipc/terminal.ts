// Terminals in shared memory: size, modes, and a ring per direction. The line discipline itself runs in the kernel (engine/kernel/tty.ts);
// modes live here so that a process sets raw mode without a message and the kernel sees it at the next key.
import { EAGAIN } from '../memory/errno';
import { bumpActivity, type Party, passFence } from './party';
import { TERMINAL_BASE, TERMINAL_WORDS, TERMINALS } from './regions';
import type { Pipes, ProcessTable, Terminal, TerminalModes, Terminals } from './types';

const WORD = {
  references: 0,
  columns: 1,
  rows: 2,
  modes: 3,
  foregroundGroup: 4,
  session: 5,
  input: 6,
  output: 7,
  /** Bumped when a mode or the foreground group is set. */
  modesSignal: 8,
} as const;

const MODE = { canonical: 1, echo: 2, signals: 4, returnsNewline: 8 } as const;
const MODE_NAMES = ['canonical', 'echo', 'signals', 'returnsNewline'] as const;

class SharedTerminal implements Terminal {
  readonly index: number;
  readonly #party: Party;
  readonly #pipes: Pipes;
  readonly #base: number;

  constructor(party: Party, pipes: Pipes, index: number) {
    this.index = index;
    this.#party = party;
    this.#pipes = pipes;
    this.#base = TERMINAL_BASE + index * TERMINAL_WORDS;
  }

  #get(field: number): number {
    return Atomics.load(this.#party.words, this.#base + field);
  }

  #set(field: number, value: number): void {
    passFence(this.#party);
    Atomics.store(this.#party.words, this.#base + field, value);
  }

  get input() {
    return this.#pipes.open(this.#get(WORD.input));
  }

  get output() {
    return this.#pipes.open(this.#get(WORD.output));
  }

  get columns() {
    return this.#get(WORD.columns);
  }

  set columns(value: number) {
    this.#set(WORD.columns, value);
  }

  get rows() {
    return this.#get(WORD.rows);
  }

  set rows(value: number) {
    this.#set(WORD.rows, value);
  }

  get foregroundGroup() {
    return this.#get(WORD.foregroundGroup);
  }

  set foregroundGroup(value: number) {
    this.#set(WORD.foregroundGroup, value);
    this.#tellModes();
    bumpActivity(this.#party.words);
  }

  get session() {
    return this.#get(WORD.session);
  }

  set session(value: number) {
    this.#set(WORD.session, value);
  }

  get modes(): TerminalModes {
    const bits = this.#get(WORD.modes);
    return {
      canonical: (bits & MODE.canonical) !== 0,
      echo: (bits & MODE.echo) !== 0,
      signals: (bits & MODE.signals) !== 0,
      returnsNewline: (bits & MODE.returnsNewline) !== 0,
    };
  }

  setModes(changes: Partial<TerminalModes>): void {
    const { words } = this.#party;
    const at = this.#base + WORD.modes;
    let [on, off] = [0, 0];
    for (const name of MODE_NAMES) {
      if (changes[name] === true) on |= MODE[name];
      if (changes[name] === false) off |= MODE[name];
    }
    passFence(this.#party);
    if (changes.canonical === true) this.input.setLineMode(true);
    for (let seen = Atomics.load(words, at); ; ) {
      const found = Atomics.compareExchange(words, at, seen, (seen | on) & ~off);
      if (found === seen) break;
      seen = found;
    }
    if (changes.canonical === false) this.input.setLineMode(false);
    this.#tellModes();
  }

  #tellModes(): void {
    Atomics.add(this.#party.words, this.#base + WORD.modesSignal, 1);
    Atomics.notify(this.#party.words, this.#base + WORD.modesSignal);
  }

  changes(): number {
    return this.#get(WORD.modesSignal);
  }

  async whenModesChange(seen = this.changes()): Promise<void> {
    const wait = Atomics.waitAsync(this.#party.words, this.#base + WORD.modesSignal, seen);
    if (wait.async) await wait.value;
  }
}

/** Whether the process in `slot` stands in the background of the terminal, if that is its controlling one. Another session's terminal is anybody's, as on Linux. */
export function isInBackground(processes: ProcessTable, slot: number, terminal: Terminal): boolean {
  if (terminal.session === 0 || processes.sessionOf(slot) !== terminal.session) return false;
  const { foregroundGroup } = terminal;
  return foregroundGroup > 0 && processes.groupOf(slot) !== foregroundGroup;
}

/** All terminals, as one party sees them. */
export function openTerminals(party: Party, pipes: Pipes): Terminals {
  const { words } = party;
  const referenceWord = (index: number): number => TERMINAL_BASE + index * TERMINAL_WORDS + WORD.references;

  const create = (columns: number, rows: number): number => {
    for (let index = 0; index < TERMINALS; index++) {
      if (Atomics.compareExchange(words, referenceWord(index), 0, 1) !== 0) continue;
      const input = pipes.create(0, 1);
      const output = input < 0 ? input : pipes.create(1, 0);
      if (output < 0) {
        if (input >= 0) pipes.release(input, 'write');
        Atomics.store(words, referenceWord(index), 0);
        return EAGAIN;
      }
      const fields = { columns, rows, input, output, foregroundGroup: 0, session: 0, modes: 0 };
      for (const [name, value] of Object.entries(fields)) {
        Atomics.store(words, TERMINAL_BASE + index * TERMINAL_WORDS + WORD[name as keyof typeof fields], value);
      }
      const terminal = new SharedTerminal(party, pipes, index);
      terminal.setModes({ canonical: true, echo: true, signals: true, returnsNewline: true });
      return index;
    }
    return EAGAIN;
  };

  return {
    create,
    open: (index) => new SharedTerminal(party, pipes, index),
    retain: (index) => void Atomics.add(words, referenceWord(index), 1),
    release: (index) => void Atomics.sub(words, referenceWord(index), 1),
  };
}
