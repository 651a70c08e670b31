// What a binding may use. Every binding is a function of this and of nothing else, so each can be read and tested alone.

import type { Ports } from '../ipc/ports';
import type {
  Descriptions,
  DescriptorTable,
  Pipes,
  ProcessTable,
  RecordLocks,
  Terminals,
  WaitForActivity,
} from '../ipc/types';
import type { ProcessMessage, ThreadBoot, ThreadShare } from '../kernel/protocol';
import type { SourceCompiler } from '../modules/source-compiler';
import type { FileTree } from '../tree/types';
import type { BuiltinSources } from './builtin-sources';
import type { Dump, DumpReader } from './dump';
import type { NodeEventLoop } from './event-loop';
import type { Exceptions } from './exceptions';
import type { StackTraces } from './stack-trace';

/** Something that may keep the process alive. */
export interface LiveHandle {
  hasRef(): boolean;
}

export interface EventLoop {
  /** Runs `callback` as one macrotask in the poll phase, with Node's tick queue after it. Keeps the process alive until it has run. */
  enqueue(callback: () => void): void;
  /** The same in the async context `frame` (engine/modules/async-context.ts), as C++'s MakeCallback has that of its object; `enqueue` has the caller's. */
  enqueueIn(frame: unknown, callback: () => void): void;
  /** A handle that is active; it keeps the process alive while hasRef(). */
  addHandle(handle: LiveHandle): void;
  removeHandle(handle: LiveHandle): void;
  /** A pending request (a lookup, a connect): keeps the process alive until the matching endRequest. */
  startRequest(): void;
  endRequest(): void;
  /** Milliseconds since the loop started, whole, as uv_now. */
  now(): number;
  /** Runs `callback` at once on the current stack with fatal-exception handling and ticks after it: the entry from a browser event. */
  runCallback(callback: () => void): void;
}

/** Browser functions saved before the realm is cleaned. */
export interface BrowserGlobals {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  fetch: typeof fetch;
  crypto: Crypto;
  URL: typeof URL;
  URLPattern: unknown;
  TextDecoder: typeof TextDecoder;
  TextEncoder: typeof TextEncoder;
  MessageChannel: typeof MessageChannel;
  MessagePort: typeof MessagePort;
  DOMException: typeof DOMException;
  structuredClone: typeof structuredClone;
  atob: typeof atob;
  btoa: typeof btoa;
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(id: number): void;
  queueMicrotask(callback: () => void): void;
  performanceNow(): number;
  timeOrigin: number;
  hardwareConcurrency: number;
  Proxy: ProxyConstructor;
  /** Indirect eval: global scope. */
  evaluate(source: string): any;
  /** A true script, at once: its top-level let, const and class stay for all code after it. What it throws is thrown. */
  runScript(source: string): void;
  addEventListener(type: string, listener: (event: any) => void): void;
  XMLHttpRequest: typeof XMLHttpRequest;
  /** Makes a function that runs `listener` as a DOM listener: what it throws goes to the worker's `error` event. */
  createRunner(listener: () => void): () => void;
  /** Chromium's and Firefox's scheduler; undefined elsewhere. */
  scheduler: { yield?(): Promise<void> } | undefined;
}

export interface ProcessState {
  pid: number;
  ppid: number;
  slot: number;
  cwd: string;
  umask: number;
  env: Record<string, string>;
  argv: string[];
  execArgv: string[];
  title: string;
  /** Parsed command-line options that differ from Node's defaults, by their long name. */
  options: Record<string, unknown>;
  /** What this process's threads share; undefined while there has been only one. */
  threadShare?: ThreadShare;
  /** How this thread was started; undefined in the main thread. */
  thread?: ThreadBoot;
}

/** Throw this to unwind the stack after the process has ended; nothing may catch it. */
export interface ExitSignal {
  readonly exit: true;
}

export interface ProcessEnvironment {
  readonly browser: BrowserGlobals;
  readonly tree: FileTree;
  readonly descriptors: DescriptorTable;
  readonly descriptions: Descriptions;
  readonly processes: ProcessTable;
  /** The worker is from now on the process in `slot`. */
  become(slot: number, pid: number): void;
  readonly loop: EventLoop;
  readonly state: ProcessState;
  /** A fresh copy of the constants and classes dumped from real Node for the binding `name`; functions in it throw ENOSYS by name until replaced. */
  dumped(name: string): Record<string, any>;
  /** Node's private symbols (`util.privateSymbols`) and per-isolate symbols (`symbols`), by key. */
  readonly privateSymbols: Record<string, symbol>;
  readonly symbols: Record<string, symbol>;
  /** Node's require for internal modules, once the realm is up. */
  requireBuiltin(id: string): any;
  internalBinding(name: string): any;
  /** An Error as libuv's UVException makes it. */
  uvException(errno: number, syscall: string, path?: string, dest?: string): Error;
  /** `[code, message]` of a negative errno. */
  errorName(errno: number): [string, string];
  /** To the kernel. */
  post(message: ProcessMessage, transfer?: Transferable[]): void;
  /** Messages from the kernel, by type. One listener per type. */
  onKernel(type: string, listener: (message: any) => void): void;
  /** Absolute path from a string or Buffer argument, relative to cwd. */
  absolute(path: string | Uint8Array): string;
  /** Writes to a descriptor, blocking while a ring is full; used for fatal messages and by fs. */
  writeFully(fd: number, bytes: Uint8Array): number;
  /** Reports an uncaught error through Node's own path. */
  fatal(error: unknown): void;
  readonly exitSignal: ExitSignal;
  /** Source of lib's script `node:<id>`, for error reports; undefined for other names. */
  builtinSource(script: string): string | undefined;
  readonly traces: StackTraces;
  readonly exceptions: Exceptions;
  /** Ends the process: emits nothing, runs nothing more. Throws the exit signal. */
  exit(code: number): never;
  /** Parsed dump, for what is not a binding. */
  readonly dump: Dump;
  readonly reader: DumpReader;
  readonly builtins: BuiltinSources;
  readonly nodeLoop: NodeEventLoop;
  readonly compiler: SourceCompiler;
  /** Blocks until something happens anywhere after `seen`; see ipc. */
  readonly waitForActivity: WaitForActivity;
  /** Names of the global object that belong to the language. */
  readonly languageGlobals: Set<string>;
  /** Exports of internal/per_context scripts (DOMException, emitMessage …). */
  readonly perContext: Record<string, any>;
  readonly primordials: Record<string, any>;
  readonly ports: Ports;
  readonly recordLocks: RecordLocks;
  readonly pipes: Pipes;
  readonly terminals: Terminals;
  /** The activity word as it is now, for waitForActivity. */
  activity(): number;
  /** Signals that this process handles, one by one. */
  onSignal(listener: (signal: number) => void): void;
  /** Signals to jobs that run inside this process. */
  onJobSignal(listener: (pid: number, signal: number) => void): void;
  /** Node's process object. */
  readonly process: any;
  /** Filled by lib's own loader while the realm boots. */
  readonly realm: { internalBinding?: (name: string) => any; requireBuiltin?: (id: string) => any };
}

/** One `internalBinding`. Called once per process, when lib first asks for it. */
export type Binding = (environment: ProcessEnvironment) => Record<string, any>;
