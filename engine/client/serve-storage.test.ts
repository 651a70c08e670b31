// The project's file over a port, as kernel and IDE use it: the same promises as on the file itself, and a hostile asker gets nothing but errors.
import { afterEach, expect, test } from 'vitest';
import { createMemoryHandle, keepCopy, type MemoryHandle } from '../kernel/persistence/memory-handle';
import { openPersistence, type SavingState } from '../kernel/persistence/persistence';
import { MAX_TRANSFER_BYTES, portStorage, type StorageReply } from '../kernel/persistence/port-storage';
import { createSharedMemory } from '../memory/memory';
import { formatTree, openTree, type Tree } from '../tree/tree';
import { serveFile } from './serve-storage';

const text = new TextEncoder();
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function served(handle: MemoryHandle) {
  const { port1, port2 } = new MessageChannel();
  const stop = serveFile(port1 as unknown as MessagePort, handle, keepCopy(handle));
  closing.push(() => {
    stop('the test is over');
    port2.close();
  });
  return { port: port2 as unknown as MessagePort, stop };
}

async function machine(handle: MemoryHandle, onState?: (state: SavingState) => void) {
  const memory = createSharedMemory();
  formatTree(memory);
  const tree = openTree(memory);
  const { port, stop } = served(handle);
  const persistence = await openPersistence({ storage: portStorage(port), tree, roots: ['/project'], onState });
  const report = await persistence.load();
  return { tree, persistence, report, stop };
}

function write(tree: Tree, path: string, content: string | Uint8Array, mode = 0o644): void {
  const ino = tree.create(path, mode);
  tree.truncate(ino, 0);
  tree.write(ino, typeof content === 'string' ? text.encode(content) : content, 0);
}

test('files, modes and links come back over the port', async () => {
  const handle = createMemoryHandle();
  const { tree, persistence } = await machine(handle);
  tree.mkdir('/project', 0o755);
  write(tree, '/project/run.sh', '#!/bin/sh\n', 0o755);
  write(tree, '/project/large', new Uint8Array(6_000_000).fill(66));
  tree.symlink('run.sh', '/project/link');
  tree.link('/project/run.sh', '/project/again');
  await persistence.flush();
  const { tree: found, report } = await machine(handle);
  expect(report).toMatchObject({ files: 3, problems: [], droppedBytes: 0 });
  expect(found.modeOf(found.lookup('/project/run.sh')) & 0o7777).toBe(0o755);
  expect(found.readlink('/project/link')).toBe('run.sh');
  expect(found.lookup('/project/again')).toBe(found.lookup('/project/run.sh'));
  expect(found.sizeOf(found.lookup('/project/large'))).toBe(6_000_000);
});

test('an acknowledged batch survives a kill, one that was cut off in the middle is not there at all', async () => {
  const handle = createMemoryHandle();
  const { tree, persistence, stop } = await machine(handle);
  tree.mkdir('/project', 0o755);
  write(tree, '/project/first', 'safe');
  await persistence.flush();
  write(tree, '/project/second', new Uint8Array(3_000_000).fill(1));
  write(tree, '/project/third', 'small');
  // The storage dies after the first piece of the batch has been written, before its flush.
  let pieces = 0;
  const { write: writeTo } = handle;
  handle.write = (source, options) => {
    if (++pieces > 2) stop('the tab was killed');
    return pieces > 2 ? 0 : writeTo(source, options);
  };
  await expect(persistence.flush()).rejects.toThrow();
  for (const random of [() => 0, () => 1, () => 2, () => 3]) {
    const { tree: found } = await machine(handle.afterKill(random));
    expect(found.readText(found.lookup('/project/first'))).toBe('safe');
    expect(found.lookup('/project/second')).toBeLessThan(0);
    expect(found.lookup('/project/third')).toBeLessThan(0);
  }
});

test('a full disk is told by name, and over when there is room', async () => {
  const handle = createMemoryHandle();
  const states: SavingState[] = [];
  const { tree, persistence } = await machine(handle, (state) => states.push(state));
  tree.mkdir('/project', 0o755);
  write(tree, '/project/kept', 'kept');
  await persistence.flush();
  handle.limit(20_000);
  write(tree, '/project/large', new Uint8Array(5_000_000));
  await expect(persistence.flush()).rejects.toMatchObject({ name: 'QuotaExceededError' });
  expect(states.at(-1)).toMatchObject({ kind: 'failing', isFull: true });
  const { tree: meanwhile } = await machine(handle.afterKill(() => 2));
  expect(meanwhile.readText(meanwhile.lookup('/project/kept'))).toBe('kept');
  handle.limit(1e9);
  await persistence.flush();
  expect(states.at(-1)).toEqual({ kind: 'saved' });
});

test('when the other side closes, what waits fails at once', async () => {
  const { port, stop } = served(createMemoryHandle());
  const storage = portStorage(port);
  await storage.size();
  stop('the tab was taken over');
  await expect(storage.flush()).rejects.toThrow('taken over');
  await expect(storage.size()).rejects.toThrow('taken over');
});

test.each([
  { do: 'read', at: -1, length: 10 },
  { do: 'read', at: 0.5, length: 10 },
  { do: 'read', at: 0, length: MAX_TRANSFER_BYTES + 1 },
  { do: 'write', at: 2 ** 40, bytes: new Uint8Array(1) },
  { do: 'write', at: 0, bytes: 'text' },
  { do: 'truncate', size: -5 },
  { do: 'remove' },
  {},
])('the request %j is refused', async (request) => {
  const handle = createMemoryHandle(text.encode('content'));
  const { port } = served(handle);
  const reply = new Promise<StorageReply>((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
  });
  port.postMessage({ id: 1, ...request });
  expect(await reply).toMatchObject({ id: 1, failed: { name: expect.any(String) } });
  expect(handle.bytes()).toEqual(text.encode('content'));
});

test('one copy can be set aside, not many', async () => {
  const handle = createMemoryHandle(text.encode('content'));
  const storage = portStorage(served(handle).port);
  expect(await storage.setAside()).toBe('copy 1');
  await expect(storage.setAside()).rejects.toThrow(/already/);
  expect(handle.aside).toHaveLength(1);
});
