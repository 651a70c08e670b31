// A ProcessEnvironment for tests of bindings that need no kernel: real dump, real Node loop behind a small one, the host's browser-like globals.
import { readFileSync } from 'node:fs';
import { type Dump, DumpReader } from '../../process/dump';
import type { BrowserGlobals, EventLoop, LiveHandle, ProcessEnvironment } from '../../process/environment';
import { createPrivateSymbols } from '../../process/private-symbols';
import { StackTraces } from '../../process/stack-trace';

const dump: Dump = JSON.parse(readFileSync(new URL('../../generated/dump.json', import.meta.url), 'utf8'));
const privateSymbols = createPrivateSymbols(dump.privateSymbols);

/** A loop on setImmediate that counts what would keep a process alive. */
export class TestLoop implements EventLoop {
  readonly handles = new Set<LiveHandle>();
  requests = 0;
  private readonly started = performance.now();

  enqueue(callback: () => void): void {
    setImmediate(callback);
  }
  enqueueIn(_frame: unknown, callback: () => void): void {
    this.enqueue(callback);
  }
  addHandle(handle: LiveHandle): void {
    this.handles.add(handle);
  }
  removeHandle(handle: LiveHandle): void {
    this.handles.delete(handle);
  }
  startRequest(): void {
    this.requests++;
  }
  endRequest(): void {
    this.requests--;
  }
  now(): number {
    return Math.floor(performance.now() - this.started);
  }
  runCallback(callback: () => void): void {
    callback();
  }
}

function browserGlobals(): BrowserGlobals {
  const scope = globalThis as any;
  return {
    ...scope,
    crypto: scope.crypto,
    URL: scope.URL,
    URLPattern: scope.URLPattern,
    TextDecoder: scope.TextDecoder,
    TextEncoder: scope.TextEncoder,
    MessageChannel: scope.MessageChannel,
    MessagePort: scope.MessagePort,
    BroadcastChannel: scope.BroadcastChannel,
    DOMException: scope.DOMException,
    structuredClone: scope.structuredClone,
    atob: scope.atob,
    btoa: scope.btoa,
    fetch: scope.fetch,
    setTimeout: scope.setTimeout,
    clearTimeout: scope.clearTimeout,
    queueMicrotask: scope.queueMicrotask,
    performanceNow: () => performance.now(),
    timeOrigin: performance.timeOrigin,
    hardwareConcurrency: 4,
    Proxy,
    EventTarget,
    Event,
    evaluate: scope.eval,
    addEventListener() {},
    postMessage() {},
    XMLHttpRequest: undefined as never,
    scheduler: undefined,
  };
}

/** What a pure binding may need; reading any other member of the environment is undefined and shows up as a failing test. */
export function testEnvironment(over: Partial<ProcessEnvironment> = {}): ProcessEnvironment & { loop: TestLoop } {
  const reader = new DumpReader();
  const errors: Map<number, [string, string]> = reader.revive(dump.errorMap, 'uv');
  const environment = {
    browser: browserGlobals(),
    loop: new TestLoop(),
    state: {
      pid: 7,
      ppid: 1,
      slot: 0,
      cwd: '/',
      umask: 0o22,
      env: { HOME: '/root' } as Record<string, string>,
      argv: ['node'],
      execArgv: [],
      title: 'node',
      options: {},
    },
    dump,
    reader,
    privateSymbols,
    symbols: reader.revive(dump.bindings.symbols, 'symbols'),
    dumped: (name: string) => reader.revive(dump.bindings[name] ?? {}, name),
    errorName: (errno: number) => errors.get(errno) ?? ['UNKNOWN', `unknown error ${errno}`],
    onKernel() {},
    post() {},
    perContext: {},
    primordials: {},
    traces: new StackTraces('', (_id, _line, column) => column),
    ...over,
  };
  return environment as unknown as ProcessEnvironment & { loop: TestLoop };
}
