// The other side of tree-workers.test.ts: a worker thread that works on the tree until it is terminated, and says what it sees that cannot be.
import { parentPort, workerData } from 'node:worker_threads';
import { Store } from './store';
import { openTree } from './tree';
import { FILE_TYPE } from './types';

interface Work {
  memory: WebAssembly.Memory;
  owner: number;
  seed: number;
  /** `everything`: any call on anything. `swap`: two files change places in memory all the time; `watch`: reads them. */
  role: 'everything' | 'swap' | 'watch';
}

const { memory, owner, seed, role } = workerData as Work;
const tree = openTree(memory, owner);
let state = seed;
const next = (limit: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

/** Now and then dawdles, so that terminations and other workers come between two steps that are otherwise nanoseconds apart. */
function dawdle(oneIn: number): void {
  if (next(oneIn) === 0) for (let spin = next(40_000); spin > 0; spin--) Atomics.load(idle, 0);
}
const idle = new Int32Array(new SharedArrayBuffer(4));
const { set, cover } = Store.prototype;
Store.prototype.set = function (index, value) {
  set.call(this, index, value);
  dawdle(30);
};
// Readers call this between learning where the content is and copying it.
Store.prototype.cover = function (end) {
  dawdle(10);
  return cover.call(this, end);
};
const fault = (text: string): void => parentPort?.postMessage(text);
const names = ['a', 'b', 'c', 'd', 'ü'];
const place = (): string => `/shared/${Array.from({ length: 1 + next(3) }, () => names[next(names.length)]).join('/')}`;
const buffer = new Uint8Array(70_000);

/** Byte `index` of the file that the worker `of` appends to. */
const patterned = (of: number, index: number): number => (index * 7 + of) & 255;

/** Files below /shared are written once, whole, before they get their name: all bytes of one are equal. */
function checkShared(path: string): void {
  const ino = tree.lookupRetained(path, false);
  if (ino < 0) return;
  if (tree.typeOf(ino) === FILE_TYPE.file) {
    const count = tree.read(ino, buffer, 0);
    for (let index = 1; index < count; index++) {
      if (buffer[index] !== buffer[0]) {
        fault(`${path} holds ${buffer[index]} beside ${buffer[0]} at ${index} of ${count}`);
        break;
      }
    }
  }
  tree.release(ino);
}

function checkLog(of: number): void {
  const ino = tree.lookupRetained(`/log-${of}`);
  if (ino < 0) return;
  const size = tree.sizeOf(ino);
  const from = next(size + 1);
  const count = tree.read(ino, buffer, from);
  for (let index = 0; index < count; index++) {
    if (buffer[index] !== patterned(of, from + index)) {
      fault(`the log of ${of} holds ${buffer[index]} at ${from + index}`);
      break;
    }
  }
  tree.release(ino);
}

function writeShared(path: string): void {
  const temporary = `/shared/tmp-${owner}-${next(1e9)}`;
  const ino = tree.create(temporary, 0o644, true);
  if (ino < 0) return;
  tree.write(ino, new Uint8Array(1 + next(next(4) === 0 ? 60_000 : 300)).fill(next(256)), 0);
  if (tree.rename(temporary, path) < 0) tree.unlink(temporary);
}

function appendLog(): void {
  const ino = tree.create(`/log-${owner}`, 0o644);
  const size = tree.sizeOf(ino);
  if (size > 60_000) {
    tree.truncate(ino, next(1000));
    return;
  }
  const length = 1 + next(3000);
  tree.append(
    ino,
    Uint8Array.from({ length }, (_, index) => patterned(owner, size + index)),
  );
}

function step(): void {
  switch (next(13)) {
    case 0:
      tree.mkdir(place(), 0o755);
      break;
    case 1:
    case 2:
      writeShared(place());
      break;
    case 3:
      tree.unlink(place());
      break;
    case 4:
      tree.rmdir(place());
      break;
    case 5:
      tree.rename(place(), place());
      break;
    case 6:
      tree.link(place(), place());
      break;
    case 7:
      tree.symlink(names[next(names.length)], place());
      break;
    case 8:
      appendLog();
      break;
    case 9:
    case 10:
      checkLog(2 + next(4));
      break;
    case 11:
      checkShared(place());
      break;
    default: {
      const directory = tree.lookup(place());
      if (directory > 0) {
        tree.list(directory);
        tree.pathOf(directory);
      }
    }
  }
}

const swapped = ['/swap-a', '/swap-b'];

/** Gives each file's extent back and takes one of the size that the other has just given back. */
function swap(): void {
  swapped.forEach((path, index) => {
    const ino = tree.create(path, 0o644);
    tree.truncate(ino, 0);
    tree.write(ino, new Uint8Array(20_000 + next(4) * 10_000).fill(index + 1), 0);
  });
}

/** One file holds only ones, the other only twos. */
function watch(): void {
  swapped.forEach((path, index) => {
    const ino = tree.lookup(path);
    const count = ino < 0 ? 0 : tree.read(ino, buffer, 0);
    for (let at = 0; at < count; at++) {
      if (buffer[at] === index + 1) continue;
      fault(`${path} holds ${buffer[at]} at ${at} of ${count}`);
      break;
    }
  });
}

const roles = { everything: step, swap, watch };
for (let count = 0; ; count++) {
  roles[role]();
  if (count === 20) parentPort?.postMessage('started');
}
