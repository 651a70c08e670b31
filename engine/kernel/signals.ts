// Linux's signal numbers and what each does to a process that does not handle it.

/** Number of each signal by name, as `os.constants.signals` on Linux x64. */
export const SIGNAL: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGCHLD: 17,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};

const NAMES = new Map(Object.entries(SIGNAL).map(([name, number]) => [number, name]));

/** `SIGTERM` for 15; `SIGRTMIN+n` names are not needed, so other numbers give `SIG<n>`. */
export function signalName(signal: number): string {
  return NAMES.get(signal) ?? `SIG${signal}`;
}

export type DefaultAction = 'terminate' | 'ignore' | 'stop' | 'continue';

/** What happens to a process without a handler (signal(7)). */
export function defaultAction(signal: number): DefaultAction {
  switch (signal) {
    case SIGNAL.SIGCHLD:
    case SIGNAL.SIGURG:
    case SIGNAL.SIGWINCH:
      return 'ignore';
    case SIGNAL.SIGSTOP:
    case SIGNAL.SIGTSTP:
    case SIGNAL.SIGTTIN:
    case SIGNAL.SIGTTOU:
      return 'stop';
    case SIGNAL.SIGCONT:
      return 'continue';
    default:
      return 'terminate';
  }
}
