// The shell's operating-system port: the few calls that Node's own API does not have (pipes, non-blocking reads, job ids,
// process groups). In the engine `internalBinding('cloche')` supplies them; `native-os.ts` emulates them on a real Node.

import type { TerminalModes } from '../ipc/types';

/** Returned by tryRead and tryWrite when the call would have to wait. */
export const WOULD_BLOCK = -11;

/** One process as `ps` and `jobs` show it. */
export interface ProcessRow {
  pid: number;
  ppid: number;
  command: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  state: string;
}

export const COOKED: TerminalModes = { canonical: true, echo: true, signals: true, returnsNewline: true };
export const RAW: TerminalModes = { canonical: false, echo: false, signals: false, returnsNewline: false };

/** What the shell needs beyond Node's API. Descriptors are numbers of this process. */
export interface Os {
  /** A new pipe as [read end, write end]. */
  pipe(): [number, number];
  /** Reads at most bytes.length bytes without waiting: a count, 0 at end-of-file, WOULD_BLOCK; throws Node's errors. */
  tryRead(fd: number, bytes: Uint8Array): number;
  /** Writes without waiting: a count or WOULD_BLOCK; throws Node's errors, EPIPE when nobody reads. */
  tryWrite(fd: number, bytes: Uint8Array): number;
  /** Calls back once when the descriptor may be ready for reading or writing; returns how to stop waiting. */
  wait(fd: number, direction: 'read' | 'write', callback: () => void): () => void;
  /** A descriptor to hand to a child for `fd`, and how to let go of it after the spawn. */
  childDescriptor(fd: number): { fd: number; release(): void };
  /** A process id for a job that runs inside the shell's own process; the list shows it with `words`, or else with those of the shell `shell`. */
  allocateJob(words: string | undefined, shell: number): number;
  /** The job `pid` has ended with an exit code or a signal name. */
  endJob(pid: number, code: number, signal: string | undefined): void;
  /** The program is over with this status, and its jobs go on in a process of their own; false where they can't. */
  leave(status: number): boolean;
  /** Ends the process with this status and leaves its worker to the next program; false where something of this one is left in it. */
  retire(status: number): boolean;
  /** Signals sent from outside to jobs of allocateJob. This and onChildState return how to stop listening. */
  onJobSignal(listener: (pid: number, signal: NodeJS.Signals) => void): () => void;
  /** Moves a child into a process group of its own (`group` = pid) or back into the shell's (`group` = 0). */
  setGroup(pid: number, group: number): void;
  /** Gives the keyboard's signals to a process group; 0 is the shell's own. */
  setForeground(fd: number, group: number): void;
  /** Lets a stopped process group go on; calls back when the system has done so: what it says of earlier stops comes before that. */
  continueGroup(group: number, done: () => void): void;
  /** A child was stopped by a signal, or goes on. */
  onChildState(listener: (pid: number, state: 'stopped' | 'running') => void): () => void;
  /** Columns and rows of the terminal behind `fd`, undefined when it is none. */
  terminalSize(fd: number): { columns: number; rows: number } | undefined;
  /** The modes of the terminal behind `fd`, undefined when it is none. */
  terminalModes(fd: number): TerminalModes | undefined;
  /** Changes those that are given. Throws ENOTTY when there is no terminal. */
  setTerminalModes(fd: number, modes: Partial<TerminalModes>): void;
  isTerminal(fd: number): boolean;
  /** Descriptors that the process was started with. */
  inherited(): number[];
  /** All processes that this shell may see. */
  processes(): ProcessRow[];
  /** The program that a file of the engine stands for (`\0cloche:<program>`), undefined for other files. */
  programOf(path: string): string | undefined;
  /** Whether a command found in a system folder (or nowhere) means the applet of that name. */
  readonly appletsFirst: boolean;
}

/** The part of `internalBinding('cloche')` that the shell uses. Errors are negative errnos. */
export interface ShellBinding {
  pipe(): [number, number];
  tryRead(fd: number, bytes: Uint8Array): number;
  tryWrite(fd: number, bytes: Uint8Array): number;
  wait(fd: number, direction: 'read' | 'write', callback: () => void): () => void;
  allocateJob(words: string | undefined, shell: number): number;
  endJob(pid: number, code: number, signal: string | undefined): void;
  leave(status: number): boolean;
  retire(status: number): boolean;
  onJobSignal(listener: (pid: number, signal: NodeJS.Signals) => void): () => void;
  setGroup(pid: number, group: number): number;
  setForeground(fd: number, group: number): number;
  continueGroup(group: number, done: () => void): void;
  onChildState(listener: (pid: number, state: 'stopped' | 'running') => void): () => void;
  terminalSize(fd: number): { columns: number; rows: number } | undefined;
  terminalModes(fd: number): TerminalModes | undefined;
  setTerminalModes(fd: number, modes: Partial<TerminalModes>): number;
  /** Open descriptors, ascending. */
  descriptors(): number[];
  processes(): ProcessRow[];
}
