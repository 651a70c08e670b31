// The editor of sed: runs a script over lines.
import fs from 'node:fs';
import { encodeText } from '../io/text';
import type { Address, SedCommand } from './sed-script';
import { complain, fileError, openInput, readText, resolvePath, type Tool } from './tool';

interface State {
  space: string;
  hold: string;
  line: number;
  appended: string[];
  replaced: boolean;
  out: (text: string) => void | Promise<void>;
  /** Whether the pattern space, and the hold space, came with a newline. */
  ended: boolean;
  holdEnded: boolean;
  /** The last output had none: the next one starts with it. */
  owes: boolean;
  file: string;
  quit: number | undefined;
}

export class Editor {
  readonly #tool: Tool;
  readonly #commands: SedCommand[];
  readonly #quiet: boolean;
  readonly #end: string;
  readonly #labels = new Map<string, number>();
  readonly #active = new Set<Address>();
  /** Ranges from a number that have begun. */
  readonly #begun = new Set<Address>();
  readonly #until = new Map<Address, number>();
  readonly #files = new Map<string, string>();

  constructor(tool: Tool, commands: SedCommand[], quiet: boolean, end: string) {
    this.#tool = tool;
    this.#commands = commands;
    this.#quiet = quiet;
    this.#end = end;
    for (const [position, command] of commands.entries())
      if (command.name === ':') this.#labels.set(command.text, position);
  }

