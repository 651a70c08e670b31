// What process_wrap and spawn_sync share: finding the program, taking a slot, filling the child's descriptors, telling the kernel.
import { EACCES, ENOENT, ENOTDIR, EPERM } from '../memory/errno';
import type { ProcessEnvironment } from '../process/environment';
import { FILE_TYPE } from '../tree/types';

export interface ChildOptions {
  file: string;
  /** Any values: C++ makes strings of them. */
  args?: unknown[];
  cwd?: string;
  envPairs?: string[];
  detached?: boolean;
  uid?: number;
  gid?: number;
}

/** `give(childSlot)` installs the child's descriptors; it returns a negative errno on failure. */
export interface Child {
  pid: number;
  slot: number;
}

const O_RDWR = 2;

function isExecutableFile({ tree }: ProcessEnvironment, path: string): boolean | undefined {
  const ino = tree.lookup(path);
  if (ino < 0 || tree.typeOf(ino) !== FILE_TYPE.file) return undefined;
  return (tree.modeOf(ino) & 0o111) !== 0;
}

/** Absolute path of the program as execvp finds it, or ENOENT or EACCES. */
function findProgram(environment: ProcessEnvironment, file: string, path: string, cwd: string): string | number {
  const absolute = (name: string): string => (name.startsWith('/') ? name : `${cwd === '/' ? '' : cwd}/${name}`);
  if (file.includes('/')) {
    const executable = isExecutableFile(environment, absolute(file));
    return executable === undefined ? ENOENT : executable ? absolute(file) : EACCES;
  }
  let refused = false;
  for (const folder of path.split(':')) {
    const candidate = absolute(`${folder || '.'}/${file}`);
    const executable = isExecutableFile(environment, candidate);
    if (executable) return candidate;
    refused ||= executable === false;
  }
  return refused ? EACCES : ENOENT;
}

/** Starts a child whose descriptors `give` installs; a negative errno when it cannot. */
export function startChild(
  environment: ProcessEnvironment,
  options: ChildOptions,
  give: (slot: number) => number,
): Child | number {
  const { processes, tree, state } = environment;
  if ((options.uid ?? 0) !== 0 || (options.gid ?? 0) !== 0) return EPERM;
  const cwd = options.cwd ? environment.absolute(options.cwd) : state.cwd;
  const directory = tree.lookup(cwd);
  if (directory < 0) return ENOENT;
  if (tree.typeOf(directory) !== FILE_TYPE.directory) return ENOTDIR;
  const env: Record<string, string> = {};
  if (options.envPairs) {
    for (const pair of options.envPairs) {
      const equals = pair.indexOf('=', 1);
      if (equals > 0) env[pair.slice(0, equals)] = pair.slice(equals + 1);
    }
  } else Object.assign(env, state.env);
  const file = findProgram(
    environment,
    options.file,
    env.PATH ?? state.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    cwd,
  );
  if (typeof file === 'number') return file;
  const child = processes.allocate(state.slot);
  if (typeof child === 'number') return child;
  const given = give(child.slot);
  if (given < 0) {
    processes.end(child.slot, 127, 0);
    processes.reap(child.slot);
    return given;
  }
  if (options.detached) {
    processes.setGroup(child.slot, child.pid);
    processes.setSession(child.slot, child.pid);
  }
  environment.post({
    type: 'spawn',
    ...child,
    file,
    argv: options.args?.map(String) ?? [options.file],
    env,
    cwd: tree.pathOf(directory),
    umask: state.umask,
  });
  return child;
}

/** Gives the child `/dev/null` as `asFd`. */
export function giveNull(environment: ProcessEnvironment, slot: number, asFd: number): number {
  const fd = environment.descriptors.openFile(environment.tree.lookup('/dev/null'), O_RDWR);
  if (fd < 0) return fd;
  const given = environment.descriptors.giveTo(slot, fd, asFd);
  environment.descriptors.close(fd);
  return given;
}

/** Signal name by number, as libuv's tables say. */
export function signalName(environment: ProcessEnvironment, signal: number): string | null {
  const signals: Record<string, number> = environment.internalBinding('constants').os.signals;
  return Object.keys(signals).find((name) => signals[name] === signal) ?? null;
}
