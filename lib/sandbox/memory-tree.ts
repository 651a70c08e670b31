// The file tree of the memory sandbox: plain maps, POSIX rules, Node's error codes. Small on purpose; no links, and permission bits
// that keep nobody out.
import { baseName, normalizePath, parentPath } from '../std/paths';
import { type DirEntry, type FileChange, type FileStat, SandboxError, type SandboxFs } from './sandbox';

interface FileNode {
  kind: 'file';
  bytes: Uint8Array;
  mtimeMs: number;
  mode: number;
}
interface DirectoryNode {
  kind: 'directory';
  children: Map<string, TreeNode>;
  mtimeMs: number;
  mode: number;
}
type TreeNode = FileNode | DirectoryNode;

/** A SandboxFs in ordinary memory. Watchers are told in one batch per macrotask. */
export function memoryTree(): SandboxFs {
  const root: DirectoryNode = { kind: 'directory', children: new Map(), mtimeMs: Date.now(), mode: 0o755 };
  const watchers = new Set<{ path: string; listener: (changes: FileChange[]) => void; pending: FileChange[] }>();

  const find = (path: string): TreeNode | undefined => {
    let node: TreeNode = root;
    for (const name of segments(path)) {
      if (node.kind !== 'directory') throw new SandboxError('ENOTDIR', `ENOTDIR: not a directory, '${path}'`, path);
      const next = node.children.get(name);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  };
  const get = (path: string): TreeNode => {
    const node = find(path);
    if (node === undefined) throw new SandboxError('ENOENT', `ENOENT: no such file or directory, '${path}'`, path);
    return node;
  };
  const ensureDirectory = (path: string): DirectoryNode => {
    let node: DirectoryNode = root;
    let at = '';
    for (const name of segments(path)) {
      at += `/${name}`;
      let next = node.children.get(name);
      if (next === undefined) {
        next = { kind: 'directory', children: new Map(), mtimeMs: Date.now(), mode: 0o755 };
        node.children.set(name, next);
        report({ path: at, kind: 'created' });
      }
      if (next.kind !== 'directory') throw new SandboxError('ENOTDIR', `ENOTDIR: not a directory, '${path}'`, path);
      node = next;
    }
    return node;
  };
  const report = (change: FileChange) => {
    for (const watcher of watchers) {
      if (watcher.path !== '/' && change.path !== watcher.path && !change.path.startsWith(`${watcher.path}/`)) continue;
      watcher.pending.push(change);
      if (watcher.pending.length > 1) continue;
      setTimeout(() => {
        const batch = watcher.pending.splice(0);
        if (watchers.has(watcher)) watcher.listener(batch);
      }, 0);
    }
  };
  const detach = (path: string): TreeNode => {
    const node = get(path);
    if (normalizePath(path) === '/') throw new SandboxError('EBUSY', `EBUSY: the root, '${path}'`, path);
    (get(parentPath(normalizePath(path))) as DirectoryNode).children.delete(baseName(normalizePath(path)));
    report({ path: normalizePath(path), kind: 'deleted' });
    return node;
  };
  const attach = (path: string, node: TreeNode) => {
    const parent = ensureDirectory(parentPath(path));
    const existed = parent.children.has(baseName(path));
    parent.children.set(baseName(path), node);
    report({ path, kind: existed ? 'changed' : 'created' });
  };

  const read = (path: string): Uint8Array => {
    const node = get(path);
    if (node.kind === 'directory')
      throw new SandboxError('EISDIR', `EISDIR: illegal operation on a directory, read '${path}'`, path);
    return node.bytes.slice();
  };

  return {
    read: async (path) => read(path),
    readText: async (path) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(read(path)),
    async write(path, contents) {
      const target = normalizePath(path);
      if (find(target)?.kind === 'directory' || target === '/')
        throw new SandboxError('EISDIR', `EISDIR: illegal operation on a directory, open '${path}'`, path);
      const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents.slice();
      attach(target, { kind: 'file', bytes, mtimeMs: Date.now(), mode: find(target)?.mode ?? 0o644 });
    },
    async list(path) {
      const node = get(path);
      if (node.kind !== 'directory')
        throw new SandboxError('ENOTDIR', `ENOTDIR: not a directory, scandir '${path}'`, path);
      const entries: DirEntry[] = [...node.children].map(([name, child]) => ({ name, kind: child.kind }));
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async stat(path): Promise<FileStat> {
      const node = get(path);
      const size = node.kind === 'file' ? node.bytes.length : 0;
      return { kind: node.kind, size, mtimeMs: node.mtimeMs, mode: node.mode };
    },
    async exists(path) {
      try {
        return find(path) !== undefined;
      } catch {
        return false;
      }
    },
    async makeDirectory(path) {
      if (find(path)?.kind === 'file')
        throw new SandboxError('EEXIST', `EEXIST: file already exists, mkdir '${path}'`, path);
      ensureDirectory(path);
    },
    async move(from, to) {
      get(from);
      if (`${normalizePath(to)}/`.startsWith(`${normalizePath(from)}/`) && normalizePath(to) !== normalizePath(from))
        throw new SandboxError('EINVAL', `EINVAL: can't move '${from}' into itself, '${to}'`, from);
      attach(normalizePath(to), detach(from));
    },
    async copy(from, to) {
      attach(normalizePath(to), cloneNode(get(from)));
    },
    async remove(path) {
      detach(path);
    },
    async setMode(path, mode) {
      get(path).mode = mode & 0o7777;
      report({ path: normalizePath(path), kind: 'changed' });
    },
    async realpath(path) {
      get(path);
      return normalizePath(path);
    },
    async readlink(path) {
      get(path);
      throw new SandboxError('EINVAL', `EINVAL: invalid argument, readlink '${path}'`, path);
    },
    watch(path, listener) {
      const watcher = { path: normalizePath(path), listener, pending: [] };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

function segments(path: string): string[] {
  if (!path.startsWith('/')) throw new SandboxError('EINVAL', `EINVAL: not an absolute path, '${path}'`, path);
  return normalizePath(path).split('/').filter(Boolean);
}

function cloneNode(node: TreeNode): TreeNode {
  if (node.kind === 'file') return { kind: 'file', bytes: node.bytes.slice(), mtimeMs: Date.now(), mode: node.mode };
  const children = new Map([...node.children].map(([name, child]) => [name, cloneNode(child)] as const));
  return { kind: 'directory', children, mtimeMs: Date.now(), mode: node.mode };
}
