// The variables that are computed on each read (RANDOM, LINENO, FUNCNAME …), and that know where their shell stands.
import type { Variable, Variables } from './variables';

/** What they read of their shell. */
interface Standing {
  vars: Variables;
  options: object;
  shopts: ReadonlySet<string>;
  startedAt: number;
  pid: number;
  level: number;
  trapped: string | undefined;
  commandText: string;
  lastArgument: string;
  fromCommand: boolean;
  script: string;
  callStack: readonly { name: string; source: string; line: number }[];
  line(): number;
}

/** Gives the computed variables this shell as their source. What a script has unset or made its own stays as it is in a subshell. */
export function bindDynamic(shell: Standing, isSubshell = false): void {
  const dynamic = (name: string, read: () => string, write?: (text: string) => void) => {
    const known = shell.vars.own(name);
    if (!(known?.dynamic || (known === undefined && !isSubshell))) return;
    const variable: Variable = { ...known, value: '', dynamic: read };
    if (write) Object.assign(variable, { write, integer: true });
    shell.vars.put(name, variable);
  };
  const random = new RandomNumbers();
  dynamic(
    'RANDOM',
    () => String(random.next()),
    (text) => random.seed(Number(text)),
  );
  dynamic('SRANDOM', () => String(Math.floor(Math.random() * 4294967296)));
  dynamic(
    'SECONDS',
    () => String(Math.floor((Date.now() - shell.startedAt) / 1000)),
    (text) => {
      shell.startedAt = Date.now() - Number(text) * 1000;
    },
  );
  dynamic('EPOCHSECONDS', () => String(Math.floor(Date.now() / 1000)));
  dynamic('EPOCHREALTIME', () => (Date.now() / 1000).toFixed(6));
  dynamic('LINENO', () => String(shell.line()));
  dynamic('BASHPID', () => String(shell.pid + shell.level));
  dynamic('BASH_SUBSHELL', () => String(shell.level));
  dynamic('BASH_COMMAND', () => shell.trapped ?? shell.commandText);
  dynamic('_', () => shell.lastArgument);
  for (const [name, read] of [
    ['SHELLOPTS', () => optionNames(shell)],
    ['BASHOPTS', () => [...shell.shopts].sort()],
  ] as const)
    shell.vars.put(name, { value: '', readonly: true, dynamic: () => read().join(':') });
  const list = (name: string, read: () => string[]) =>
    shell.vars.put(name, {
      get value() {
        return new Map(read().map((text, position): [number, string] => [position, text]));
      },
      // They say where the shell is, whatever a script assigns.
      set value(_) {},
    });
  const frames = () => [...shell.callStack].reverse();
  const inScript = !shell.fromCommand;
  list('FUNCNAME', () =>
    shell.callStack.some((frame) => frame.name !== 'source')
      ? [...frames().map((frame) => frame.name), ...(inScript ? ['main'] : [])]
      : [],
  );
  list('BASH_LINENO', () => [...frames().map((frame) => String(frame.line)), ...(inScript ? ['0'] : [])]);
  list('BASH_SOURCE', () => [...frames().map((frame) => frame.source), ...(inScript ? [shell.script] : [])]);
}

function optionNames(shell: Standing): string[] {
  const names = Object.entries(shell.options).filter(([, on]) => on);
  return [...names.map(([name]) => name), 'interactive-comments'].sort();
}

/** The numbers of `$RANDOM`: Park and Miller's generator with bash 5.2's mixing, so that a seed gives the sequence that it gives there. */
class RandomNumbers {
  #state = Math.floor(Math.random() * 4294967296);
  #last = 0;

  seed(value: number): void {
    this.#state = value >>> 0;
    this.#last = 0;
  }

  /** From 0 to 32767; never the same twice in a row. */
  next(): number {
    let value: number;
    do {
      const from = this.#state === 0 ? 123459876 : this.#state;
      const high = Math.floor(from / 127773);
      const step = (Math.imul(16807, from - 127773 * high) - Math.imul(2836, high)) | 0;
      this.#state = (step < 0 ? step + 0x7fffffff : step) >>> 0;
      value = ((this.#state >>> 16) ^ (this.#state & 65535)) & 32767;
    } while (value === this.#last);
    this.#last = value;
    return value;
  }
}
