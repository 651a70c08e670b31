// A process: one worker. Pre-boots Node on `prepare`, waits in the kernel's pool, becomes a process on `start`.

import './no-hex';
import { parseDotenv } from '../bindings/dotenv';
import { becomeThread } from '../bindings/worker';
import { openIpc } from '../ipc/ipc';
import type { DescriptorTable, Ipc } from '../ipc/types';
import type { KernelMessage, ProcessAssets, ProcessMessage, SpawnRequest, ThreadBoot } from '../kernel/protocol';
import { confine } from '../tree/confine';
import { openTree, type Tree } from '../tree/tree';
import { FILE_TYPE, type FilePolicy } from '../tree/types';
import { applyOptions } from './apply-options';
import { mainScript, parseCommandLine } from './command-line';
import { readEnvFiles } from './env-files';
import { asNodeReads } from './given-text';
import { bashCompletion } from './option-limits';
import { bootRealm, type Realm } from './realm';
import { scriptRun } from './run-script';
import { compileShell, runShell } from './shell-program';
import { applyTimeZone } from './time-zone';
import { forgetProgram } from './worker-reuse';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const send = scope.postMessage.bind(scope);
const engineScript = scope.location.href;

/** Longer than the kernel takes to send what has waited for this worker. */
const SHELL_DELAY_MS = 15;

let realm: Realm | undefined;
let ipc: Ipc | undefined;
let tree: Tree | undefined;
let assets: ProcessAssets | undefined;
let shell: Function | undefined;

function prepare(memory: WebAssembly.Memory, given: ProcessAssets): void {
  assets = given;
  tree = openTree(memory);
  const opened = openIpc(memory, tree, -1, 0);
  ipc = opened;
  realm = bootRealm(given, {
    tree,
    ipc: {
      descriptions: opened.descriptions,
      processes: opened.processes,
      become: opened.become,
      descriptors: tableOfThisProcess(opened),
    },
    ports: opened.ports,
    recordLocks: opened.recordLocks,
    pipes: opened.pipes,
    terminals: opened.terminals,
    activity: opened.activity,
    waitForActivity: opened.waitForActivity,
    engineScript,
  });
  send({ type: 'ready' });
  // After a while: a start that waits already may be another program's.
  const { environment } = realm;
  environment.browser.setTimeout(() => {
    if (environment.state.slot === -1) shell = compiledShell(given.shell);
  }, SHELL_DELAY_MS);
}

function compiledShell(source: Uint8Array): Function {
  shell ??= compileShell(realm as Realm, source);
  return shell;
}

/** The descriptor table of a slot that is known only once the process starts. */
function tableOfThisProcess(opened: Ipc): DescriptorTable {
  const table = (): DescriptorTable => opened.tableOf(realm?.environment.state.slot ?? -1);
  return {
    openFile: (ino, flags) => table().openFile(ino, flags),
    openPipe: () => table().openPipe(),
    openPair: () => table().openPair(),
    openTerminal: (terminal) => table().openTerminal(terminal),
    get: (fd) => table().get(fd),
    close: (fd) => table().close(fd),
    duplicate: (fd, from) => table().duplicate(fd, from),
    duplicateTo: (fd, to) => table().duplicateTo(fd, to),
    giveTo: (slot, fd, asFd) => table().giveTo(slot, fd, asFd),
    giveLowest: (slot, fd) => table().giveLowest(slot, fd),
    list: () => table().list(),
    closeAll: () => table().closeAll(),
  };
}

