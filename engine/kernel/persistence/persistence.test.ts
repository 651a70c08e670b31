// The project file: what comes back is always the state of some batch, at least the last one that was flushed, wherever the machine was cut off.
import { describe, expect, test } from 'vitest';
import { createSharedMemory } from '../../memory/memory';
import { checkTree } from '../../tree/check';
import { xxHash32 } from '../../tree/checksum';
import { formatTree, openTree, type Tree } from '../../tree/tree';
import { FILE_TYPE } from '../../tree/types';
import { createMemoryHandle, type MemoryHandle, memoryStorage } from './memory-handle';
import { openPersistence, type Persistence, type PersistenceOptions, type SavingState } from './persistence';

const ROOTS = ['/home/project', '/home/.history'];
const text = new TextEncoder();

function freshTree(): { tree: Tree; memory: WebAssembly.Memory } {
  const memory = createSharedMemory();
  formatTree(memory);
  return { tree: openTree(memory), memory };
}

/** A tree with what the storage holds. */
async function loaded(handle: MemoryHandle, options: Partial<PersistenceOptions> = {}) {
  const { tree, memory } = freshTree();
  const storage = memoryStorage(handle);
  const persistence = await openPersistence({ storage, tree, roots: ROOTS, compactFromBytes: 2000, ...options });
  return { tree, memory, persistence, report: await persistence.load() };
}

/** Everything that is kept of the roots, one line each; links of one file share a letter. */
function picture(tree: Tree): string {
  const out: string[] = [];
  const seen = new Map<number, number>();
  const stat = new Float64Array(18);
  const walk = (path: string): void => {
    const ino = tree.lookup(path, false);
    if (ino < 0) return;
    const type = tree.typeOf(ino);
    if (type === FILE_TYPE.character) return;
    if (!seen.has(ino)) seen.set(ino, seen.size);
    tree.stat(ino, stat);
    const facts = `${path} #${seen.get(ino)} ${stat[1].toString(8)} ${stat[3]}:${stat[4]} ${stat[12]}.${stat[13]}`;
    if (type !== FILE_TYPE.directory) {
      const content = tree.readText(ino);
      out.push(`${facts} ${content.length > 200 ? `${content.length} ${xxHash32(text.encode(content))}` : content}`);
      return;
    }
    out.push(facts);
    const listed = tree.list(ino);
    if (typeof listed === 'number') throw new Error(`${path}: ${listed}`);
    for (const { name } of listed) walk(`${path}/${name}`);
  };
  for (const root of ROOTS) walk(root);
  return out.join('\n');
}

function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const NAMES = ['a', 'b', 'c', 'ď', 'e'];

/** One random change, mostly below the roots, sometimes across their border. */
function change(tree: Tree, next: (limit: number) => number): void {
  const place = (): string =>
    `${next(8) === 0 ? '/tmp' : '/home/project'}/${Array.from({ length: 1 + next(3) }, () => NAMES[next(NAMES.length)]).join('/')}`;
  const fill = (length: number): Uint8Array => Uint8Array.from({ length }, () => 97 + next(26));
  const path = place();
  switch (next(12)) {
    case 0:
    case 1:
      tree.mkdir(path, 0o755);
      return;
    case 2:
    case 3: {
      const ino = tree.create(path, 0o644);
      if (ino > 0 && tree.typeOf(ino) === FILE_TYPE.file) {
        tree.truncate(ino, 0);
        tree.write(ino, fill(next(300)), next(3) * 10);
      }
      return;
    }
    case 4: {
      const ino = tree.lookup(path);
      if (ino > 0 && tree.typeOf(ino) === FILE_TYPE.file) tree.append(ino, fill(next(100)));
      return;
    }
    case 5:
      if (tree.unlink(path) < 0) tree.rmdir(path);
      return;
    case 6:
    case 7:
      tree.rename(path, place());
      return;
    case 8:
      tree.link(path, place());
      return;
    case 9:
      tree.symlink(place(), path);
      return;
    case 10: {
      const ino = tree.lookup(path, false);
      if (ino > 0) tree.setMode(ino, next(0o1000));
      if (ino > 0) tree.setTimes(ino, undefined, 1e12 + next(1e9) + 0.25);
      return;
    }
    case 11:
      if (next(3) === 0) tree.unlink('/home/.history');
      else tree.append(tree.create('/home/.history', 0o600), fill(20));
      return;
  }
}

