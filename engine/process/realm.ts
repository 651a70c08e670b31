// Boots Node's lib in this worker: builds the environment that bindings see, cleans the global object, runs the bootstrap scripts in
// node.cc's order. After `bootRealm` the process is ready to be given a program.
import { AsyncScopes } from '../bindings/async-scopes';
import { bindingTable } from '../bindings/bindings';
import { dressAsNative } from '../bindings/native-objects';
import { closeLinks } from '../bindings/thread-links';
import type { ProcessAssets, ProcessMessage } from '../kernel/protocol';
import { installAsyncContext } from '../modules/async-context';
import { installDynamicCode } from '../modules/dynamic-code';
import { installFunctionText } from '../modules/function-text';
import { SourceCompiler } from '../modules/source-compiler';
import type { FileTree } from '../tree/types';
import { captureBrowserGlobals, cleanGlobals, LANGUAGE_GLOBALS } from './browser-globals';
import { BuiltinSources } from './builtin-sources';
import { type Dump, DumpReader } from './dump';
import type { ProcessEnvironment, ProcessState } from './environment';
import { type LoopHooks, NodeEventLoop } from './event-loop';
import { Exceptions } from './exceptions';
import { fileName } from './given-text';
import { describeNamespaces } from './namespace-registry';
import { createPrivateSymbols } from './private-symbols';
import { createProcessObject, environmentProxy } from './process-object';
import { trackPromises } from './promise-makers';
import { trackProxies } from './proxy-registry';
import { installV8Stacks } from './spidermonkey-stacks';
import { StackTraces } from './stack-trace';
import { trimIntrinsics } from './trim-intrinsics';
import { UNSETTLED_AWAIT, unsettledWarning, type WaitingModule } from './unsettled-await';
import { installWasmWaits } from './wasm-waits';

/** The browser's console, which is V8's in Chromium. */
const ownConsole = { ...globalThis.console } as unknown as Record<string, unknown>;

/** What the kernel's side gives: the shared memory's faces, which follow the process's slot once it has one. */
export interface RealmPorts {
  tree: FileTree;
  ipc: Pick<ProcessEnvironment, 'descriptions' | 'processes' | 'become'> & {
    readonly descriptors: ProcessEnvironment['descriptors'];
  };
  ports: ProcessEnvironment['ports'];
  recordLocks: ProcessEnvironment['recordLocks'];
  pipes: ProcessEnvironment['pipes'];
  terminals: ProcessEnvironment['terminals'];
  activity: ProcessEnvironment['activity'];
  waitForActivity: ProcessEnvironment['waitForActivity'];
  /** URL of this bundle, to tell its frames in stack traces. */
  engineScript: string;
}

export interface Realm {
  environment: ProcessEnvironment;
  /** Delivers a kernel message to the binding that listens for its type. */
  deliver(message: { type: string }): void;
  /** Runs a main script (`internal/main/…`) as the first callback of the loop. */
  start(mainScript: string): void;
  /** The same for a program of ours. */
  startWith(
    run: (process: any, requireBuiltin: (id: string) => any, internalBinding: (name: string) => any) => void,
  ): void;
}

