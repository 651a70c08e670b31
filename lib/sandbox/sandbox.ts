// The computer that everything else works on. Two backends implement it (embedded.ts, webcontainer.ts) and one for unit tests (memory.ts);
// contract.ts says what all of them must do.

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

export interface FileStat {
  kind: FileKind;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  /** Permission bits. */
  mode: number;
}

export interface DirEntry {
  name: string;
  kind: FileKind;
}

export interface FileChange {
  /** Absolute path. `created` and `deleted` also cover renames. */
  path: string;
  kind: 'created' | 'changed' | 'deleted';
}

/** Rejects with a SandboxError whose `code` is Node's (ENOENT, EISDIR …). Paths are absolute POSIX paths. */
export interface SandboxFs {
  read(path: string): Promise<Uint8Array>;
  readText(path: string): Promise<string>;
  /** Creates or replaces the file; parent directories are created. */
  write(path: string, contents: Uint8Array | string): Promise<void>;
  list(path: string): Promise<DirEntry[]>;
  stat(path: string): Promise<FileStat>;
  exists(path: string): Promise<boolean>;
  /** Creates missing parents; existing directories are fine. */
  makeDirectory(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Files and whole directories; missing is an ENOENT error. */
  remove(path: string): Promise<void>;
  /** Permission bits, of what a link leads to. */
  setMode(path: string, mode: number): Promise<void>;
  realpath(path: string): Promise<string>;
  /** What a link holds; EINVAL for what is none. */
  readlink(path: string): Promise<string>;
  /** Reports changes below `path`, batched, until the returned function is called. */
  watch(path: string, listener: (changes: FileChange[]) => void): () => void;
}

export class SandboxError extends Error {
  readonly code: string;
  readonly path?: string;
  constructor(code: string, message: string, path?: string) {
    super(message);
    this.name = 'SandboxError';
    this.code = code;
    if (path !== undefined) this.path = path;
  }
}

/** What a process may do with files; it holds for everything that the process starts, and nothing lifts it. */
export interface FilePolicy {
  /** Absolute directories below which files may be changed, elsewhere EROFS; undefined: everywhere. Devices are always writable. */
  writable?: readonly string[];
  /** Globs for names of files and directories that don't exist for it; `!` in front shows again, the last match wins. Upper and lower case are the same. */
  hidden?: readonly string[];
}

export interface SpawnOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Attach a terminal of this size: then `stderr` stays empty and `output` is what a screen would show. */
  terminal?: { columns: number; rows: number };
  /** Rejects with ENOTSUP where the backend can't enforce it. */
  policy?: FilePolicy;
}

export type ProcessEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'crashed'; message: string };

export interface Process {
  readonly pid: number;
  /** Standard output (with a terminal: everything). Closes when the process has ended and all is read. */
  readonly output: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Standard input; closing it is end of file. */
  readonly input: WritableStream<Uint8Array>;
  readonly exit: Promise<ProcessEnd>;
  resize(columns: number, rows: number): void;
  /** `SIGTERM` by default. SIGKILL always ends it. */
  kill(signal?: string): void;
}

export interface OpenPort {
  port: number;
  /** Where an iframe shows it. */
  url: string;
}

export interface SearchOptions {
  /** Directory to search below. */
  path: string;
  /** A JavaScript regular expression source, or text when `literal`. */
  pattern: string;
  literal?: boolean;
  ignoreCase?: boolean;
  multiline?: boolean;
  /** Glob that file paths (relative to `path`) must match. */
  include?: string;
  /** Respect .gitignore files and skip .git; default true. */
  respectIgnore?: boolean;
  maxResults?: number;
  /** Of one file. */
  maxPerFile?: number;
  signal?: AbortSignal;
}

export interface TextMatch {
  path: string;
  /** 1-based. */
  line: number;
  /** 1-based, in UTF-16 code units. */
  column: number;
  length: number;
  /** The line, or of a very long one what is around the match. */
  text: string;
  /** Where such a piece begins in its line, 0-based. */
  from?: number;
}

/** What a search of texts found, and what it did not look into. */
export interface FoundTexts {
  matches: TextMatch[];
  truncated: boolean;
  /** Files whose text was looked at. */
  filesSearched: number;
  /** Of those: neither UTF-8 nor UTF-16 with a byte order mark; what can't be read is U+FFFD. */
  notUnicode: number;
  /** Files that were not looked into: no text, too large for a string, or failing. */
  skipped: { binary: number; tooLarge: number; unreadable: number };
}

export interface FileSearchOptions {
  path: string;
  /** Glob relative to `path`; braces and `**` as in gitignore-style globbing. */
  pattern: string;
  respectIgnore?: boolean;
  maxResults?: number;
  /** What was changed last comes first, of all that match; default false: by path. */
  newestFirst?: boolean;
  signal?: AbortSignal;
}

/** Whether what the files hold would survive the end of the tab. */
export type StorageState =
  | { kind: 'saved' }
  | { kind: 'saving' }
  /** It can't be saved, and is tried again and again; `isFull`: the browser gives no more space. */
  | { kind: 'failing'; isFull: boolean; message: string }
  /** Nothing is kept: everything ends with the tab. */
  | { kind: 'unkept'; message: string };

/** How a sandbox keeps its project and the person's home directory beyond its own life. */
export interface SandboxStorage {
  state(): StorageState;
  /** Called on every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Resolves when all that the files hold now is safe; rejects when it can't be made so. */
  flush(): Promise<void>;
  /** What the person must know about how the files came back, in sentences. */
  readonly notices: readonly string[];
}

export interface Sandbox {
  /** `embedded`, `webcontainer` or `memory`. */
  readonly backend: string;
  /** Where the project lives, e.g. `/home/project`. */
  readonly workdir: string;
  /** What `~` and `$HOME` are to programs, e.g. `/root`. */
  readonly home: string;
  readonly fs: SandboxFs;
  spawn(command: string, args: string[], options?: SpawnOptions): Promise<Process>;
  readonly ports: {
    list(): OpenPort[];
    /** Called at once with what is open, then on every change, until the returned function is called. */
    subscribe(listener: (ports: OpenPort[]) => void): () => void;
  };
  readonly search: {
    text(options: SearchOptions): Promise<FoundTexts>;
    files(options: FileSearchOptions): Promise<{ paths: string[]; truncated: boolean }>;
  };
  /** All files below `path` as a snapshot that `mount` takes. */
  snapshot(path: string): Promise<Uint8Array>;
  mount(snapshot: Uint8Array, path: string): Promise<void>;
  /** Set in a view that may only look (confine.ts): every process started through it is under this policy. */
  readonly policy?: FilePolicy;
  /** Undefined when this sandbox was made to keep nothing. */
  readonly storage?: SandboxStorage;
  dispose(): Promise<void>;
}
