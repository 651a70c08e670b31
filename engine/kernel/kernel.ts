// The kernel: one per sandbox, in a worker. It owns no files and no streams (they are in shared memory) but the life of processes,
// the terminals' line discipline, watches, and the page's calls.
import { formatIpc, openIpc } from '../ipc/ipc';
import { ENOSYS } from '../memory/errno';
import { askForText } from '../memory/shared-text';
import type { FileTree } from '../tree/types';
import { writeBaseFiles } from './base-files';
import { createBaseImage } from './base-image';
import { expectFirstPrompt } from './first-prompt';
import type { TreeLocks } from './lock-recovery';
import type { CreateNetwork, Network } from './network';
import type { KernelPageMessage, PageMessage } from './page-protocol';
import { createPageServer } from './page-server';
import type { Persistence } from './persistence/persistence';
import { createProcessControl, type ProcessControl } from './process-control';
import { PROGRAMS } from './program-list';
import type { ProcessAssets, ProcessMessage } from './protocol';
import { createSearchClient, type SearchWorker } from './search-client';
import { createWatches, type Watched } from './watches';
import { createWorkerPool, type ProcessWorker } from './worker-pool';

export interface KernelOptions {
  memory: WebAssembly.Memory;
  /** The formatted (or restored) tree over `memory`, opened for the kernel. */
  tree: FileTree;
  locks: TreeLocks;
  assets: ProcessAssets;
  createProcessWorker(): ProcessWorker;
  createSearchWorker(): SearchWorker;
  createNetwork?: CreateNetwork;
  /** Resolves when the page is there and the kept files are in the tree; to undefined when nothing is kept. */
  keeping: Promise<Persistence | undefined>;
  /** Whether the page will say `settled`. */
  settles: Promise<boolean>;
  poolSize: number;
  bootTimeoutMs: number;
  /** Fetches the base image; undefined when there is none. */
  fetchImage?(): Promise<Uint8Array>;
  send(message: KernelPageMessage, transfer?: Transferable[]): void;
}

export interface Kernel {
  receive(message: PageMessage): void;
  /** Resolves when programs can start; rejects when process workers do not boot or the kept files can't be read. */
  readonly ready: Promise<void>;
  dispose(): void;
}

/** A page that does not come to rest holds npm up no longer than this. */
const SETTLE_MS = 15_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts a kernel on a formatted tree. */
export function startKernel(options: KernelOptions): Kernel {
  const { memory, tree } = options;
  const firstPrompt = expectFirstPrompt();
  const settled = Promise.withResolvers<void>();
  const send: KernelOptions['send'] = (message, transfer) => {
    options.send(message, transfer);
    if (message.type === 'output') firstPrompt.outputSent();
  };
  formatIpc(memory);
  const ipc = openIpc(memory, tree, 0, 1);
  writeBaseFiles(tree, PROGRAMS);
  const fault = (message: string): void => send({ type: 'fault', message });
  const watches = createWatches(tree);
  const search = createSearchClient(options.createSearchWorker);
  const pool = createWorkerPool({
    create: options.createProcessWorker,
    prepare: { type: 'prepare', memory, assets: options.assets },
    size: options.poolSize,
    bootTimeoutMs: options.bootTimeoutMs,
    fillAfter: firstPrompt.past,
    onFailure: fault,
  });

  const onMessage = (pid: number, _slot: number, message: ProcessMessage): void => {
    switch (message.type) {
      case 'watch': {
        const base = message.path === '/' ? '/' : `${message.path.replace(/\/+$/, '')}/`;
        const hear = (changes: Watched[]): void => {
          for (const change of changes) {
            if (change.kind === 'overflow') {
              control.post(pid, { type: 'treeChange', id: message.id, kind: 'rename', name: '' });
              continue;
            }
            const isSelf = change.path === message.path;
            const name = isSelf ? change.path.slice(change.path.lastIndexOf('/') + 1) : change.path.slice(base.length);
            control.post(pid, { type: 'treeChange', id: message.id, kind: change.kind, name });
          }
        };
        watches.add(`${pid}:${message.id}`, message.path, message.recursive, hear, message.since);
        return;
      }
      case 'unwatch':
        watches.remove(`${pid}:${message.id}`);
        return;
      case 'debug':
        console.debug(`[process ${pid}] ${message.text}`);
        return;
      case 'connect':
      case 'gateway':
        if (network) {
          network.message(pid, message);
          return;
        }
        control.post(pid, { type: 'connected', id: message.id, errno: ENOSYS, fd: -1 });
        return;
      case 'listen':
      case 'unlisten':
      case 'datagram':
        network?.message(pid, message);
        return;
      default:
        fault(`Process ${pid} sent a message that the kernel does not know: ${message.type}`);
        return;
    }
  };

  const control: ProcessControl = createProcessControl({
    ipc,
    tree,
    pool,
    locks: options.locks,
    onMessage,
    onEnded(pid, slot) {
      watches.removeAll(`${pid}:`);
      network?.processEnded(pid, slot);
    },
    fault,
  });

  const network: Network | undefined = options.createNetwork?.({
    ipc,
    post: control.post,
    inodeOf: (path) => tree.lookup(path),
    portsChanged: (ports) => send({ type: 'ports', ports }),
    fault,
  });

  const booted = Promise.allSettled([options.keeping, pool.ready]);
  void booted.then(firstPrompt.booted);
  // What ordinary programs load.
  void firstPrompt.past.then(() => askForText(options.assets.lib.core.text));
  const image = createBaseImage({
    tree,
    fetch: options.fetchImage,
    after: booted,
    when: firstPrompt.past.then(async () => {
      if (await options.settles) await Promise.race([settled.promise, sleep(SETTLE_MS)]);
    }),
    send,
    fault,
  });

  const receive = createPageServer({
    ipc,
    tree,
    control,
    watches,
    search,
    network: () => network,
    keeping: options.keeping,
    image,
    settled: settled.resolve,
    send,
  });
  return {
    receive,
    ready: Promise.all([pool.ready, options.keeping]).then(() => {}),
    dispose() {
      control.dispose();
      pool.dispose();
      search.dispose();
    },
  };
}
