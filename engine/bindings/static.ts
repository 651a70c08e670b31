// Bindings that are mostly constants, or whose feature this platform does not have: each is a few lines.
import type { Binding } from '../process/environment';
import { nodeError } from './node-error';

export const config: Binding = ({ dumped }) =>
  Object.assign(dumped('config'), {
    hasInspector: false,
    fipsMode: false,
    getDefaultLocale: () => 'en-US',
  });

/** Each constant as C++ defines it: it can't be written over. */
export const constants: Binding = ({ dumped }) => {
  const seal = (group: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(group)) {
      if (typeof value === 'object' && value !== null) seal(value as Record<string, unknown>);
      else Object.defineProperty(group, name, { writable: false, configurable: false });
    }
  };
  const binding = dumped('constants');
  seal(binding);
  return binding;
};

export const symbols: Binding = (environment) => environment.symbols;

export const traceEvents: Binding = ({ dumped }) => {
  const disabled = new Uint8Array(1);
  return Object.assign(dumped('trace_events'), {
    getCategoryEnabledBuffer: () => disabled,
    isTraceCategoryEnabled: () => false,
    // Nothing listens: tracing is off and enabling it throws (CategorySet).
    trace() {},
    setTraceCategoryStateUpdateHandler() {},
    getEnabledCategories: () => undefined,
  });
};

export const mksnapshot: Binding = ({ dumped }) =>
  Object.assign(dumped('mksnapshot'), {
    isBuildingSnapshotBuffer: new Uint8Array(1),
    setSerializeCallback() {},
    setDeserializeCallback() {},
    setDeserializeMainFunction() {},
  });

/** The permission model is off, as by default. */
export const permission: Binding = () => ({ has: () => true, drop() {} });

export const sea: Binding = ({ dumped }) =>
  Object.assign(dumped('sea'), { isSea: () => false, isExperimentalSeaWarningNeeded: () => false });

export const credentials: Binding = ({ dumped, state, uvException }) => {
  const binding = Object.assign(dumped('credentials'), {
    safeGetenv: (name: string) => state.env[name],
    getTempDir: () => (state.env.TMPDIR || state.env.TMP || state.env.TEMP || '/tmp').replace(/(?<=.)\/$/, ''),
    getuid: () => 0,
    geteuid: () => 0,
    getgid: () => 0,
    getegid: () => 0,
    getgroups: () => [0],
  });
  // There is one user: changing to root is what is already true, anything else is refused.
  for (const name of ['setuid', 'seteuid', 'setgid', 'setegid']) {
    binding[name] = (id: unknown) => {
      if (id !== 0 && id !== 'root') throw uvException(-1, name);
    };
  }
  return binding;
};

export const report: Binding = ({ dumped, dump, state }) => {
  const settings: Record<string, unknown> = {
    Compact: false,
    ExcludeNetwork: false,
    ExcludeEnv: false,
    Directory: '',
    Filename: '',
    Signal: 'SIGUSR2',
  };
  const binding = Object.assign(dumped('report'), {
    shouldReportOnUncaughtException: () => false,
    shouldReportOnSignal: () => false,
    shouldReportOnFatalError: () => false,
    getReport: () =>
      JSON.stringify({
        header: {
          reportVersion: 5,
          event: 'JavaScript API',
          trigger: 'GetReport',
          cwd: state.cwd,
          commandLine: state.argv,
          nodejsVersion: dump.version,
          glibcVersionRuntime: '2.36',
          wordSize: 64,
          arch: 'x64',
          platform: 'linux',
          componentVersions: dump.versions,
          release: dump.release,
          processId: state.pid,
        },
        sharedObjects: [],
      }),
  });
  // No report is written by itself here: turning that off (domains and with them the REPL do) is what is already true.
  for (const occasion of ['UncaughtException', 'Signal', 'FatalError']) {
    const refuse = binding[`setReportOn${occasion}`];
    binding[`setReportOn${occasion}`] = (wanted: boolean) => wanted && refuse(wanted);
  }
  for (const name of Object.keys(settings)) {
    binding[`get${name}`] = () => settings[name];
    binding[`set${name}`] = (value: unknown) => {
      settings[name] = value;
    };
  }
  return binding;
};

/** HTTP/2 is not spoken here; the module loads because others require it, and its sessions throw by name. */
export const http2: Binding = ({ dumped }) => Object.assign(dumped('http2'), { setCallbackFunctions() {} });

/** The names of V8's console, which writes to an attached debugger only. */
const INSPECTOR_CONSOLE =
  'debug error info log warn dir dirxml table trace group groupCollapsed groupEnd clear count countReset assert profile profileEnd time timeLog timeEnd timeStamp context';

/** As in a Node that was started without `--inspect`: nobody listens, which is what most programs ask. To open a port or a session throws. */
export const inspector: Binding = () => {
  const refuse = (): never => {
    throw nodeError(
      Error,
      'ERR_INSPECTOR_NOT_AVAILABLE',
      "Inspector is not available in this sandbox; use the browser's own debugger",
    );
  };
  class Connection {
    constructor() {
      refuse();
    }
  }
  const unheard: Record<string, () => void> = {};
  for (const name of INSPECTOR_CONSOLE.split(' ')) unheard[name] = () => {};
  return {
    Connection,
    MainThreadConnection: Connection,
    open: refuse,
    url: () => undefined,
    isEnabled: () => false,
    waitForDebugger: () => false,
    console: unheard,
    emitProtocolEvent() {},
    putNetworkResource() {},
  };
};
