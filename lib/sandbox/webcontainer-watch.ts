// Watching by the container's own fs.watch. It says "something appeared or went" without saying which, so the path is looked at; and it tells nobody
// when it fails, so the path is looked at before.
import type { WebContainer } from '@webcontainer/api';
import type { FileChange, SandboxFs } from './sandbox';

/** Changes are gathered so long, as the kernel does. */
const BATCH_MS = 60;

/** Reports changes below `path` until the returned function is called; `relative` is the path from the workdir. */
export function watchContainer(
  container: WebContainer,
  fs: Pick<SandboxFs, 'exists' | 'stat'>,
  path: string,
  relative: string,
  listener: (changes: FileChange[]) => void,
): { stop(): void; ready: Promise<void> } {
  const batch = new Map<string, 'rename' | 'change'>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let isFile = false;

  const flush = async (): Promise<void> => {
    timer = undefined;
    const seen = [...batch];
    batch.clear();
    const changes = await Promise.all(
      seen.map(async ([changed, event]): Promise<FileChange> => {
        if (event === 'change') return { path: changed, kind: 'changed' };
        return { path: changed, kind: (await fs.exists(changed)) ? 'created' : 'deleted' };
      }),
    );
    if (!isStopped) listener(changes);
  };

  const onEvent = (event: 'rename' | 'change', name: string | Uint8Array): void => {
    const changed = isFile ? path : `${path}/${typeof name === 'string' ? name : new TextDecoder().decode(name)}`;
    if (batch.get(changed) !== 'rename') batch.set(changed, event);
    timer ??= setTimeout(() => void flush(), BATCH_MS);
  };

  const watcher = container.fs.watch(relative, { recursive: true }, onEvent);
  // The host handles calls in their order: when this one is answered, the watch before it has begun.
  const ready = Promise.all([
    fs.stat(path).then((stat) => {
      isFile = stat.kind !== 'directory';
    }),
    container.fs.readdir(relative),
  ]).then(
    () => {},
    () => {},
  );
  return {
    ready,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}
