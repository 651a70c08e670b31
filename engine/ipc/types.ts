// What the rest of the engine may ask of processes, descriptors, pipes and terminals in shared memory.
// Results are non-negative or a negative errno; nothing here needs the kernel.
import type { Ports } from './ports';

/** A byte ring between one or more readers and writers, 64 KiB. */
export interface Pipe {
  readonly index: number;
  /** Bytes copied into `target`; 0 at end of file (no writer left and empty); EAGAIN when empty; ECONNRESET when reset and empty. */
  read(target: Uint8Array): number;
  /** Bytes taken, possibly fewer than given; EAGAIN when full; EPIPE when no reader is left; ECONNRESET when reset. */
  write(source: Uint8Array): number;
  /** True when read() would not return EAGAIN. */
  isReadable(): boolean;
  /** True when write() would not return EAGAIN. */
  isWritable(): boolean;
  /** Blocks this worker until readable (true) or the time is over (false). Throws nothing; never call it in the kernel. */
  /** `interruptible`: also ends (false) when a signal is raised for this process. */
  waitReadable(timeoutMs?: number, interruptible?: boolean): boolean;
  waitWritable(timeoutMs?: number, interruptible?: boolean): boolean;
  /** Resolves when readable, through Atomics.waitAsync. */
  whenReadable(): Promise<void>;
  whenWritable(): Promise<void>;
  /** Bytes that can be read now. */
  available(): number;
  /** The same once a write that is under way has ended. */
  settled(): number;
  /** False when a write would return EPIPE. */
  hasReader(): boolean;
  /** False when a read of the empty ring would return 0 or the ring has been freed. */
  hasWriter(): boolean;
  /** Makes one read return 0 at this point although writers exist (^D). False when four are pending already. */
  markEof(): boolean;
  /** Breaks the connection: what is unread can still be read, then reads and writes fail. */
  reset(): void;
  /** On: a read returns at most one line. */
  setLineMode(on: boolean): void;
  /** Drops what is unread, at most the first `count` bytes of it. */
  discard(count?: number): void;
}

export type PipeEnd = 'read' | 'write';

/** The rings and their reference counts. Whoever creates or retains an end releases it; the last release frees the ring. */
export interface Pipes {
  open(index: number): Pipe;
  /** Index of a fresh ring with that many references to its ends, or EAGAIN. */
  create(readers: number, writers: number): number;
  retain(index: number, end: PipeEnd): void;
  release(index: number, end: PipeEnd): void;
  /** True while the process in `slot` is inside a ring's lock. */
  isLockedBy(slot: number): boolean;
  /** Kernel only: frees the locks of a dead process; returns how many. */
  stealLocks(slot: number): number;
  usedCount(): number;
}

/** How a terminal treats its keys: by the line, shown, `^C` and its like as signals, Return read as newline (ICRNL). Raw mode clears all four. */
export interface TerminalModes {
  canonical: boolean;
  echo: boolean;
  signals: boolean;
  returnsNewline: boolean;
}

/** Size and modes of a terminal, in shared memory, readable and settable by every process that holds it. */
export interface Terminal {
  readonly index: number;
  readonly input: Pipe;
  readonly output: Pipe;
  columns: number;
  rows: number;
  /** All of one moment: they are one word, so nobody sees half of a change. */
  readonly modes: TerminalModes;
  /** Changes those that are given, at once. */
  setModes(changes: Partial<TerminalModes>): void;
  /** Process group that the keyboard's signals go to. */
  foregroundGroup: number;
  /** Session that the terminal controls, or 0. */
  session: number;
  /** How often modes or the foreground group have been set. */
  changes(): number;
  /** Resolves when they have been set since `changes()` was `seen` (now, when it is not given). */
  whenModesChange(seen?: number): Promise<void>;
}

/** The terminals. The kernel opens one with its own reference; every description of it holds another. */
export interface Terminals {
  /** Index of a fresh terminal (canonical, echo, signals; the caller holds its reference, the writing end of its input and the reading end of its output) or EAGAIN. */
  create(columns: number, rows: number): number;
  open(index: number): Terminal;
  retain(index: number): void;
  release(index: number): void;
}

