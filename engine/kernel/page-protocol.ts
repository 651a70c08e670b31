// Every message between the page (engine/client) and the kernel over one MessagePort. Calls are answered once; process streams run on credit:
// a sender stops when it has as many unacknowledged bytes out as WINDOW_BYTES.
import type { FilePolicy } from '../tree/types';
import type { SavingState } from './persistence/persistence';

export type { FilePolicy } from '../tree/types';

export type { SavingState } from './persistence/persistence';

/** Unacknowledged bytes that a stream may have under way. */
export const WINDOW_BYTES = 256 * 1024;

export type EntryKind = 'file' | 'directory' | 'symlink' | 'other';

export interface EntryStat {
  kind: EntryKind;
  size: number;
  mtimeMs: number;
  mode: number;
}

export interface PathChange {
  /** Absolute path. */
  path: string;
  kind: 'created' | 'changed' | 'deleted';
}

export interface RunRequest {
  /** A name to look up on PATH, or a path. */
  command: string;
  /** Without argv[0]. */
  args: string[];
  cwd: string;
  env: Record<string, string>;
  terminal?: { columns: number; rows: number };
  /** Holds for the process and everything that it starts. */
  policy?: FilePolicy;
}

/** How a process ended. */
export type RunEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'crashed'; message: string };

export interface RegExpText {
  source: string;
  flags: string;
}

export interface TextSearch {
  path: string;
  pattern: RegExpText;
  /** Match across lines. */
  multiline: boolean;
  /** Tested against the path relative to `path`. */
  include?: RegExpText;
  respectIgnore: boolean;
  maxResults: number;
  /** Of one file. */
  maxPerFile?: number;
}

export interface FoundText {
  path: string;
  line: number;
  column: number;
  length: number;
  /** The line, or of a very long one what is around the match. */
  text: string;
  /** Where such a piece begins in its line, 0-based. */
  from?: number;
}

export interface FoundTexts {
  matches: FoundText[];
  truncated: boolean;
  /** Files whose text was looked at. */
  filesSearched: number;
  /** Of those: neither UTF-8 nor UTF-16 with a byte order mark; what can't be read is U+FFFD. */
  notUnicode: number;
  /** Files that were not looked into: no text, too large for a string, or failing. */
  skipped: { binary: number; tooLarge: number; unreadable: number };
}

export interface FileSearch {
  path: string;
  /** Tested against the path relative to `path`. */
  include: RegExpText;
  respectIgnore: boolean;
  maxResults: number;
  /** What was changed last comes first, and the others are left out; otherwise the order is that of the paths. */
  newestFirst?: boolean;
}

export interface RunningProcess {
  pid: number;
  ppid: number;
  command: string;
  startedAtMs: number;
  state: 'starting' | 'running' | 'stopped' | 'zombie';
}

export interface Usage {
  processes: number;
  inodes: number;
  bytes: number;
  capacityBytes: number;
}

/** The calls on files. Paths are absolute, failures carry a code (`ENOENT` …). */
export interface FileCalls {
  read(path: string): Uint8Array;
  write(path: string, contents: Uint8Array): void;
  list(path: string): { name: string; kind: EntryKind }[];
  stat(path: string): EntryStat;
  exists(path: string): boolean;
  makeDirectory(path: string): void;
  move(from: string, to: string): void;
  copy(from: string, to: string): void;
  remove(path: string): void;
  realpath(path: string): string;
  /** What a link holds; EINVAL for what is none. */
  readlink(path: string): string;
  setMode(path: string, mode: number): void;
}

/** The calls by name, as the kernel implements them; failures carry a code (`ENOENT` …). Paths are absolute. */
export interface PageCalls extends FileCalls {
  /** Changes arrive as `changes` messages with this id until `unwatch`. */
  watch(watchId: number, path: string): void;
  searchText(search: TextSearch): FoundTexts;
  searchFiles(search: FileSearch): { paths: string[]; truncated: boolean };
  snapshot(path: string): Uint8Array;
  mount(snapshot: Uint8Array, path: string): void;
  /** Starts a process and returns its pid. */
  run(request: RunRequest): number;
  processes(): RunningProcess[];
  usage(): Usage;
  /** Answered when all that the files hold now is safe; fails when it can't be, and with ENOTSUP when nothing is kept. */
  flush(): void;
}

export type PageCall = {
  [Method in keyof PageCalls]: { method: Method; args: Parameters<PageCalls[Method]> };
}[keyof PageCalls];

/** Which output of a process: with a terminal everything comes on `output`. */
export type OutputChannel = 'output' | 'stderr';

/** How the kept files came back. */
export interface RestoreReport {
  files: number;
  /** One sentence for each that could not be brought into the tree. */
  problems: string[];
  /** The project file was damaged: what lay before the damage is there, and the whole file is kept under this name. */
  keptAs?: string;
}

/** Page → kernel. */
export type PageMessage =
  | { type: 'call'; id: number; call: PageCall }
  /** Gives up a running search or the like; it then fails with ECANCELED. */
  | { type: 'cancel'; id: number }
  | { type: 'unwatch'; watchId: number }
  /** What the person looks at has been loaded: the line is free for what is only wanted later. */
  | { type: 'settled' }
  | { type: 'input'; pid: number; chunk: Uint8Array }
  | { type: 'inputEnd'; pid: number }
  | { type: 'credit'; pid: number; channel: OutputChannel; bytes: number }
  | { type: 'resize'; pid: number; columns: number; rows: number }
  | { type: 'signal'; pid: number; signal: string }
  /** HTTP for the preview of a port is spoken over `channel` (engine/kernel/net.ts). */
  | { type: 'preview'; port: number; channel: MessagePort };

/** Kernel → page. */
export type KernelPageMessage =
  | { type: 'booted' }
  /** Part of the way to `booted`, or of the base image afterwards; `fraction` 0–1. */
  | { type: 'progress'; what: string; fraction: number }
  | { type: 'result'; id: number; value: unknown }
  | { type: 'failure'; id: number; code: string; message: string; path?: string }
  | { type: 'output'; pid: number; channel: OutputChannel; chunk: Uint8Array }
  | { type: 'outputEnd'; pid: number; channel: OutputChannel }
  /** The process has taken so many bytes of its input. */
  | { type: 'inputCredit'; pid: number; bytes: number }
  /** Nobody reads the input any more. */
  | { type: 'inputClosed'; pid: number }
  | { type: 'ended'; pid: number; end: RunEnd }
  | { type: 'changes'; watchId: number; changes: PathChange[] }
  | { type: 'ports'; ports: number[] }
  /** The kept files are in place. Before `booted`; not at all when nothing is kept. */
  | { type: 'restored'; report: RestoreReport }
  | { type: 'saving'; state: SavingState }
  /** Something broke that no call can be blamed for. */
  | { type: 'fault'; message: string };