export function bootRealm(assets: ProcessAssets, ports: RealmPorts): Realm {
  const browser = captureBrowserGlobals();
  // A copy: browsers decode no shared memory.
  const dump = JSON.parse(new browser.TextDecoder().decode(assets.dump.slice())) as Dump;
  const reader = new DumpReader();
  const exitSignal = { exit: true } as const;
  const state: ProcessState = {
    pid: 0,
    ppid: 0,
    slot: -1,
    cwd: '/',
    umask: 0o22,
    env: {},
    argv: ['node'],
    execArgv: [],
    title: 'node',
    options: {},
  };
  const errorMap: Map<number, [string, string]> = reader.revive(dump.errorMap, 'uv');
  const privateSymbols = createPrivateSymbols(dump.privateSymbols);
  const symbols: Record<string, symbol> = reader.revive(dump.bindings.symbols, 'symbols');
  const process = createProcessObject(dump, privateSymbols.exit_info_private_symbol);
  process.env = environmentProxy(browser.Proxy, state.env);
  const kernelListeners = new Map<string, (message: any) => void>();
  const signalListeners = {
    process: [] as ((signal: number) => void)[],
    job: [] as ((pid: number, signal: number) => void)[],
  };
  kernelListeners.set('signal', ({ signal, pid }: { signal: number; pid?: number }) => {
    if (pid !== undefined) {
      for (const listener of signalListeners.job) listener(pid, signal);
      return;
    }
    // The message is a doorbell: the signals themselves are in the process's slot.
    for (
      let raised = ports.ipc.processes.takePending(state.slot);
      raised !== 0;
      raised = ports.ipc.processes.takePending(state.slot)
    ) {
      for (const listener of signalListeners.process) listener(raised);
    }
  });
  const builtins = new BuiltinSources(browser, assets);
  installV8Stacks();
  const traces = new StackTraces(ports.engineScript, (id, line, column) => builtins.column(id, line, column));

  const hooks: LoopHooks = {
    tickInfo: [0, 0] as any,
    tickCallback() {},
    processImmediate() {},
    clearIds() {},
    processTimers: () => 0,
    immediateInfo: new Uint32Array(3),
    beforeExit: () => process.emit('beforeExit', process.exitCode || 0),
    exit: () => process.reallyExit(emitExit(environment)),
  };
  const nodeLoop = new NodeEventLoop(browser, hooks);
  const post = (message: ProcessMessage, transfer?: Transferable[]): void =>
    browser.postMessage(message, transfer ?? []);
  const exit = (code: number): never => {
    nodeLoop.stop();
    if (state.thread) closeLinks();
    post({ type: 'exit', code: code & 0xff });
    // A guest that catches the signal must not be heard before the kernel has read that.
    ports.ipc.processes.fenceSelf();
    throw exitSignal;
  };
  const errorName = (errno: number): [string, string] => errorMap.get(errno) ?? ['UNKNOWN', `unknown error ${errno}`];

  const environment: ProcessEnvironment = {
    browser,
    tree: ports.tree,
    state,
    loop: nodeLoop,
    nodeLoop,
    privateSymbols,
    symbols,
    exitSignal,
    dump,
    reader,
    builtins,
    traces,
    process,
    post,
    exit,
    errorName,
    get descriptors() {
      return ports.ipc.descriptors;
    },
    descriptions: ports.ipc.descriptions,
    processes: ports.ipc.processes,
    become(slot, pid) {
      ports.ipc.become(slot, pid);
      Object.assign(state, { slot, pid });
    },
    ports: ports.ports,
    recordLocks: ports.recordLocks,
    pipes: ports.pipes,
    terminals: ports.terminals,
    activity: ports.activity,
    waitForActivity: ports.waitForActivity,
    languageGlobals: LANGUAGE_GLOBALS,
    realm: {},
    primordials: {},
    perContext: {},
    dumped: (name) => reader.revive(dump.bindings[name] ?? {}, name),
    requireBuiltin: (id) => environment.realm.requireBuiltin?.(id),
    internalBinding: (name) => environment.realm.internalBinding?.(name),
    uvException(errno, syscall, path, dest) {
      const [code, text] = errorName(errno);
      const message = `${code}: ${text}, ${syscall}${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`;
      const error: any = new Error(message);
      error.errno = errno;
      error.code = code;
      error.syscall = syscall;
      if (path !== undefined) error.path = path;
      if (dest !== undefined) error.dest = dest;
      return error;
    },
    onKernel: (type, listener) => void kernelListeners.set(type, listener),
    onSignal: (listener) => void signalListeners.process.push(listener),
    onJobSignal: (listener) => void signalListeners.job.push(listener),
    absolute(path) {
      const text = typeof path === 'string' ? path : fileName(path);
      // As for the system's calls, an empty name is no name of the working directory; the tree answers ENOENT.
      return text === '' || text.startsWith('/') ? text : `${state.cwd === '/' ? '' : state.cwd}/${text}`;
    },
    writeFully: (fd, bytes) => writeFully(environment, fd, bytes),
    fatal: (error) => exceptions.trigger(error, false),
    builtinSource: (script) => (script.startsWith('node:') ? builtins.source(script.slice(5)) : undefined),
    get exceptions() {
      return exceptions;
    },
    get compiler() {
      return compiler;
    },
  };
  const exceptions = new Exceptions(environment, traces, process, exit);
  const compiler = new SourceCompiler(environment);

  browser.addEventListener('error', (event) => {
    event.preventDefault();
    try {
      exceptions.reportEvent(event);
    } catch (error) {
      // The process has ended; an error from an error listener would only reach the browser's console.
      if (error !== exitSignal) throw error;
    }
  });
  trackProxies(globalThis);
  trackPromises(Promise);
  describeNamespaces();
  cleanGlobals();
  trimIntrinsics(dump.intrinsics);
  installAsyncContext();
  installWasmWaits(nodeLoop);
  installFunctionText();
  bootstrap(environment, assets);
  traces.install();
  installDynamicCode(environment, traces);

  const first = (run: () => void): void => {
    nodeLoop.updateTime();
    // The program itself is the first resource.
    const scopes = AsyncScopes.of(environment);
    nodeLoop.hooks.clearIds = () => scopes.clear();
    nodeLoop.runCallback(() => scopes.runMain(run));
    nodeLoop.wake();
  };
  return {
    environment,
    deliver: (message) => kernelListeners.get(message.type)?.(message),
    start: (mainScript) =>
      first(() =>
        builtins.compile(mainScript)(
          process,
          environment.requireBuiltin,
          environment.internalBinding,
          environment.primordials,
        ),
      ),
    startWith: (run) => first(() => run(process, environment.requireBuiltin, environment.internalBinding)),
  };
}

