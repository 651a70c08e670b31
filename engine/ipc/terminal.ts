// Terminals in shared memory: size, modes, and a ring per direction. The line discipline itself runs in the kernel (engine/kernel/tty.ts);
// modes live here so that a process sets raw mode without a message and the kernel sees it at the next key.
import { EAGAIN } from '../memory/errno';
import { bumpActivity, type Party, passFence } from './party';
import { TERMINAL_BASE, TERMINAL_WORDS, TERMINALS } from './regions';
import type { Pipes, Terminal, Terminals } from './types';

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

  get canonical() {
    return (this.#get(WORD.modes) & MODE.canonical) !== 0;
  }

  set canonical(on: boolean) {
    this.#setMode(MODE.canonical, on);
    this.input.setLineMode(on);
  }

  get echo() {
    return (this.#get(WORD.modes) & MODE.echo) !== 0;
  }

  set echo(on: boolean) {
    this.#setMode(MODE.echo, on);
  }

  get signals() {
    return (this.#get(WORD.modes) & MODE.signals) !== 0;
  }

  set signals(on: boolean) {
    this.#setMode(MODE.signals, on);
  }

  get returnsNewline() {
    return (this.#get(WORD.modes) & MODE.returnsNewline) !== 0;
  }

  set returnsNewline(on: boolean) {
    this.#setMode(MODE.returnsNewline, on);
  }

  #setMode(mode: number, on: boolean): void {
    const { words } = this.#party;
    passFence(this.#party);
    if (on) Atomics.or(words, this.#base + WORD.modes, mode);
    else Atomics.and(words, this.#base + WORD.modes, ~mode);
    this.#tellModes();
  }

  #tellModes(): void {
    Atomics.add(this.#party.words, this.#base + WORD.modesSignal, 1);
    Atomics.notify(this.#party.words, this.#base + WORD.modesSignal);
  }

  async whenModesChange(): Promise<void> {
    const wait = Atomics.waitAsync(this.#party.words, this.#base + WORD.modesSignal, this.#get(WORD.modesSignal));
    if (wait.async) await wait.value;
  }
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
      terminal.canonical = true;
      terminal.echo = true;
      terminal.signals = true;
      terminal.returnsNewline = true;
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
