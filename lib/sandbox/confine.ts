// A sandbox for those who may only look: what it starts runs under a policy that the backend enforces, and its own fs refuses to change
// what lies outside the writable places.
import { globExpression } from '../std/glob';
import { isInside, normalizePath } from '../std/paths';
import { realPath } from './real-path';
import { type FilePolicy, type Sandbox, SandboxError, type SandboxFs } from './sandbox';

/**
 * A view of `sandbox` under a policy. Hidden names count for processes only: whoever reads by path has been judged by that path. A process may
 * be started with other `hidden` names (one that the person has just allowed), never with more `writable` places.
 */
export function confineSandbox(sandbox: Sandbox, policy: FilePolicy): Sandbox {
  const { hidden: _hidden, ...forFs } = policy;
  return {
    ...sandbox,
    policy,
    fs: confinedFs(sandbox.fs, forFs),
    spawn(command, args, options = {}) {
      const hidden = options.policy?.hidden ?? policy.hidden;
      return sandbox.spawn(command, args, { ...options, policy: { ...policy, ...(hidden && { hidden }) } });
    },
    mount(snapshot, path) {
      return policy.writable === undefined ? sandbox.mount(snapshot, path) : Promise.reject(refusal('mount', path));
    },
  };
}

/** A view of `sandbox` in which a process is under the policy that holds when it starts. */
export function underPolicy(sandbox: Sandbox, policy: () => FilePolicy | undefined): Sandbox {
  return {
    ...sandbox,
    spawn(command, args, options = {}) {
      const now = policy();
      return now === undefined
        ? sandbox.spawn(command, args, options)
        : sandbox.spawn(command, args, { ...options, policy: now });
    },
  };
}

/** `fs` under the policy: EROFS for changes elsewhere, ENOENT for what is hidden and EACCES for making it. Judged by real paths. */
export function confinedFs(fs: SandboxFs, { writable, hidden = [] }: FilePolicy): SandboxFs {
  const globs = hidden.map((glob) => ({
    hides: !glob.startsWith('!'),
    name: globExpression(glob.replace(/^!/, ''), { ignoreCase: true }),
  }));
  const isHiddenName = (name: string): boolean => globs.findLast((glob) => glob.name.test(name))?.hides ?? false;
  const isHidden = (path: string): boolean => normalizePath(path).split('/').some(isHiddenName);

  /** The path without links, as far as it is there. */
  const real = (path: string): Promise<string> => realPath(fs, normalizePath(path));
  const see = async (path: string, action: string): Promise<void> => {
    if (globs.length > 0 && (isHidden(path) || isHidden(await real(path))))
      throw new SandboxError('ENOENT', `ENOENT: no such file or directory, ${action} '${path}'`, path);
  };
  const change = async (path: string, action: string): Promise<void> => {
    const place = await real(path);
    if (globs.length > 0 && (isHidden(path) || isHidden(place)))
      throw new SandboxError('EACCES', `EACCES: permission denied, ${action} '${path}'`, path);
    if (writable !== undefined && !writable.some((root) => isInside(place, root))) throw refusal(action, path);
  };

  return {
    ...fs,
    read: (path) => see(path, 'open').then(() => fs.read(path)),
    readText: (path) => see(path, 'open').then(() => fs.readText(path)),
    async list(path) {
      await see(path, 'scandir');
      return (await fs.list(path)).filter((entry) => !isHiddenName(entry.name));
    },
    stat: (path) => see(path, 'stat').then(() => fs.stat(path)),
    exists: async (path) =>
      see(path, 'access').then(
        () => fs.exists(path),
        () => false,
      ),
    realpath: (path) => see(path, 'realpath').then(() => fs.realpath(path)),
    readlink: (path) => see(path, 'readlink').then(() => fs.readlink(path)),
    write: (path, contents) => change(path, 'open').then(() => fs.write(path, contents)),
    async makeDirectory(path) {
      // As mkdir -p: what is there needs no change.
      if (!(await fs.exists(path))) await change(path, 'mkdir');
      await fs.makeDirectory(path);
    },
    async move(from, to) {
      await see(from, 'rename');
      await change(from, 'rename');
      await change(to, 'rename');
      await fs.move(from, to);
    },
    async copy(from, to) {
      await see(from, 'cp');
      await change(to, 'cp');
      await fs.copy(from, to);
    },
    async remove(path) {
      await see(path, 'rm');
      await change(path, 'rm');
      await fs.remove(path);
    },
    async setMode(path, mode) {
      await see(path, 'chmod');
      await change(path, 'chmod');
      await fs.setMode(path, mode);
    },
  };
}

function refusal(action: string, path: string): SandboxError {
  return new SandboxError('EROFS', `EROFS: read-only file system, ${action} '${path}'`, path);
}
