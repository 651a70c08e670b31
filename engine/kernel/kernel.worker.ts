// Entry of the kernel's bundle. The first message decides what this worker is: the kernel, or the search worker beside it. The kernel starts at once;
// the page and its project's files come with a second message, and it is ready when they are in place.
import { createParty, isFenced } from '../ipc/party';
import { PROCESS_SLOTS } from '../ipc/regions';
import { HEADER_WORD } from '../memory/layout';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree, type Tree } from '../tree/tree';
import type { HostToPage, KernelBoot, KernelConnect, WorkerBoot } from './boot-protocol';
import { Failure } from './failure';

import { startKeeping } from './keeping';
import { startKernel } from './kernel';
import { TERMINATION_MS, type TreeLocks } from './lock-recovery';
import { fetchOk, fetchProcessAssets } from './manifest';
import { createNetwork } from './net';
import { type GatewayConfig, REGISTRY_HOSTS } from './net/destinations';
import { createPageLine } from './page-line';
import { type SearchOrder, searchFiles, searchText } from './search';
import type { SearchReply, SearchWorker } from './search-client';
import type { ProcessWorker } from './worker-pool';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;

/** More ready workers than two only pay where there are cores for them. */
const POOL_SIZE = Math.min(3, Math.max(2, navigator.hardwareConcurrency - 2));
const WORKER_BOOT_TIMEOUT_MS = 20_000;
const KERNEL_OWNER = 1;
/** A lock that was seen in dead hands longer ago than this was another one. */
const STALE_MS = 8000;
/** Above every process's id in the lock. */
const FIRST_SEARCH_OWNER = PROCESS_SLOTS + 2;

const connected = Promise.withResolvers<KernelConnect>();

async function bootKernel({ manifest, baseUrl }: KernelBoot): Promise<void> {
  const line = createPageLine();
  const { send } = line;
  const at = (name: string): string => new URL(name, baseUrl).href;
  send({ type: 'progress', what: 'assets', fraction: 0 });
  // The page has no line to us yet, but a person who waits.
  const coming = fetchProcessAssets(manifest, baseUrl, (fraction) =>
    scope.postMessage({ cloche: 'progress', what: 'assets', fraction } satisfies HostToPage),
  );
  // Its script is loaded and evaluated meanwhile.
  const createProcessWorker = earlyWorker(() => new Worker(at(manifest.process)) as unknown as ProcessWorker);
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory, KERNEL_OWNER);
  // Beside everything else that has to be loaded, not after it.
  const keeping = connected.promise.then(({ port, storage }) => {
    line.connect(port);
    return storage && startKeeping(storage, tree, send);
  });
  keeping.catch(() => {});
  const assets = await coming;
  send({ type: 'progress', what: 'process', fraction: 0 });
  const kernel = startKernel({
    memory,
    tree,
    locks: treeLocks(memory, tree),
    assets,
    createProcessWorker,
    createSearchWorker: () => createSearchWorker(memory, tree),
    poolSize: POOL_SIZE,
    bootTimeoutMs: WORKER_BOOT_TIMEOUT_MS,
    fetchImage: manifest.image === undefined ? undefined : () => fetchBytes(at(manifest.image as string)),
    createNetwork: createNetwork(gatewayConfig(baseUrl)),
    keeping,
    settles: connected.promise.then(({ settles }) => settles === true),
    send,
  });
  await kernel.ready;
  send({ type: 'booted' });
  line.receiveWith(kernel.receive);
}

/** Makes the first worker at once; one that could not be loaded is forgotten, and its place in the pool tries again. */
function earlyWorker(create: () => ProcessWorker): () => ProcessWorker {
  let early: ProcessWorker | undefined = create();
  early.onerror = () => {
    early = undefined;
  };
  return () => {
    const worker = early ?? create();
    early = undefined;
    return worker;
  };
}

/** The registry's proxy is on the engine's own origin; the site's other hosts are its siblings and what is above it. */
function gatewayConfig(baseUrl: string): GatewayConfig {
  const { origin, hostname } = new URL(baseUrl);
  const site = hostname.split('.').slice(1).join('.');
  return {
    npmProxy: `${origin}/api/npm/`,
    registryHosts: REGISTRY_HOSTS,
    ownHosts: site.includes('.') ? [hostname, site] : [hostname],
  };
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetchOk(url)).arrayBuffer());
}

let searchWorkers = 0;

function createSearchWorker(memory: WebAssembly.Memory, tree: Tree): SearchWorker {
  const owner = FIRST_SEARCH_OWNER + searchWorkers++;
  const worker = new Worker(scope.location.href, { name: 'search' });
  worker.postMessage({ role: 'search', memory, owner } satisfies WorkerBoot);
  const { terminate } = worker;
  worker.terminate = () => {
    terminate.call(worker);
    // It may have been inside the lock; it is certainly gone by then.
    setTimeout(() => tree.recover(owner), TERMINATION_MS);
  };
  return worker as unknown as SearchWorker;
}

/** The tree's lock names a process as slot + 2. */
function treeLocks(memory: WebAssembly.Memory, tree: Tree): TreeLocks {
  const { words } = createParty(memory, 0, 1);
  let seenHolder = 0;
  let seenSince = 0;
  // Called before the kernel takes the lock, and every few seconds while it waits for it: the kernel frees the locks of the dead,
  // so it must not wait for one of them for ever.
  tree.adopt(KERNEL_OWNER, () => {
    const holder = Atomics.load(words, HEADER_WORD.lockOwner);
    if (!isFenced(words, holder - 2)) return;
    const seenMs = performance.now() - seenSince;
    if (holder !== seenHolder || seenMs > STALE_MS) {
      seenHolder = holder;
      seenSince = performance.now();
    } else if (seenMs > TERMINATION_MS) tree.recover(holder);
  });
  return {
    isLockedBy: (slot) => Atomics.load(words, HEADER_WORD.lockOwner) === slot + 2,
    steal: (slot) => void tree.recover(slot + 2),
  };
}

/** Answers one order after the other; the kernel ends this worker when it takes too long. */
function serveSearches(memory: WebAssembly.Memory, owner: number): void {
  const tree = openTree(memory, owner);
  scope.onmessage = ({ data }: MessageEvent<SearchOrder>) => {
    let reply: SearchReply;
    try {
      reply = {
        kind: 'found',
        result: data.kind === 'text' ? searchText(tree, data.search) : searchFiles(tree, data.search),
      };
    } catch (error) {
      const code = error instanceof Failure ? error.code : error instanceof SyntaxError ? 'EINVAL' : 'EIO';
      reply = { kind: 'failed', code, message: (error as Error).message };
    }
    scope.postMessage(reply);
  };
}

scope.onmessage = ({ data }: MessageEvent<WorkerBoot>) => {
  if (data.role === 'search') {
    serveSearches(data.memory, data.owner);
    return;
  }
  if (data.role === 'connect') {
    connected.resolve(data);
    return;
  }
  bootKernel(data).catch((error) => {
    const failed: HostToPage = { cloche: 'failed', message: error instanceof Error ? error.message : String(error) };
    scope.postMessage(failed);
  });
};