export const DESCRIPTION_KIND = { free: 0, file: 1, pipe: 2, terminal: 3, device: 4 } as const;
export type DescriptionKind = (typeof DESCRIPTION_KIND)[keyof typeof DESCRIPTION_KIND];

/** Open file descriptions: what descriptors point at; shared, with their offset, by dup and inheritance. */
export interface Descriptions {
  kindOf(description: number): DescriptionKind;
  /** Whether only one descriptor of one process stands for it. */
  isLast(description: number): boolean;
  /** O_* flags it was opened with. */
  flagsOf(description: number): number;
  /** Inode of a file or device. */
  inoOf(description: number): number;
  positionOf(description: number): number;
  setPosition(description: number, position: number): void;
  /** The ring to read from (pipe read end, socket, terminal input) or undefined. */
  incoming(description: number): Pipe | undefined;
  /** The ring to write to or undefined. */
  outgoing(description: number): Pipe | undefined;
  terminalOf(description: number): Terminal | undefined;
  /** Sets the O_* flags that fcntl may change (O_APPEND, O_NONBLOCK). */
  setFlags(description: number, flags: number): void;
  /** Half-close: gives up the writing end, so that the peer reads end of file. */
  shutdownWrite(description: number): void;
  /** Number of descriptions in use. */
  usedCount(): number;
}

/** The descriptors of one process. */
export interface DescriptorTable {
  /** Opens a file description (kind file or device; the controlling terminal for /dev/tty, ENXIO without one) for an inode; retains the inode. Lowest free fd, or EMFILE. */
  openFile(ino: number, flags: number): number;
  /** A pipe: `[readFd, writeFd]` or EMFILE. */
  openPipe(): [number, number] | number;
  /** A connected pair of duplex streams (two rings): `[fdA, fdB]` or EMFILE. */
  openPair(): [number, number] | number;
  openTerminal(terminal: number): number;
  /** The description behind `fd`, or EBADF. */
  get(fd: number): number;
  close(fd: number): number;
  /** The lowest free descriptor ≥ `from` for the same description. */
  duplicate(fd: number, from?: number): number;
  /** Makes `to` the same description as `fd`, closing what `to` was. */
  duplicateTo(fd: number, to: number): number;
  /** Gives `fd` of this process to the process in `slot` as its `asFd` (the description gains a reference). */
  giveTo(slot: number, fd: number, asFd: number): number;
  /** Gives `fd` to the process in `slot` as its lowest free descriptor; returns that, or a negative errno. */
  giveLowest(slot: number, fd: number): number;
  /** Open descriptors, ascending. */
  list(): number[];
  /** Closes everything (at exit or by the kernel after a terminate). */
  closeAll(): void;
}

export const PROCESS_STATE = { free: 0, starting: 1, running: 2, stopped: 3, zombie: 4 } as const;
export type ProcessState = (typeof PROCESS_STATE)[keyof typeof PROCESS_STATE];

