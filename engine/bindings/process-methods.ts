// process_methods: what `process` does itself: clocks, directories, resource figures, signals to others, exit.
import { EINVAL, ENOENT, ENOTDIR, ESRCH } from '../memory/errno';
import { unsupported } from '../process/dump';
import type { Binding, BrowserGlobals } from '../process/environment';
import { FILE_TYPE } from '../tree/types';
import { setSyncWarning } from './sync-warning';
import { sayHeapUnknown, sayUsageUnknown } from './unknown-heap';

const MAX_SIGNAL = 64;

/** node's provider names, where they are not the classes'. */
const PROVIDERS: Record<string, string> = {
  FSEvent: 'FSEventWrap',
  Pipe: 'PipeWrap',
  Process: 'ProcessWrap',
  Signal: 'SignalWrap',
  TTY: 'TTYWrap',
  UDP: 'UDPWrap',
};

function resourceName(handle: any): string {
  const { name } = handle.constructor;
  if (name === 'TCP') return handle.isListening ? 'TCPServerWrap' : 'TCPSocketWrap';
  return PROVIDERS[name] ?? name;
}

/** Milliseconds that hrtime is ahead of the browser's clock: it starts somewhere above zero, as uv_hrtime does. */
export const hrtimeOrigin = ({ timeOrigin }: BrowserGlobals): number => timeOrigin % 1e9;