/** Emits `exit` as node::EmitProcessExitInternal and returns the final code. */
function emitExit({ process, privateSymbols, writeFully, browser }: ProcessEnvironment): number {
  const waiting: WaitingModule[] =
    (globalThis as any)[privateSymbols.entry_point_module_private_symbol]?.waiting() ?? [];
  const isUnsettled = waiting.length > 0 && !process.exitCode;
  if (isUnsettled) {
    process.exitCode = UNSETTLED_AWAIT;
    writeFully(2, new browser.TextEncoder().encode(unsettledWarning(waiting)));
  }
  process._exiting = true;
  process.emit('exit', process.exitCode || 0);
  return process.exitCode || 0;
}

function bootstrap(environment: ProcessEnvironment, assets: ProcessAssets): void {
  const { builtins, process, privateSymbols, symbols } = environment;
  const { primordials, perContext } = environment;
  for (const id of ['primordials', 'domexception', 'messageport']) {
    builtins.compile(`internal/per_context/${id}`)(perContext, primordials, privateSymbols, symbols);
  }
  const getInternalBinding = (name: string): any => {
    const binding = bindingTable[name];
    if (binding) {
      const made = binding(environment);
      const shape = environment.dump.bindings[name] as Record<string, unknown> | undefined;
      if (shape) dressAsNative(made, shape);
      return made;
    }
    // Known to lib but not written: its constants are real, its functions throw by name.
    if (name in environment.dump.bindings) return environment.dumped(name);
    throw Object.assign(new Error(`No such binding: ${name}`), { code: 'ERR_INVALID_MODULE' });
  };
  const noLinkedBinding = (name: string): never => {
    throw Object.assign(new Error(`No such binding: ${name}`), { code: 'ERR_INVALID_MODULE' });
  };
  builtins.compile('internal/bootstrap/realm')(process, noLinkedBinding, getInternalBinding, primordials);
  const { requireBuiltin, internalBinding } = environment.realm;
  const scripts = [
    'internal/bootstrap/node',
    'internal/bootstrap/web/exposed-wildcard',
    'internal/bootstrap/web/exposed-window-or-worker',
    'internal/bootstrap/switches/is_main_thread',
    'internal/bootstrap/switches/does_own_process_state',
  ];
  for (const id of scripts) builtins.compile(id)(process, requireBuiltin, internalBinding, primordials);
  wrapConsole(requireBuiltin?.('internal/console/global'));
  preloadBuiltins(environment, assets.preload);
}

/** What lib's wrapConsole leaves of the methods that V8's console has too: bound once more, so without parameters, and named by their key. */
function wrapConsole(console: Record<string, unknown>): void {
  for (const key of Object.keys(ownConsole)) {
    const method = console[key];
    if (typeof method !== 'function') console[key] = ownConsole[key];
    else {
      if (method.name !== key) Object.defineProperty(method, 'name', { value: key });
      if (method.length !== 0) Object.defineProperty(method, 'length', { value: 0 });
    }
  }
}

/** Loads builtins ahead of time. None may look at the standard streams: they belong to a process, and this worker is not one yet. */
function preloadBuiltins({ process, realm }: ProcessEnvironment, ids: string[]): void {
  const streams = ['stdin', 'stdout', 'stderr'];
  const descriptors = streams.map((name) => Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor);
  let current = '';
  for (const name of streams) {
    Object.defineProperty(process, name, {
      configurable: true,
      get() {
        throw new Error(`${current} looks at process.${name} while it loads and cannot be preloaded`);
      },
    });
  }
  for (current of ids) realm.requireBuiltin?.(current);
  for (const [index, name] of streams.entries()) Object.defineProperty(process, name, descriptors[index]);
}

/** write(2) until everything is written; a broken pipe ends it silently, as a fatal message has nowhere else to go. */
function writeFully(environment: ProcessEnvironment, fd: number, bytes: Uint8Array): number {
  const { descriptors, descriptions, tree } = environment;
  const description = descriptors.get(fd);
  if (description < 0) return description;
  const pipe = descriptions.outgoing(description);
  if (!pipe) {
    const position = descriptions.positionOf(description);
    const written = tree.append(descriptions.inoOf(description), bytes);
    if (written > 0) descriptions.setPosition(description, position + written);
    return written;
  }
  let done = 0;
  while (done < bytes.length) {
    const count = pipe.write(bytes.subarray(done));
    if (count === -11) pipe.waitWritable();
    else if (count < 0) return count;
    else done += count;
  }
  return done;
}