  async run(names: string[], separate: boolean, out: State['out']): Promise<number> {
    const failed = { status: 0 };
    const lines = this.#lines(names, failed);
    const state: State = {
      space: '',
      hold: '',
      line: 0,
      appended: [],
      replaced: false,
      out,
      ended: true,
      holdEnded: true,
      owes: false,
      file: '-',
      quit: undefined,
    };
    let next = await lines.next();
    const advance = async (): Promise<boolean> => {
      if (next.done) return false;
      state.space = next.value.text;
      state.ended = next.value.ended;
      state.file = next.value.file;
      state.line++;
      if (separate && next.value.first) {
        state.line = 1;
        this.#begun.clear();
      }
      next = await lines.next();
      return true;
    };
    while (await advance()) {
      let restart = true;
      while (restart)
        restart = await this.#cycle(state, () => next.done === true || (separate && next.value.first), advance);
      if (state.quit !== undefined) break;
    }
    await lines.return(undefined);
    for (const [name, text] of this.#files)
      if (name !== '/dev/stdout') fs.writeFileSync(resolvePath(this.#tool, name), encodeText(text));
    return state.quit || failed.status;
  }

  async *#lines(
    names: string[],
    failed: { status: number },
  ): AsyncGenerator<{ text: string; ended: boolean; first: boolean; file: string }> {
    for (const [position, name] of names.entries()) {
      let opened: ReturnType<typeof openInput>;
      try {
        opened = openInput(this.#tool, name);
      } catch (error) {
        await complain(
          this.#tool,
          (error as NodeJS.ErrnoException).code === 'EISDIR'
            ? `couldn't read ${name}: Is a directory`.replace("couldn't read", 'read error on')
            : `can't read ${fileError(name, error)}`,
        );
        failed.status = 2;
        continue;
      }
      let first = true;
      try {
        for await (const { lines, ended } of opened.input.batches(this.#end)) {
          for (const text of lines) {
            // Only the very last line can be without a newline.
            yield { text, ended: ended || position < names.length - 1, first, file: name };
            first = false;
          }
        }
      } finally {
        opened.close();
      }
    }
  }

  async #print(state: State, text: string, ended = true): Promise<void> {
    await state.out((state.owes ? this.#end : '') + text + (ended ? this.#end : ''));
    state.owes = !ended;
  }

  /** What is no line of the input: it ends as it says. */
  async #insert(state: State, text: string): Promise<void> {
    if (text === '') return;
    await state.out((state.owes ? this.#end : '') + text);
    state.owes = false;
  }

  async #appended(state: State): Promise<void> {
    for (const text of state.appended.splice(0)) await this.#insert(state, text);
  }

  async #finish(state: State): Promise<void> {
    if (!this.#quiet) await this.#print(state, state.space, state.ended);
    await this.#appended(state);
  }

  /** One run of the script. True: run it again without reading a line (`D`). */
  async #cycle(state: State, last: () => boolean, advance: () => Promise<boolean>): Promise<boolean> {
    const tool = this.#tool;
    for (let at = 0; at < this.#commands.length; at++) {
      const command = this.#commands[at]!;
      if (!this.#selects(command, state, last)) {
        if (command.name === '{') at = command.target;
        continue;
      }
      switch (command.name) {
        case 'a':
          state.appended.push(`${command.text}\n`);
          break;
        case 'i':
          await this.#insert(state, `${command.text}\n`);
          break;
        case 'c':
          if (!command.to || command.negated || !this.#active.has(command.from!))
            await this.#insert(state, `${command.text}\n`);
          return this.#drop(state);
        case 'd':
          return this.#drop(state);
        case 'D': {
          const end = state.space.indexOf(this.#end);
          if (end < 0) return this.#drop(state);
          state.space = state.space.slice(end + 1);
          await this.#appended(state);
          return true;
        }
        case 'p':
          await this.#print(state, state.space, state.ended);
          break;
        case 'P':
          if (state.space.includes(this.#end)) await this.#print(state, state.space.split(this.#end)[0]!);
          else await this.#print(state, state.space, state.ended);
          break;
        case 'l':
          await this.#insert(state, visible(state.space) + this.#end);
          break;
        case '=':
          await this.#insert(state, state.line + this.#end);
          break;
        case 'n':
          if (last()) {
            await this.#finish(state);
            state.quit = 0;
            return false;
          }
          await this.#finish(state);
          await advance();
          break;
        case 'N': {
          if (last()) {
            await this.#finish(state);
            state.quit = 0;
            return false;
          }
          const before = state.space;
          await this.#appended(state);
          await advance();
          state.space = before + this.#end + state.space;
          break;
        }
        case 'g':
          state.space = state.hold;
          state.ended = state.holdEnded;
          break;
        case 'G':
          state.space += this.#end + state.hold;
          state.ended = state.holdEnded;
          break;
        case 'h':
          state.hold = state.space;
          state.holdEnded = state.ended;
          break;
        case 'H':
          state.hold += this.#end + state.space;
          state.holdEnded = state.ended;
          break;
        case 'x':
          [state.space, state.hold] = [state.hold, state.space];
          [state.ended, state.holdEnded] = [state.holdEnded, state.ended];
          break;
        case 'q':
          await this.#finish(state);
          state.quit = command.number;
          return false;
        case 'Q':
          state.quit = command.number;
          return false;
        case 'r':
          try {
            state.appended.push(await readText(tool, command.text));
          } catch {
            // GNU sed ignores a file that it cannot read.
          }
          break;
        case 'w':
          await this.#save(state, command.text, state.space);
          break;
        case 's':
          await this.#substitute(state, command);
          break;
        case 'y':
          state.space = [...state.space].map((character) => command.map.get(character) ?? character).join('');
          break;
        case 'b':
          at = this.#jump(command.text);
          break;
        case 't':
          if (state.replaced) {
            state.replaced = false;
            at = this.#jump(command.text);
          }
          break;
        case 'T':
          if (!state.replaced) at = this.#jump(command.text);
          state.replaced = false;
          break;
        case 'F':
          await this.#insert(state, `${state.file}\n`);
          break;
        case 'z':
          state.space = '';
          break;
      }
    }
    await this.#finish(state);
    state.replaced = false;
    return false;
  }

  async #drop(state: State): Promise<boolean> {
    await this.#appended(state);
    state.replaced = false;
    return false;
  }

  #jump(label: string): number {
    return label === '' ? this.#commands.length : this.#labels.get(label)!;
  }

  async #save(state: State, name: string, text: string): Promise<void> {
    const end = state.ended ? this.#end : '';
    if (name === '/dev/stdout') return state.out(text + end);
    if (name === '/dev/stderr') return this.#tool.stderr.write(text + end);
    const before = this.#files.get(name) ?? '';
    this.#files.set(name, before + (before === '' || before.endsWith(this.#end) ? '' : this.#end) + text + end);
  }

  async #substitute(state: State, command: SedCommand): Promise<void> {
    const { regex, replacement, flags } = command;
    let count = 0;
    let changed = false;
    regex!.lastIndex = 0;
    let end = -1;
    const result = state.space.replace(regex!, (...args) => {
      const at = args.find((part) => typeof part === 'number') as number;
      // Nothing is matched where a match has just ended.
      if (args[0] === '' && at === end) return '';
      end = at + (args[0] as string).length;
      count++;
      const groups = args.filter((part) => typeof part !== 'number' && typeof part !== 'object');
      if (flags.nth > count || (!flags.global && flags.nth !== count)) return args[0];
      changed = true;
      return replacement!(groups.slice(0, -1) as string[], args);
    });
    if (!changed) return;
    state.space = result;
    state.replaced = true;
    if (flags.print) await this.#print(state, state.space, state.ended);
    if (flags.file !== undefined) await this.#save(state, flags.file, state.space);
  }

  #selects(command: SedCommand, state: State, last: () => boolean): boolean {
    if (!command.from) return command.name !== '}' && command.name !== ':';
    return this.#inRange(command, state, last) !== command.negated;
  }

  #inRange({ from, to }: SedCommand, state: State, last: () => boolean): boolean {
    if (!to) return this.#matches(from!, state, last);
    if (this.#active.has(from!)) {
      const until = this.#until.get(from!);
      if (
        until !== undefined
          ? state.line >= until
          : to.kind === 'line'
            ? state.line >= to.line
            : this.#matches(to, state, last)
      ) {
        this.#active.delete(from!);
        if (until !== undefined ? state.line > until : to.kind === 'line' && state.line > to.line)
          return this.#inRange({ from, to } as SedCommand, state, last);
      }
      return true;
    }
    if (from!.kind === 'line') {
      // A range that begins with a number begins once, at that line or the first after it that gets here.
      const late = to.kind === 'line' ? Math.max(from!.line, to.line) : Number.POSITIVE_INFINITY;
      if (state.line < from!.line || state.line > late || this.#begun.has(from!)) return false;
      if (state.line > from!.line && from!.line > 0 && (to.kind === 'plus' || to.kind === 'multiple')) return false;
      this.#begun.add(from!);
    } else if (!this.#matches(from!, state, last)) return false;
    if (to.kind === 'plus') this.#until.set(from!, state.line + to.line);
    else if (to.kind === 'multiple')
      this.#until.set(from!, to.line === 0 ? state.line : Math.ceil(state.line / to.line) * to.line);
    const zero = from!.kind === 'line' && from!.line === 0;
    const over =
      to.kind === 'line'
        ? to.line <= state.line
        : to.kind === 'plus'
          ? to.line === 0
          : to.kind === 'multiple'
            ? this.#until.get(from!)! <= state.line
            : to.kind === 'last'
              ? last()
              : zero && this.#matches(to, state, last);
    if (!over) this.#active.add(from!);
    return true;
  }

  #matches(address: Address, state: State, last: () => boolean): boolean {
    switch (address.kind) {
      case 'line':
        return state.line === address.line;
      case 'last':
        return last();
      case 'step':
        return address.step === 0
          ? state.line === address.line
          : state.line >= address.line && (state.line - address.line) % address.step === 0;
      case 'regex':
        address.regex!.lastIndex = 0;
        return address.regex!.test(state.space);
      default:
        return false;
    }
  }
}

function visible(text: string): string {
  const names: Record<string, string> = {
    '\\': '\\\\',
    '\n': '\\n',
    '\t': '\\t',
    '\r': '\\r',
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\v': '\\v',
  };
  return `${[...encodeText(text)].map((byte) => names[String.fromCharCode(byte)] ?? (byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte))).join('')}$`;
}
