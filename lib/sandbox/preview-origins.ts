// Which origin shows a project's port. An origin works without the server only if its service worker was installed while there was one, so they
// are prepared ahead under random names and given away for good: never two projects or ports on one.
import { browserStorage, type SmallStorage } from '../std/browser-storage';
import { isPreviewId, newPreviewId } from '../std/site-origins';

/** Where the lists live. */
export type OriginStore = Pick<SmallStorage, 'getItem' | 'setItem'>;

/** Lists of preview ids. */
interface Pool {
  /** Prepared, nobody's yet. */
  spare: string[];
  /** A project's, and not prepared yet. */
  wanted: string[];
}

/** What a project has: ids for ports to come, and those in use by port. */
interface ProjectOrigins {
  free: string[];
  ports: Record<string, string>;
}

const POOL_KEY = 'cloche-preview-origins';
/** Enough for three new projects without a server. */
const SPARES = 6;
/** Most projects listen on one port, some on two. */
const PER_PROJECT = 2;

/**
 * The ids of a project's previews, by port, the same for ever in this browser. The first ports get prepared ids, or new ones that
 * `prepareOrigins` will prepare; later ports need the server when they are first shown. *Contract:* one tab per project.
 */
export async function previewIdsOf(
  projectId: string,
  store: OriginStore = browserStorage,
): Promise<(port: number) => string> {
  const key = `${POOL_KEY}:${projectId}`;
  let own = projectOrigins(read(store, key));
  if (!own) {
    const free = await changePool(store, (pool) => {
      const given = pool.spare.splice(0, PER_PROJECT);
      while (given.length < PER_PROJECT) {
        const id = newPreviewId();
        given.push(id);
        pool.wanted.push(id);
      }
      return given;
    });
    own = { free, ports: {} };
    write(store, key, own);
  }
  const { free, ports } = own;
  return (port) => {
    if (ports[port] === undefined) {
      ports[port] = free.shift() ?? `${projectId}-${port}`;
      write(store, key, { free, ports });
    }
    return ports[port];
  };
}

/** Prepares what projects want, then spares, one after the other; rejects when one fails, and keeps what was done. */
export async function prepareOrigins(
  prepare: (id: string) => Promise<void>,
  store: OriginStore = browserStorage,
): Promise<void> {
  // Bounded: a storage that keeps nothing would never have enough.
  for (let left = readPool(store).wanted.length + SPARES; left > 0; left--) {
    const { wanted, spare } = readPool(store);
    if (wanted.length === 0 && spare.length >= SPARES) return;
    const id = wanted[0] ?? newPreviewId();
    await prepare(id);
    await changePool(store, (pool) => {
      if (wanted.length === 0) pool.spare.push(id);
      else pool.wanted = pool.wanted.filter((other) => other !== id);
    });
  }
}

/** Two tabs must not give away the same id. */
function changePool<T>(store: OriginStore, change: (pool: Pool) => T): Promise<T> {
  return navigator.locks.request(POOL_KEY, () => {
    const pool = readPool(store);
    const result = change(pool);
    write(store, POOL_KEY, pool);
    return result;
  }) as Promise<T>;
}

function readPool(store: OriginStore): Pool {
  const { spare, wanted } = record(read(store, POOL_KEY));
  return { spare: ids(spare), wanted: ids(wanted) };
}

function read(store: OriginStore, key: string): unknown {
  try {
    return JSON.parse(store.getItem(key) ?? 'null');
  } catch {
    return undefined;
  }
}

/** Undefined when it was not we who wrote it. */
function projectOrigins(value: unknown): ProjectOrigins | undefined {
  const { free, ports } = record(value);
  if (!Array.isArray(free) || typeof ports !== 'object' || ports === null) return undefined;
  const known = Object.entries(ports).filter((entry): entry is [string, string] => isId(entry[1]));
  return { free: ids(free), ports: Object.fromEntries(known) };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function ids(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isId) : [];
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isPreviewId(value);
}

function write(store: OriginStore, key: string, value: unknown): void {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full: these ids are this page's alone, and the next page makes others.
  }
}
