// The variables that are computed on each read (RANDOM, LINENO, FUNCNAME …), and that know where their shell stands.
import type { Variables } from './variables';

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

/** Gives the computed variables this shell as their source. What a script has made its own stays as it is. */
export function bindDynamic(shell: Standing): void {
  const dynamic = (name: string, read: () => string) => {
    const known = shell.vars.own(name);
    if (known === undefined || known.dynamic) shell.vars.put(name, { value: '', dynamic: read });
  };
  dynamic('RANDOM', () => String(Math.floor(Math.random() * 32768)));
  dynamic('SRANDOM', () => String(Math.floor(Math.random() * 4294967296)));
  dynamic('SECONDS', () => String(Math.floor((Date.now() - shell.startedAt) / 1000)));
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