function start(program: string, request: SpawnRequest, ppid: number, policy: FilePolicy | undefined): void {
  if (!realm || !ipc || !assets || !tree) throw new Error('start before prepare');
  const { environment } = realm;
  const { state } = environment;
  ipc.become(request.slot, request.pid);
  if (policy) confine(tree, policy);
  forgetProgram(environment);
  Object.assign(state, { pid: request.pid, slot: request.slot, ppid, cwd: request.cwd, umask: request.umask });
  Object.assign(state.env, request.env);
  if (state.env.TZ !== undefined) applyTimeZone(state.env.TZ, environment.browser.Proxy);
  if (program !== 'node') {
    runShell(realm, program, request.argv, compiledShell(assets.shell));
    return;
  }
  for (const [name, value] of Object.entries(state.env)) state.env[name] = asNodeReads(value);
  const words = request.argv.map(asNodeReads);
  const parse = () => parseCommandLine(words.slice(1), environment.dump, environment.reader, state.env);
  let line = parse();
  const given = readEnvFiles(line.execArgv, textOf, parseDotenv);
  if (given.notes.length > 0) say(given.notes.map((note) => `${note}\n`).join(''));
  for (const [name, value] of given.variables) state.env[name] ??= value;
  if (given.variables.has('TZ')) applyTimeZone(state.env.TZ, environment.browser.Proxy);
  if (given.variables.size > 0) line = parse();
  const problem = given.problem ?? line.problem;
  if (problem) fail(`${words[0]}: ${problem}\n`, 9);
  if (typeof line.options['--run'] === 'string') return runScript(line.options['--run'], line.rest);
  if (typeof line.options['--title'] === 'string') state.title = line.options['--title'];
  if (typeof line.options['--stack-trace-limit'] === 'number')
    Error.stackTraceLimit = line.options['--stack-trace-limit'];
  if (line.options['--warnings'] !== false && state.env.NODE_NO_WARNINGS !== '1')
    say(line.notes.map((note) => `(node:${request.pid}) Warning: ${note}\n`).join(''));
  state.options = line.options;
  state.execArgv = line.execArgv;
  state.argv = [words[0], ...line.rest];
  const isTerminal = environment.descriptions.terminalOf(environment.descriptors.get(0)) !== undefined;
  const main = mainScript(line, isTerminal);
  if (main === 'version' || main === 'completion') {
    const { version, cliOptionsInfo } = environment.dump;
    const names = [...environment.reader.revive(cliOptionsInfo, 'options').options.keys()];
    const text = main === 'version' ? version : bashCompletion(names);
    environment.writeFully(1, new environment.browser.TextEncoder().encode(`${text}\n`));
    environment.exit(0);
  }
  applyOptions(environment);
  realm.start(main);

  function say(message: string): void {
    environment.writeFully(2, new environment.browser.TextEncoder().encode(message));
  }

  function fail(message: string, code: number): never {
    say(message);
    return environment.exit(code);
  }

  function textOf(path: string): string | undefined {
    const ino = environment.tree.lookup(environment.absolute(path));
    return ino < 0 || environment.tree.typeOf(ino) !== FILE_TYPE.file ? undefined : environment.tree.readText(ino);
  }

  function runScript(name: string, rest: string[]): void {
    const run = scriptRun(name, rest, state.cwd, state.env.PATH ?? '', textOf);
    if ('problem' in run) return fail(run.problem, 1);
    const { pid, slot, cwd, umask } = request;
    const env = { ...state.env, ...run.env };
    send({ type: 'exec', pid, slot, cwd, umask, file: '/bin/sh', argv: run.argv, env } satisfies ProcessMessage);
  }
}

function startThread(boot: ThreadBoot, slot: number, tid: number, policy: FilePolicy | undefined): void {
  if (!realm || !ipc || !tree) throw new Error('startThread before prepare');
  const { environment } = realm;
  ipc.become(slot, tid);
  if (policy) confine(tree, policy);
  const { pid, ppid, umask, options, execArgv } = boot;
  Object.assign(environment.state, { pid, ppid, slot, umask, options, execArgv, argv: [boot.argv0], thread: boot });
  Object.assign(environment.state.env, boot.env);
  becomeThread(environment);
  realm.start('internal/main/worker_thread');
}

scope.onmessage = ({ data }: MessageEvent<KernelMessage>) => {
  try {
    if (data.type === 'prepare') prepare(data.memory, data.assets);
    else if (data.type === 'start') start(data.program, data.request, data.ppid, data.policy);
    else if (data.type === 'startThread') startThread(data.boot, data.slot, data.tid, data.policy);
    else realm?.deliver(data);
  } catch (error) {
    if (realm && error === realm.environment.exitSignal) return;
    send({ type: 'crash', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
};
