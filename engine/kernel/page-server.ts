// Answers the page's calls and messages: one function per call of PageCalls, each result or failure goes back once.
import type { Ipc } from '../ipc/types';
import { PROCESS_STATE } from '../ipc/types';
import type { FileTree } from '../tree/types';
import type { BaseImage } from './base-image';
import { checked, Failure } from './failure';
import { createFiles } from './files';
import { mountSnapshot, takeSnapshot } from './mount';
import type { Network } from './network';
import { createPageProcesses } from './page-processes';
import type {
  KernelPageMessage,
  PageCall,
  PageCalls,
  PageMessage,
  PathChange,
  RunningProcess,
  RunRequest,
} from './page-protocol';
import type { Persistence } from './persistence/persistence';
import type { ProcessControl } from './process-control';
import type { SearchClient } from './search-client';
import type { Watched, Watches } from './watches';

export interface PageServerOptions {
  ipc: Ipc;
  tree: FileTree;
  control: ProcessControl;
  watches: Watches;
  search: SearchClient;
  network(): Network | undefined;
  /** To undefined when nothing is kept. */
  keeping: Promise<Persistence | undefined>;
  /** Its programs can be run when it is in place. */
  image: BaseImage;
  /** The page has said so. */
  settled(): void;
  send(message: KernelPageMessage, transfer?: Transferable[]): void;
}

type Implementation = {
  [Method in keyof PageCalls]: (
    args: Parameters<PageCalls[Method]>,
    signal: AbortSignal,
  ) => ReturnType<PageCalls[Method]> | Promise<ReturnType<PageCalls[Method]>>;
};

const PAGE_WATCH = 'page:';
/** Changes are gathered so long that a burst (an install) becomes few messages. */
const BATCH_MS = 60;
const STATE_NAMES: Record<number, RunningProcess['state']> = {
  [PROCESS_STATE.starting]: 'starting',
  [PROCESS_STATE.running]: 'running',
  [PROCESS_STATE.stopped]: 'stopped',
  [PROCESS_STATE.zombie]: 'zombie',
};

/** Serves one page; returns what takes its messages. */
export function createPageServer(options: PageServerOptions): (message: PageMessage) => void {
  const { ipc, tree, send, watches } = options;
  const files = createFiles(tree);
  const pageProcesses = createPageProcesses(ipc, tree, options.control, send);
  const running = new Map<number, AbortController>();
  /** Shells that were started before the image was there: what is typed into them waits for it, for it may be the name of a program in it. */
  const early = new Set<number>();
  let imageIsMounted = false;
  const image = options.image.ready.then(() => {
    imageIsMounted = true;
    early.clear();
  });
  const wholeImage = (): Promise<void> => {
    options.image.begin();
    return image;
  };
  /** A prompt needs nothing of the image, unless a start file of the person's does. */
  const isPlainShell = ({ command, args, terminal, env }: RunRequest): boolean =>
    terminal !== undefined &&
    args.length === 0 &&
    /^(?:\/bin\/|\/usr\/bin\/)?(?:ba)?sh$/.test(command) &&
    tree.lookup(`${env.HOME}/.bashrc`) < 0;
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

  const watch = (watchId: number, path: string): void => {
    const batch = new Map<string, PathChange['kind']>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      const changes = [...batch].map(([changed, kind]) => ({ path: changed, kind }));
      batch.clear();
      send({ type: 'changes', watchId, changes });
    };
    const onChanges = (changes: Watched[]): void => {
      for (const change of changes) {
        if (change.kind === 'overflow') batch.set(path, 'changed');
        else if (change.kind === 'rename')
          batch.set(change.path, tree.lookup(change.path, false) > 0 ? 'created' : 'deleted');
        else if (!batch.has(change.path)) batch.set(change.path, 'changed');
      }
      if (timer === undefined) timer = setTimeout(flush, BATCH_MS);
    };
    checked(watches.add(`${PAGE_WATCH}${watchId}`, path, true, onChanges), 'watch', path);
  };

  const calls: Implementation = {
    read: ([path]) => files.read(path),
    write: ([path, contents]) => files.write(path, contents),
    list: ([path]) => files.list(path),
    stat: ([path]) => files.stat(path),
    exists: ([path]) => files.exists(path),
    makeDirectory: ([path]) => files.makeDirectory(path),
    move: ([from, to]) => files.move(from, to),
    copy: ([from, to]) => files.copy(from, to),
    remove: ([path]) => files.remove(path),
    realpath: ([path]) => files.realpath(path),
    readlink: ([path]) => files.readlink(path),
    setMode: ([path, mode]) => files.setMode(path, mode),
    watch: ([watchId, path]) => watch(watchId, path),
    searchText: async ([search], signal) =>
      (await options.search.run({ kind: 'text', search }, signal)) as ReturnType<PageCalls['searchText']>,
    searchFiles: async ([search], signal) =>
      (await options.search.run({ kind: 'files', search }, signal)) as ReturnType<PageCalls['searchFiles']>,
    snapshot: ([path]) => takeSnapshot(tree, path),
    mount: ([snapshot, path]) => mountSnapshot(tree, snapshot, path, pause),
    run: async ([request]) => {
      if (!isPlainShell(request)) await wholeImage();
      const pid = pageProcesses.run(request);
      if (!imageIsMounted) early.add(pid);
      return pid;
    },
    processes: () =>
      ipc.processes
        .all()
        .filter(({ slot }) => slot > 0)
        .map(({ slot, pid }) => ({
          pid,
          ppid: ipc.processes.parentPidOf(slot),
          command: ipc.processes.commandOf(slot),
          startedAtMs: ipc.processes.startedAtOf(slot),
          state: STATE_NAMES[ipc.processes.stateOf(slot)] ?? 'zombie',
        })),
    flush: async () => {
      const persistence = await options.keeping;
      if (!persistence) throw new Failure('ENOTSUP', 'The files of this sandbox are not kept.');
      await persistence.flush();
    },
    usage: () => ({ processes: ipc.processes.usedCount() - 1, ...tree.usage() }),
  };

  const answer = async (id: number, call: PageCall): Promise<void> => {
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const run = calls[call.method] as (args: unknown[], signal: AbortSignal) => unknown;
      if (run === undefined) throw new Failure('ENOSYS', `The kernel has no call ${call.method}.`);
      const value = await run(call.args, abort.signal);
      send({ type: 'result', id, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
    } catch (error) {
      if (error instanceof Failure) {
        send({ type: 'failure', id, code: error.code, message: error.message, path: error.path });
      } else {
        send({ type: 'failure', id, code: 'EIO', message: error instanceof Error ? error.message : String(error) });
      }
    } finally {
      running.delete(id);
    }
  };

  return (message) => {
    switch (message.type) {
      case 'call':
        return void answer(message.id, message.call);
      case 'cancel':
        return running.get(message.id)?.abort();
      case 'unwatch':
        return watches.remove(`${PAGE_WATCH}${message.watchId}`);
      case 'settled':
        return options.settled();
      case 'preview': {
        const network = options.network();
        if (network) network.preview(message.port, message.channel);
        else send({ type: 'fault', message: 'This engine was built without a network.' });
        return;
      }
      case 'input':
      case 'inputEnd':
        if (imageIsMounted || !early.has(message.pid)) return pageProcesses.receive(message);
        void wholeImage().then(() => pageProcesses.receive(message));
        return;
      case 'credit':
      case 'resize':
      case 'signal':
        return pageProcesses.receive(message);
    }
  };
}