/** The process table. A slot is found by pid; numbers are Linux's. */
export interface ProcessTable {
  /** Takes a slot in state `starting` with ppid, group, session and terminal of the parent slot (−1: none). EAGAIN when full. */
  allocate(parentSlot: number): { pid: number; slot: number } | number;
  /** Slot of a live or zombie pid, or ESRCH. */
  find(pid: number): number;
  pidOf(slot: number): number;
  parentPidOf(slot: number): number;
  groupOf(slot: number): number;
  setGroup(slot: number, group: number): void;
  sessionOf(slot: number): number;
  setSession(slot: number, session: number): void;
  stateOf(slot: number): ProcessState;
  setState(slot: number, state: ProcessState): void;
  /** Index of the controlling terminal, or −1. */
  terminalOf(slot: number): number;
  setTerminal(slot: number, terminal: number): void;
  setParent(slot: number, pid: number): void;
  /** Fences the process off: from now on every changing call of its worker parks. */
  fence(slot: number): void;
  /** The same for the party itself, which has told the kernel of its end. Nothing when its slot is another process's by now. */
  fenceSelf(): void;
  /** For the party that has sent itself a signal: waits until the kernel has acted, and while it is stopped. False when it has been ended: unwind then. */
  obey(): boolean;
  /** While true, the slot is not given to a new process, even when it has been freed: its lock's owner id may still be used by a worker that is gone. */
  setGhost(slot: number, isGhost: boolean): void;
  /** Parks the process at its next changing call (true) or lets it go on. Sets its state. */
  setStopped(slot: number, stopped: boolean): void;
  /** The command line as `ps` shows it, cut to 180 bytes. */
  commandOf(slot: number): string;
  setCommand(slot: number, command: string): void;
  /** When the slot was taken, in milliseconds since the epoch. */
  startedAtOf(slot: number): number;
  /** Marks a zombie and bumps the activity word. `signal` 0: exited with `code`. */
  end(slot: number, code: number, signal: number): void;
  exitCodeOf(slot: number): number;
  exitSignalOf(slot: number): number;
  /** Frees a zombie's slot. */
  reap(slot: number): void;
  /** Signals that the process handles itself (a bit per signal number): the kernel posts those and acts on the others. */
  setHandled(slot: number, signal: number, handled: boolean): void;
  isHandled(slot: number, signal: number): boolean;
  /** Marks a signal as pending for a process that is blocked; `takePending` returns one, or 0. */
  raise(slot: number, signal: number): void;
  takePending(slot: number): number;
  /** Takes this signal if it is pending. */
  takeOne(slot: number, signal: number): boolean;
  isPending(slot: number, signal: number): boolean;
  /** Whether any is. */
  hasPending(slot: number): boolean;
  /** Every process; threads are not listed. */
  all(): { slot: number; pid: number }[];
  /** Kernel only: turns an allocated slot into a running thread of the process in `leader`, whose descriptors it shares. */
  makeThread(slot: number, leader: number): void;
  usedCount(): number;
}

/** Blocks until something happens anywhere (pipe, exit, signal) after `seen`, or the time is over; returns the new value of the activity word. */
export type WaitForActivity = (seen: number, timeoutMs?: number) => number;

/** Everything of one party: the kernel (slot 0) or one process. */
export interface Ipc {
  readonly ports: Ports;
  readonly recordLocks: RecordLocks;
  readonly processes: ProcessTable;
  readonly descriptions: Descriptions;
  readonly pipes: Pipes;
  readonly terminals: Terminals;
  /** A thread's slot gives its process's table. Another process's table may only be touched before that process starts or after it ends; giving to it is always allowed. */
  tableOf(slot: number): DescriptorTable;
  readonly waitForActivity: WaitForActivity;
  /** The activity word's value now. */
  activity(): number;
  /** Resolves with the new value when the activity word is no longer `seen`. */
  whenActivity(seen: number): Promise<number>;
  /** Tells a pooled worker which process it has become. */
  become(slot: number, pid: number): void;
}

/** What a range of a file may be locked for (fcntl's F_RDLCK, F_WRLCK, F_UNLCK). */
export const LOCK_TYPE = { read: 0, write: 1, none: 2 } as const;
export type LockType = (typeof LOCK_TYPE)[keyof typeof LOCK_TYPE];

/** Byte positions of a range: `end` is the first byte behind it, at most 2^31 − 1, which stands for the end of the file. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The locks. A thread holds locks of its own, unlike on Linux: each has a database library of its own. What a dead process held is free. */
export interface RecordLocks {
  /** Takes, changes or (`none`) gives back the caller's lock on a range; 0, EAGAIN when another holds one in the way, ENOLCK when the table is full. */
  set(ino: number, type: LockType, range: ByteRange): number;
  /** Whether another than the caller holds a lock that one of `type` would meet. */
  isBlocked(ino: number, type: LockType, range: ByteRange): boolean;
}
