// Every message between the page, the host, the kernel and the processes. Tagged unions; nothing else crosses.

/** What to run: a builtin program (`node`, `sh`, or an applet's name) or a file that the kernel resolves. */
export interface SpawnRequest {
  pid: number;
  slot: number;
  /** Absolute path of the executable, resolved against PATH by the caller. */
  file: string;
  /** argv[0] included. */
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  umask: number;
}

/** Process → kernel. */
export type ProcessMessage =
  | { type: 'ready' }
  | ({ type: 'spawn' } & SpawnRequest)
  | { type: 'exit'; code: number }
  /** The worker's JavaScript failed outside Node's own handling. */
  | { type: 'crash'; message: string }
  | { type: 'kill'; pid: number; signal: number }
  /** Serve local TCP port or Unix socket `name`; the kernel answers `listening`. */
  | { type: 'listen'; id: number; port?: number; path?: string; host?: string; backlog: number }
  | { type: 'unlisten'; id: number }
  /** Connect to a local server: the kernel makes a pair of rings and gives one end to each side, then answers `connected`. */
  | { type: 'connect'; id: number; port?: number; path?: string; host?: string }
  /** HTTP to the outside world is spoken over a ring to the kernel's gateway. */
  | { type: 'gateway'; id: number; host: string; port: number; secure: boolean }
  /** Watch the tree below an inode; the kernel answers with `treeChange`. */
  | { type: 'watch'; id: number; path: string; recursive: boolean }
  | { type: 'unwatch'; id: number }
  /** IPC channel of fork(): structured data to the process at the other end. */
  | { type: 'debug'; text: string };

/** Kernel → process. */
export type KernelMessage =
  /** First message to a fresh worker: share memory and assets, and pre-boot. */
  | { type: 'prepare'; memory: WebAssembly.Memory; assets: ProcessAssets }
  /** Run this. The descriptor table of `slot` is already filled. */
  | { type: 'start'; program: string; request: SpawnRequest; ppid: number }
  | { type: 'signal'; signal: number }
  | { type: 'childExit'; pid: number; code: number; signal: number }
  /** errno 0, or why it failed; `fd` is the new descriptor in the receiver's table. */
  | { type: 'listening'; id: number; errno: number; port?: number }
  | { type: 'connection'; id: number; fd: number; remotePort?: number; localPort?: number }
  | { type: 'connected'; id: number; errno: number; fd: number; localPort?: number }
  | { type: 'treeChange'; id: number; kind: 'rename' | 'change'; name: string };

/** What a process worker needs to boot; text is evaluated once per worker. */
export interface ProcessAssets {
  /** Concatenated function sources of the core lib, and where each id lies: `[start, end]`. */
  core: string;
  coreIndex: Record<string, [number, number]>;
  /** URL of the rarely needed rest, fetched synchronously (XMLHttpRequest) on first use. */
  lazyUrl: string;
  lazyIndex: Record<string, [number, number]>;
  /** Constants, option tables and shapes dumped from real Node. */
  dump: Record<string, unknown>;
}
