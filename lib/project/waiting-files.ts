// Files that wait in the browser's database to be brought into a project's computer: those that a new project starts with, and those of a project that
// was last open before projects had a file of their own. Once they are safe there, they are removed here, for good.
import type { Sandbox } from '../sandbox/sandbox';
import { joinPath } from '../std/paths';
import { filesOf, type Project, projectDatabase, type WaitingFile } from './database';
import { type Link, makeLinks } from './links';

const packages = 'node_modules';
const batch = 64;

/**
 * Writes everything that waits for a project into its computer; `onProgress` gets how many files are done, and of how many. Where the computer keeps nothing, it waits on.
 * Rejects when it can't be written or removed: going on then could later put old contents over new ones.
 */
export async function bringIn(
  sandbox: Sandbox,
  project: Project['id'],
  onProgress: (done: number, all: number) => void = () => {},
): Promise<void> {
  const db = await projectDatabase();
  const keys = await db.getAllKeys('files', filesOf(project));
  await sandbox.fs.makeDirectory(sandbox.workdir);
  const links: Link[] = [];
  for (let at = 0; at < keys.length; at += batch) {
    const files = await Promise.all(keys.slice(at, at + batch).map((key) => db.get('files', key)));
    await Promise.all(files.map((file) => file && bringOne(sandbox, file, links)));
    await makeExecutable(
      sandbox,
      files.flatMap((file) => (file?.executable ? [joinPath(sandbox.workdir, file.path)] : [])),
    );
    onProgress(Math.min(keys.length, at + batch), keys.length);
  }
  // Last, so that nothing is written through one.
  await makeLinks(sandbox, links);
  const kept = await db.get('packages', project);
  if (kept) await sandbox.mount(kept.bytes, joinPath(sandbox.workdir, packages));
  if (keys.length > 0 || kept) await settle(sandbox, project);
}

async function bringOne(
  sandbox: Sandbox,
  { kind, path: relative, contents }: WaitingFile,
  links: Link[],
): Promise<void> {
  const path = joinPath(sandbox.workdir, relative);
  switch (kind) {
    case 'directory':
      return sandbox.fs.makeDirectory(path);
    case 'file':
      return sandbox.fs.write(path, contents);
    case 'link':
      links.push({ path, target: new TextDecoder().decode(contents) });
  }
}

async function makeExecutable(sandbox: Sandbox, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const child = await sandbox.spawn('chmod', ['+x', '--', ...paths]);
  const end = await child.exit;
  if (end.kind !== 'exited' || end.code !== 0) throw new Error(`chmod +x failed for ${paths.join(', ')}.`);
}

async function settle({ storage }: Sandbox, project: Project['id']): Promise<void> {
  if (storage === undefined || storage.state().kind === 'unkept') return;
  try {
    await storage.flush();
  } catch {
    // The storage tells why by itself. When it works again, everything is safe, and nothing may come a second time.
    const stop = storage.subscribe(() => {
      if (storage.state().kind !== 'saved') return;
      stop();
      void forget(project);
    });
    return;
  }
  await forget(project);
}

async function forget(project: Project['id']): Promise<void> {
  const tx = (await projectDatabase()).transaction(['files', 'packages'], 'readwrite');
  void tx.objectStore('files').delete(filesOf(project));
  void tx.objectStore('packages').delete(project);
  await tx.done;
}