function begin(tree: Tree): void {
  for (const path of ['/home', '/home/project', '/tmp']) tree.mkdir(path, 0o755);
}

test('xxHash32 gives the published values', () => {
  expect(xxHash32(text.encode(''))).toBe(0x02cc5d05);
  expect(xxHash32(text.encode('a'))).toBe(0x550d7456);
  expect(xxHash32(text.encode('abc'))).toBe(0x32d153ff);
  expect(xxHash32(text.encode('Nobody inspects the spammish repetition'))).toBe(0xe2293b2f);
});

test.each([1, 2, 3, 4, 5, 6])('random changes come back as they were, load after load (seed %i)', async (seed) => {
  const storage = createMemoryHandle();
  const next = generator(seed);
  let { tree, persistence } = await loaded(storage);
  begin(tree);
  for (let round = 0; round < 60; round++) {
    for (let count = next(12); count >= 0; count--) change(tree, next);
    await persistence.flush();
    if (round % 3 !== 0) continue;
    const again = await loaded(storage);
    expect(again.report.problems).toEqual([]);
    expect(picture(again.tree)).toBe(picture(tree));
    expect(checkTree(again.memory)).toEqual([]);
    // From here on the restored one goes on.
    ({ tree, persistence } = again);
    tree.mkdir('/tmp', 0o755);
  }
});

test.each([1, 2, 3, 4])('a kill at any moment gives the state of a batch (seed %i)', async (seed) => {
  const storage = createMemoryHandle();
  const next = generator(seed * 31);
  const { tree, persistence } = await loaded(storage);
  begin(tree);
  // Every call of the storage is a moment at which a kill is tried.
  const moments: { killed: MemoryHandle; known: number }[] = [];
  const { write, flush, truncate } = storage;
  const order: string[] = [''];
  const tryKill = (): void => {
    moments.push({ killed: storage.afterKill(next), known: order.length - 1 });
  };
  storage.write = (source, options) => {
    const written = write(source, options);
    tryKill();
    return written;
  };
  storage.truncate = (size) => {
    truncate(size);
    tryKill();
  };
  storage.flush = () => {
    flush();
    tryKill();
  };
  for (let round = 0; round < 40; round++) {
    for (let count = next(8); count >= 0; count--) change(tree, next);
    const state = picture(tree);
    await persistence.flush();
    order.push(state);
  }
  expect(moments.length).toBeGreaterThan(20);
  for (const { killed, known } of moments) {
    const found = picture((await loaded(killed)).tree);
    // No older than the last batch that had been flushed before the kill, and one of those that were.
    expect(order.slice(known, known + 2)).toContain(found);
  }
});

test('a file that is cut anywhere gives the state of a batch', async () => {
  const storage = createMemoryHandle();
  const next = generator(77);
  const { tree, persistence } = await loaded(storage, { compactFromBytes: 1e9 });
  begin(tree);
  const batches: { end: number; state: string }[] = [{ end: 0, state: '' }];
  for (let round = 0; round < 12; round++) {
    for (let count = 0; count < 3; count++) change(tree, next);
    await persistence.flush();
    batches.push({ end: storage.getSize(), state: picture(tree) });
  }
  const whole = storage.bytes();
  for (let cut = 0; cut <= whole.length; cut++) {
    const { tree: found } = await loaded(createMemoryHandle(whole.slice(0, cut)));
    const complete = batches.filter(({ end }) => end <= cut).at(-1)!;
    expect(picture(found), `cut at ${cut}`).toBe(complete.state);
    if (cut > 1500) cut += next(9);
  }
}, 60_000);