export const processMethods: Binding = (environment) => {
  const { browser, state, tree, processes } = environment;
  const binding = environment.dumped('process_methods');
  // No inspector is ever open: closing it (inspector.close) is what is already true.
  binding._debugEnd = () => {};
  const hrtimeFields = new Uint32Array(3);
  const hrtimeBig = new BigInt64Array(hrtimeFields.buffer, 0, 1);
  const origin = hrtimeOrigin(browser);
  /** Since the program began: the worker is older. */
  const upMs = (): number => environment.internalBinding('performance').now();
  /** What the sandbox's memory holds: all that can be known. */
  const memoryBytes = (what: string): number => {
    sayHeapUnknown(environment, what);
    return tree.usage().bytes;
  };
  /** A worker is told no processor time: it is the time in which the loop had something to do. */
  const cpuMicroseconds = (): number => Math.round((upMs() - environment.nodeLoop.idleMs) * 1000);

  return Object.assign(binding, {
    hrtimeBuffer: hrtimeFields,
    hrtime() {
      const ms = browser.performanceNow() + origin;
      const seconds = Math.floor(ms / 1000);
      hrtimeFields[0] = Math.floor(seconds / 0x1_0000_0000);
      hrtimeFields[1] = seconds >>> 0;
      hrtimeFields[2] = Math.floor((ms - seconds * 1000) * 1e6);
    },
    hrtimeBigInt() {
      hrtimeBig[0] = BigInt(Math.floor((browser.performanceNow() + origin) * 1e3)) * 1000n;
    },
    cwd: () => state.cwd,
    chdir(directory: string) {
      const ino = tree.lookup(environment.absolute(directory));
      if (ino < 0) throw environment.uvException(ino, 'chdir', state.cwd, directory);
      if (tree.typeOf(ino) !== FILE_TYPE.directory)
        throw environment.uvException(ENOTDIR, 'chdir', state.cwd, directory);
      state.cwd = tree.pathOf(ino);
    },
    umask(mask?: number) {
      const previous = state.umask;
      if (mask !== undefined) state.umask = mask & 0o777;
      return previous;
    },
    memoryUsage(out: Float64Array) {
      out.fill(0);
      const bytes = memoryBytes('process.memoryUsage()');
      out[0] = bytes;
      out[3] = bytes;
    },
    rss: () => memoryBytes('process.memoryUsage.rss()'),
    constrainedMemory: () => 0,
    availableMemory: () => Math.max(0, tree.usage().capacityBytes - tree.usage().bytes),
    cpuUsage(out: Float64Array) {
      out[0] = cpuMicroseconds();
      out[1] = 0;
    },
    threadCpuUsage(out: Float64Array) {
      out[0] = cpuMicroseconds();
      out[1] = 0;
    },
    resourceUsage(out: Float64Array) {
      sayUsageUnknown(environment);
      out.fill(0);
      out[0] = cpuMicroseconds();
      out[2] = Math.ceil(tree.usage().bytes / 1024);
    },
    uptime: () => upMs() / 1000,
    _rawDebug(text: string) {
      environment.writeFully(2, new browser.TextEncoder().encode(`${text}\n`));
    },
    reallyExit: (code: number) => environment.exit(code ?? 0),
    abort() {
      environment.post({ type: 'kill', pid: state.pid, signal: 6 });
      processes.obey();
      throw environment.exitSignal;
    },
    _kill(pid: number, signal: number) {
      if (signal < 0 || signal > MAX_SIGNAL) return EINVAL;
      const target = pid === 0 ? -processes.groupOf(state.slot) : pid;
      if (target < 0) {
        if (!processes.all().some(({ slot }) => processes.groupOf(slot) === -target)) return ESRCH;
      } else if (processes.find(target) < 0) return ESRCH;
      if (signal === 0) return 0;
      environment.post({ type: 'kill', pid: target, signal });
      // A signal to oneself takes effect before kill() returns.
      const acts = target === state.pid && !processes.isHandled(state.slot, signal) && !isIgnoredByDefault(signal);
      if (acts && !processes.obey()) throw environment.exitSignal;
      return 0;
    },
    _getActiveRequests: () => [],
    _getActiveHandles: () =>
      environment.nodeLoop.activeHandles().map((handle: any) => handle[environment.symbols.owner_symbol] ?? handle),
    getActiveResourcesInfo: () => {
      const { timeoutInfo, immediateInfo } = environment.internalBinding('timers');
      return [
        ...environment.nodeLoop.activeHandles().map(resourceName),
        ...new Array(timeoutInfo[0]).fill('Timeout'),
        ...new Array(immediateInfo[1]).fill('Immediate'),
      ];
    },
    patchProcessObject(process: any) {
      Object.defineProperty(process, 'title', {
        enumerable: true,
        configurable: true,
        get: () => state.title,
        set: (title) => {
          state.title = String(title);
        },
      });
      process.argv = [...state.argv];
      process.execArgv = [...state.execArgv];
      Object.defineProperty(process, 'pid', { enumerable: true, configurable: true, value: state.pid });
      Object.defineProperty(process, 'ppid', {
        enumerable: true,
        configurable: true,
        get: () => processes.parentPidOf(state.slot),
      });
      process.execPath = '/usr/local/bin/node';
      process.debugPort = 9229;
    },
    setEmitWarningSync: (warn: (text: string) => void) => setSyncWarning(environment, warn),
    dlopen(_module: unknown, filename: string) {
      if (tree.lookup(environment.absolute(filename)) < 0) throw environment.uvException(ENOENT, 'open', filename);
      throw Object.assign(
        new Error(
          `${filename} is a native addon, which cannot run in a browser. Use the package's WebAssembly build, if it has one.`,
        ),
        { code: 'ERR_DLOPEN_FAILED' },
      );
    },
    execve() {
      throw unsupported('process.execve');
    },
    loadEnvFile: (path: string) => loadEnvFile(environment, path),
  });
};

/** SIGCHLD, SIGCONT, SIGURG and SIGWINCH do nothing unless handled. */
function isIgnoredByDefault(signal: number): boolean {
  return signal === 17 || signal === 18 || signal === 23 || signal === 28;
}

function loadEnvFile(environment: Parameters<Binding>[0], path = '.env'): void {
  const ino = environment.tree.lookup(environment.absolute(path));
  if (ino < 0) throw environment.uvException(ino, 'open', path);
  const parsed = environment.internalBinding('util').parseEnv(environment.tree.readText(ino));
  for (const [name, value] of Object.entries(parsed)) {
    if (!(name in environment.state.env)) environment.state.env[name] = value as string;
  }
}
