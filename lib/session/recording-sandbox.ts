// The sandbox as tools see it: every change they make through it is recorded with what was there before, so that undo can take back
// exactly those bytes. Commands run in the real one; their effects are theirs.
import { realPath } from '../sandbox/real-path';
import type { Sandbox } from '../sandbox/sandbox';
import { parentPath } from '../std/paths';

/** One file before and after; null: there was none. */
export interface RecordedWrite {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  /** Permission bits of what was there. */
  mode?: number;
  /** The topmost directory that was made for it. */
  made?: string;
}

/** Cloche's own logs; nothing to undo there. */
const unrecorded = '/tmp/cloche/';

/** `record` is awaited before the change is made. A new object per call, so per session. */
export function recordingSandbox(sandbox: Sandbox, record: (writes: RecordedWrite[]) => Promise<void>): Sandbox {
  const { fs } = sandbox;
  const existing = async (path: string): Promise<Uint8Array | null> => {
    try {
      return Uint8Array.from(await fs.read(path));
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return null;
      throw error;
    }
  };
  const modeOf = async (path: string) => (await fs.stat(path)).mode;
  /** To be spread into a record of what is about to be put there. */
  const madeFor = async (path: string): Promise<{ made?: string }> => {
    let made: string | undefined;
    for (let at = parentPath(path); !(await fs.exists(at)); at = parentPath(at)) made = at;
    return made === undefined ? {} : { made };
  };
  const filesBelow = async (path: string): Promise<string[]> => {
    if ((await fs.stat(path)).kind !== 'directory') return [path];
    const entries = await fs.list(path);
    return (await Promise.all(entries.map((entry) => filesBelow(`${path}/${entry.name}`)))).flat();
  };
  return {
    ...sandbox,
    fs: {
      ...fs,
      async write(path, contents) {
        if (!path.startsWith(unrecorded)) {
          // A file behind a link is recorded where it is; a missing one where it will be.
          const real = await realPath(fs, path);
          const after = typeof contents === 'string' ? new TextEncoder().encode(contents) : Uint8Array.from(contents);
          await record([{ path: real, before: await existing(real), after, ...(await madeFor(real)) }]);
        }
        await fs.write(path, contents);
      },
      async remove(path) {
        const files = await filesBelow(path);
        await record(
          await Promise.all(
            files.map(async (file) => ({
              path: file,
              before: await existing(file),
              after: null,
              mode: await modeOf(file),
            })),
          ),
        );
        await fs.remove(path);
      },
      async move(from, to) {
        const writes: RecordedWrite[] = [];
        for (const file of await filesBelow(from)) {
          const bytes = await existing(file);
          const target = to + file.slice(from.length);
          writes.push(
            { path: target, before: await existing(target), after: bytes, ...(await madeFor(target)) },
            { path: file, before: bytes, after: null, mode: await modeOf(file) },
          );
        }
        await record(writes);
        await fs.move(from, to);
      },
      async copy(from, to) {
        const writes: RecordedWrite[] = [];
        for (const file of await filesBelow(from)) {
          const target = to + file.slice(from.length);
          const [before, after] = [await existing(target), await existing(file)];
          writes.push({ path: target, before, after, ...(await madeFor(target)) });
        }
        await record(writes);
        await fs.copy(from, to);
      },
    },
  };
}