test('a flipped byte ends the log there and never yields anything else', async () => {
  const storage = createMemoryHandle();
  const next = generator(5);
  const { tree, persistence } = await loaded(storage, { compactFromBytes: 1e9 });
  begin(tree);
  const states = [''];
  for (let round = 0; round < 10; round++) {
    for (let count = 0; count < 4; count++) change(tree, next);
    await persistence.flush();
    const state = picture(tree);
    // Without a change there is no batch.
    if (state !== states.at(-1)) states.push(state);
  }
  for (let round = 0; round < 150; round++) {
    const bytes = storage.bytes().slice();
    bytes[1024 + next(bytes.length - 1024)] ^= 1 << next(8);
    expect(states).toContain(picture((await loaded(createMemoryHandle(bytes))).tree));
  }
  // Several at once, in the front too: an older state only when the damaged file was set aside (or refused as one of a newer format), whole.
  for (let round = 0; round < 200; round++) {
    const bytes = storage.bytes().slice();
    for (let count = next(4); count >= 0; count--) bytes[next(round % 2 === 0 ? 1024 : bytes.length)] ^= 1 << next(8);
    const handle = createMemoryHandle(bytes.slice());
    const found = await loaded(handle).catch((error: Error) => error);
    if (found instanceof Error) {
      expect(found.message).toMatch(/newer/);
      expect(handle.bytes()).toEqual(bytes);
      continue;
    }
    const state = picture(found.tree);
    expect(states).toContain(state);
    // The last batch can't be told from one that a kill cut off.
    if (states.indexOf(state) < states.length - 2) expect(handle.aside).toEqual([bytes]);
    if (handle.aside.length > 0) expect((await loaded(handle)).report.keptAs).toBeUndefined();
  }
}, 60_000);

test('a file whose front is damaged is set aside, and a new one begun', async () => {
  const storage = createMemoryHandle(new Uint8Array(5000).fill(7));
  const { tree, persistence, report } = await loaded(storage);
  expect(report.keptAs).toBe('copy 1');
  expect(storage.aside).toEqual([new Uint8Array(5000).fill(7)]);
  begin(tree);
  await persistence.flush();
  expect(picture((await loaded(storage)).tree)).toBe(picture(tree));
});

test('a file that was damaged in the middle comes back up to there, and is set aside whole', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage, { compactFromBytes: 1e9 });
  begin(tree);
  const ends: number[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    tree.write(tree.create(`/home/project/${name}`, 0o644), text.encode(`content of ${name}`), 0);
    await persistence.flush();
    ends.push(storage.getSize());
  }
  const damaged = storage.bytes().slice();
  damaged[ends[1] + 20] ^= 1;
  const found = createMemoryHandle(damaged);
  const { tree: half, persistence: going, report } = await loaded(found);
  expect(report.keptAs).toBe('copy 1');
  expect(found.aside).toEqual([damaged]);
  expect(half.readText(half.lookup('/home/project/b'))).toBe('content of b');
  expect(half.lookup('/home/project/c')).toBeLessThan(0);
  half.create('/home/project/e', 0o644);
  await going.flush();
  const again = await loaded(found);
  expect(again.report.keptAs).toBeUndefined();
  expect(picture(again.tree)).toBe(picture(half));
  // The last batch can't be told from one that a kill cut off.
  const torn = storage.bytes().slice(0, ends[3] - 10);
  expect((await loaded(createMemoryHandle(torn))).report.keptAs).toBeUndefined();
});

test('a file of a newer format is refused, and not touched', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage);
  begin(tree);
  await persistence.flush();
  const bytes = storage.bytes().slice();
  const view = new DataView(bytes.buffer);
  view.setUint32(512 + 4, 2, true);
  view.setUint32(512 + 24, xxHash32(bytes.subarray(512, 512 + 24)), true);
  const newer = createMemoryHandle(bytes);
  await expect(loaded(newer)).rejects.toThrow(/format 2.*newer version/);
  expect(newer.bytes()).toEqual(bytes);
});

test('nothing is recorded before the file has been loaded', async () => {
  const { tree } = freshTree();
  const storage = memoryStorage(createMemoryHandle());
  const persistence = await openPersistence({ storage, tree, roots: ROOTS });
  expect(() => persistence.start()).toThrow(/load/);
  await expect(persistence.flush()).rejects.toThrow(/load/);
});

test('garbage is compacted away, also while it is written', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage, { compactFromBytes: 50_000 });
  begin(tree);
  const ino = tree.create('/home/project/f', 0o644);
  for (let round = 0; round < 200; round++) {
    tree.write(ino, new Uint8Array(5000).fill(round), 0);
    await persistence.flush();
    expect(storage.getSize()).toBeLessThan(150_000);
  }
  expect(picture((await loaded(storage)).tree)).toBe(picture(tree));
});

test('a small change of a large file is a small record', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage, { compactFromBytes: 1e9 });
  begin(tree);
  const ino = tree.create('/home/project/large', 0o644);
  tree.write(ino, new Uint8Array(5_000_000).fill(65), 0);
  await persistence.flush();
  const before = storage.getSize();
  tree.write(ino, text.encode('here'), 3_000_000);
  await persistence.flush();
  expect(storage.getSize() - before).toBeLessThan(300_000);
  expect(picture((await loaded(storage)).tree)).toBe(picture(tree));
});

test('what is excluded is not kept', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage, { exclude: (path) => path.endsWith('/.cache') });
  begin(tree);
  tree.mkdir('/home/project/.cache', 0o755);
  tree.create('/home/project/.cache/x', 0o644);
  tree.create('/home/project/y', 0o644);
  await persistence.flush();
  const { tree: found } = await loaded(storage);
  expect(found.lookup('/home/project/y')).toBeGreaterThan(0);
  expect(found.lookup('/home/project/.cache')).toBeLessThan(0);
});

describe('in the background', () => {
  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    for (let waited = 0; !(await condition()); waited += 10) {
      if (waited > 5000) throw new Error('it never came');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const running = async (persistence: Persistence, body: () => Promise<void>): Promise<void> => {
    persistence.start();
    try {
      await body();
    } finally {
      await persistence.stop().catch(() => {});
    }
  };

  test('changes are recorded without being asked for', async () => {
    const storage = createMemoryHandle();
    const { tree, persistence } = await loaded(storage, { intervalMs: 20 });
    begin(tree);
    await running(persistence, async () => {
      tree.write(tree.create('/home/project/f', 0o644), text.encode('content'), 0);
      await until(async () => picture((await loaded(storage)).tree) === picture(tree));
    });
  });

  test('changes are not lost when the change log has wrapped', async () => {
    const storage = createMemoryHandle();
    const { tree, persistence } = await loaded(storage, { intervalMs: 20 });
    begin(tree);
    tree.create('/home/project/gone', 0o644);
    await persistence.flush();
    tree.unlink('/home/project/gone');
    const ino = tree.create('/home/project/f', 0o644);
    for (let index = 0; index < 40_000; index++) tree.append(ino, text.encode('x'));
    await persistence.flush();
    expect(picture((await loaded(storage)).tree)).toBe(picture(tree));
  });

  test('a full disk is told, costs nothing that was kept, and is overcome', async () => {
    const storage = createMemoryHandle();
    const states: SavingState[] = [];
    const { tree, persistence } = await loaded(storage, { onState: (state) => states.push(state) });
    begin(tree);
    tree.write(tree.create('/home/project/small', 0o644), text.encode('kept'), 0);
    await persistence.flush();
    const kept = picture(tree);
    storage.limit(20_000);
    tree.write(tree.create('/home/project/large', 0o644), new Uint8Array(2_000_000), 0);
    await expect(persistence.flush()).rejects.toThrow(/quota/);
    // Told once that the promise of the flush has been broken.
    await expect(persistence.flush()).rejects.toThrow(/quota/);
    expect(states.slice(2)).toEqual([
      { kind: 'saving' },
      { kind: 'failing', isFull: true, message: 'The quota has been exceeded.' },
    ]);
    expect(picture((await loaded(createMemoryHandle(storage.bytes()))).tree)).toBe(kept);
    storage.limit(1e9);
    await persistence.flush();
    expect(states.map(({ kind }) => kind)).toEqual(['saving', 'saved', 'saving', 'failing', 'saved']);
    expect(picture((await loaded(storage)).tree)).toBe(picture(tree));
  });
});

test('what could not be placed is named and stays in the file', async () => {
  const storage = createMemoryHandle();
  const { tree, persistence } = await loaded(storage);
  begin(tree);
  tree.write(tree.create('/home/project/f', 0o644), text.encode('content'), 0);
  tree.create('/home/project/g', 0o644);
  await persistence.flush();
  const other = freshTree();
  begin(other.tree);
  // In the way.
  other.tree.mkdir('/home/project/f', 0o755);
  const blocked = await openPersistence({ storage: memoryStorage(storage), tree: other.tree, roots: ROOTS });
  expect((await blocked.load()).problems).toEqual([expect.stringContaining('/home/project/f')]);
  other.tree.rmdir('/home/project/f');
  other.tree.create('/home/project/h', 0o644);
  await blocked.flush();
  const { tree: found } = await loaded(storage);
  expect(found.readText(found.lookup('/home/project/f'))).toBe('content');
  expect(found.lookup('/home/project/h')).toBeGreaterThan(0);
});
