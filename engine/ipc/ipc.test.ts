// Processes, descriptors, pipes and terminals over a real shared memory, with real worker threads as the other processes.
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { EAGAIN, EBADF, EMFILE, EPIPE, ESRCH } from '../memory/errno';
import { INITIAL_PAGES } from '../memory/layout';
import { FILE_TYPE } from '../tree/types';
import { formatIpc, openIpc } from './ipc';
import type { Order } from './ipc.worker-fixture';
import { isFenced } from './party';
import { PIPE_BASE, PIPE_WORDS } from './regions';
import { type Ipc, PROCESS_STATE } from './types';

const source = buildSync({
  entryPoints: [new URL('./ipc.worker-fixture.ts', import.meta.url).pathname],
  bundle: true,
  write: false,
  format: 'cjs',
  platform: 'node',
}).outputFiles[0].text;

const workers: Worker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.terminate())));

interface Machine {
  memory: WebAssembly.Memory;
  kernel: Ipc;
  /** References that descriptions hold on each inode. */
  inodes: Map<number, number>;
}

function boot(): Machine {
  const memory = new WebAssembly.Memory({ shared: true, initial: INITIAL_PAGES, maximum: 65536 });
  formatIpc(memory);
  const inodes = new Map<number, number>();
  const count = (ino: number, by: number) => void inodes.set(ino, (inodes.get(ino) ?? 0) + by);
  const facts = {
    retain: (ino: number) => count(ino, 1),
    release: (ino: number) => count(ino, -1),
    typeOf: (ino: number) => (ino === 5 ? FILE_TYPE.character : FILE_TYPE.file),
    rdevOf: (ino: number) => (ino === 5 ? 0x500 : 0),
  };
  return { memory, kernel: openIpc(memory, facts, 0, 1), inodes };
}

function newProcess(kernel: Ipc, parent = -1): { pid: number; slot: number } {
  const made = kernel.processes.allocate(parent);
  if (typeof made === 'number') throw new Error(`allocate: ${made}`);
  return made;
}

/** Starts a worker as the process; `next` yields its messages in order. */
function start(machine: Machine, process: { pid: number; slot: number }, order: Order) {
  const worker = new Worker(source, { eval: true });
  workers.push(worker);
  const queue: unknown[] = [];
  const waiting: ((value: unknown) => void)[] = [];
  worker.on('message', (value) => (waiting.length > 0 ? waiting.shift()!(value) : queue.push(value)));
  worker.postMessage({ memory: machine.memory, ...process, order });
  const next = () =>
    queue.length > 0 ? Promise.resolve(queue.shift()) : new Promise<unknown>((resolve) => waiting.push(resolve));
  return { worker, next };
}

function pipeOf(kernel: Ipc): [number, number] {
  const made = kernel.tableOf(0).openPipe();
  if (typeof made === 'number') throw new Error(`openPipe: ${made}`);
  return made;
}

const incoming = (ipc: Ipc, fd: number) => ipc.descriptions.incoming(ipc.tableOf(0).get(fd))!;
const outgoing = (ipc: Ipc, fd: number) => ipc.descriptions.outgoing(ipc.tableOf(0).get(fd))!;

describe('pipes', () => {
  it('carry 64 MB between two processes unchanged in length, then end', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    const [writer, reader] = [newProcess(kernel), newProcess(kernel)];
    kernel.tableOf(0).giveTo(reader.slot, r, 0);
    kernel.tableOf(0).giveTo(writer.slot, w, 1);
    kernel.tableOf(0).close(r);
    kernel.tableOf(0).close(w);
    const total = start(machine, reader, { kind: 'readAll', fd: 0 });
    const pump = start(machine, writer, { kind: 'pump', fd: 1, bytes: 64 << 20, fill: 3 });
    await pump.next();
    expect(await total.next()).toBe(64 << 20);
  });

  it('arrive byte for byte when the ring wraps and the reader is slow', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    const writer = newProcess(kernel);
    kernel.tableOf(0).giveTo(writer.slot, w, 1);
    kernel.tableOf(0).close(w);
    const pump = start(machine, writer, { kind: 'pump', fd: 1, bytes: 1 << 20, fill: 7 });
    const pipe = incoming(kernel, r);
    const chunk = new Uint8Array(10_007);
    let position = 0;
    let sum = 0;
    for (;;) {
      await pipe.whenReadable();
      const count = pipe.read(chunk);
      if (count === 0) break;
      for (let i = 0; i < count; i++, position++) if ((position % 32768) % 997 === 0) sum += chunk[i];
    }
    expect(position).toBe(1 << 20);
    expect(sum).toBe(await pump.next());
  });

  it('refuse more than they hold and take again once drained', () => {
    const { kernel } = boot();
    const [r, w] = pipeOf(kernel);
    expect(outgoing(kernel, w).write(new Uint8Array(100_000))).toBe(65536);
    expect(outgoing(kernel, w).write(new Uint8Array(1))).toBe(EAGAIN);
    expect(outgoing(kernel, w).isWritable()).toBe(false);
    expect(incoming(kernel, r).read(new Uint8Array(5000))).toBe(5000);
    expect(outgoing(kernel, w).isWritable()).toBe(true);
    expect(outgoing(kernel, w).write(new Uint8Array(4096))).toBe(4096);
    // 904 bytes are free: a write of up to 4,096 is atomic, so it waits.
    expect(outgoing(kernel, w).write(new Uint8Array(1000))).toBe(EAGAIN);
  });

  it('drop only as much of what is unread as they are told', () => {
    const { kernel } = boot();
    const pipe = kernel.pipes.open(kernel.pipes.create(1, 1));
    pipe.write(Buffer.from('queued'));
    const queued = pipe.available();
    pipe.write(Buffer.from('later'));
    pipe.discard(queued);
    const target = new Uint8Array(20);
    expect(Buffer.from(target.subarray(0, pipe.read(target))).toString()).toBe('later');
    pipe.write(Buffer.from('all'));
    pipe.discard();
    expect(pipe.read(target)).toBe(EAGAIN);
  });

  it('answer EPIPE without a reader and end of file without a writer', () => {
    const { kernel } = boot();
    const [r, w] = pipeOf(kernel);
    const [r2, w2] = pipeOf(kernel);
    kernel.tableOf(0).close(r);
    expect(outgoing(kernel, w).write(new Uint8Array(1))).toBe(EPIPE);
    outgoing(kernel, w2).write(new Uint8Array([1, 2]));
    kernel.tableOf(0).close(w2);
    expect(incoming(kernel, r2).read(new Uint8Array(9))).toBe(2);
    expect(incoming(kernel, r2).read(new Uint8Array(9))).toBe(0);
  });

  it('give one end of file per mark, at its place, while writers exist', () => {
    const { kernel } = boot();
    const [r, w] = pipeOf(kernel);
    outgoing(kernel, w).write(new Uint8Array([1, 2, 3]));
    outgoing(kernel, w).markEof();
    outgoing(kernel, w).write(new Uint8Array([4]));
    const target = new Uint8Array(9);
    expect(incoming(kernel, r).read(target)).toBe(3);
    expect(incoming(kernel, r).read(target)).toBe(0);
    expect(incoming(kernel, r).read(target)).toBe(1);
    expect(incoming(kernel, r).read(target)).toBe(EAGAIN);
  });

  it('keep the lines of two writers whole', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    for (const tag of [65, 66]) {
      const process = newProcess(kernel);
      kernel.tableOf(0).giveTo(process.slot, w, 1);
      start(machine, process, { kind: 'writeTagged', fd: 1, tag, lines: 5000 });
    }
    kernel.tableOf(0).close(w);
    const chunk = new Uint8Array(65536);
    let text = '';
    for (;;) {
      await incoming(kernel, r).whenReadable();
      const count = incoming(kernel, r).read(chunk);
      if (count === 0) break;
      text += Buffer.from(chunk.subarray(0, Math.max(count, 0))).toString('latin1');
    }
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.filter((line) => line === 'A'.repeat(99)).length).toBe(5000);
    expect(lines.filter((line) => line === 'B'.repeat(99)).length).toBe(5000);
    expect(lines.length).toBe(10_000);
  });

  it('do not serve a stale handle once the ring belongs to somebody else', () => {
    const { kernel } = boot();
    const [r] = pipeOf(kernel);
    const stale = incoming(kernel, r);
    kernel.tableOf(0).closeAll();
    const before = stale.index;
    let again = pipeOf(kernel);
    while (incoming(kernel, again[0]).index !== before) {
      kernel.tableOf(0).closeAll();
      again = pipeOf(kernel);
    }
    outgoing(kernel, again[1]).write(new Uint8Array([7]));
    expect(stale.read(new Uint8Array(1))).toBe(EBADF);
    expect(incoming(kernel, again[0]).available()).toBe(1);
  });

  it('wake an interruptible reader when a signal is raised', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r] = pipeOf(kernel);
    const process = newProcess(kernel);
    kernel.tableOf(0).giveTo(process.slot, r, 0);
    const reader = start(machine, process, { kind: 'readInterruptibly', fd: 0 });
    expect(await reader.next()).toBe('waiting');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const started = performance.now();
    kernel.processes.raise(process.slot, 2);
    expect(await reader.next()).toEqual({ readable: false, signal: 2 });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a killed process', () => {
  it('leaves every ring usable, wherever it was killed', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    const chunk = new Uint8Array(65536);
    for (let round = 0; round < 12; round++) {
      const process = newProcess(kernel);
      kernel.tableOf(0).giveTo(process.slot, w, 1);
      const victim = start(machine, process, { kind: 'spinWriting', fd: 1 });
      expect(await victim.next()).toBe('spinning');
      for (let i = 0; i < 20; i++) incoming(kernel, r).read(chunk);
      await victim.worker.terminate();
      kernel.processes.fence(process.slot);
      kernel.pipes.stealLocks(process.slot);
      expect(kernel.pipes.isLockedBy(process.slot)).toBe(false);
      kernel.tableOf(process.slot).closeAll();
      kernel.processes.end(process.slot, 0, 9);
      kernel.processes.reap(process.slot);
      while (incoming(kernel, r).read(chunk) > 0);
      expect(outgoing(kernel, w).write(new Uint8Array([1]))).toBe(1);
      expect(incoming(kernel, r).read(chunk)).toBe(1);
    }
  });

  it('gives up a lock that it died in', () => {
    const { memory, kernel } = boot();
    const [r, w] = pipeOf(kernel);
    const { slot } = newProcess(kernel);
    const lockWord = PIPE_BASE + incoming(kernel, r).index * PIPE_WORDS;
    new Int32Array(memory.buffer as ArrayBufferLike)[lockWord] = slot + 1;
    expect(kernel.pipes.isLockedBy(slot)).toBe(true);
    expect(kernel.pipes.stealLocks(slot)).toBe(1);
    expect(outgoing(kernel, w).write(new Uint8Array(3))).toBe(3);
  });

  it('does not write while it is stopped, and goes on afterwards', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    const process = newProcess(kernel);
    kernel.tableOf(0).giveTo(process.slot, w, 1);
    await start(machine, process, { kind: 'spinWriting', fd: 1 }).next();
    const chunk = new Uint8Array(65536);
    await incoming(kernel, r).whenReadable();
    kernel.processes.setStopped(process.slot, true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    while (incoming(kernel, r).read(chunk) > 0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(incoming(kernel, r).read(chunk)).toBe(EAGAIN);
    kernel.processes.setStopped(process.slot, false);
    await incoming(kernel, r).whenReadable();
    expect(incoming(kernel, r).read(chunk)).toBeGreaterThan(0);
  });

  it('can touch nothing once it is fenced', async () => {
    const machine = boot();
    const { kernel } = machine;
    const [r, w] = pipeOf(kernel);
    const process = newProcess(kernel);
    kernel.tableOf(0).giveTo(process.slot, w, 1);
    const victim = start(machine, process, { kind: 'spinWriting', fd: 1 });
    await victim.next();
    const chunk = new Uint8Array(65536);
    while (incoming(kernel, r).read(chunk) < 0);
    kernel.processes.fence(process.slot);
    await new Promise((resolve) => setTimeout(resolve, 20));
    while (incoming(kernel, r).read(chunk) > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(incoming(kernel, r).read(chunk)).toBe(EAGAIN);
  });
});

it('who fences itself off at its end leaves alone who has its slot by then', () => {
  const { memory, kernel } = boot();
  const inodes = { retain() {}, release() {}, typeOf: () => FILE_TYPE.file, rdevOf: () => 0 };
  const words = new Int32Array(memory.buffer);
  const old = newProcess(kernel);
  const worker = openIpc(memory, inodes, old.slot, old.pid);
  kernel.processes.end(old.slot, 0, 0);
  kernel.processes.reap(old.slot);
  const fresh = newProcess(kernel);
  expect(fresh.slot).toBe(old.slot);
  const next = openIpc(memory, inodes, fresh.slot, fresh.pid);
  worker.processes.fenceSelf();
  expect(isFenced(words, fresh.slot)).toBe(false);
  next.processes.fenceSelf();
  expect(isFenced(words, fresh.slot)).toBe(true);
});

describe('descriptors', () => {
  it('share the offset when duplicated or inherited, and not when opened twice', () => {
    const { kernel } = boot();
    const table = kernel.tableOf(0);
    const a = table.openFile(10, 0);
    const b = table.openFile(10, 0);
    const duplicate = table.duplicate(a);
    const child = newProcess(kernel);
    table.giveTo(child.slot, a, 3);
    kernel.descriptions.setPosition(table.get(a), 5e9);
    expect(kernel.descriptions.positionOf(table.get(duplicate))).toBe(5e9);
    expect(kernel.descriptions.positionOf(kernel.tableOf(child.slot).get(3))).toBe(5e9);
    expect(kernel.descriptions.positionOf(table.get(b))).toBe(0);
  });

  it('are the lowest free, replaced by duplicateTo, and EBADF when closed', () => {
    const { kernel } = boot();
    const table = kernel.tableOf(0);
    expect([table.openFile(10, 0), table.openFile(11, 0), table.openFile(12, 0)]).toEqual([0, 1, 2]);
    expect(table.close(1)).toBe(0);
    expect(table.close(1)).toBe(EBADF);
    expect(table.openFile(13, 0)).toBe(1);
    expect(table.duplicate(0, 10)).toBe(10);
    expect(table.duplicateTo(0, 2)).toBe(2);
    expect(kernel.descriptions.inoOf(table.get(2))).toBe(10);
    expect(table.get(99)).toBe(EBADF);
    expect(table.get(-1)).toBe(EBADF);
  });

  it('release inodes, rings and descriptions, all of them, with closeAll', () => {
    const { kernel, inodes } = boot();
    const child = newProcess(kernel);
    const table = kernel.tableOf(child.slot);
    const parent = kernel.tableOf(0);
    const fd = parent.openFile(10, 0);
    parent.giveTo(child.slot, fd, 0);
    table.openFile(11, 0);
    table.openPipe();
    table.openPair();
    table.duplicate(0);
    expect(kernel.pipes.usedCount()).toBe(3);
    table.closeAll();
    expect(kernel.pipes.usedCount()).toBe(0);
    expect(kernel.descriptions.usedCount()).toBe(1);
    expect([...inodes]).toEqual([
      [10, 1],
      [11, 0],
    ]);
    parent.close(fd);
    expect(inodes.get(10)).toBe(0);
  });

  it('end at EMFILE without leaking what could not be opened', () => {
    const { kernel, inodes } = boot();
    const table = kernel.tableOf(0);
    while (table.openFile(10, 0) >= 0);
    expect(inodes.get(10)).toBe(1024);
    expect(table.openPipe()).toBe(EMFILE);
    expect(kernel.pipes.usedCount()).toBe(0);
    table.closeAll();
    expect(kernel.descriptions.usedCount()).toBe(0);
  });

  it('make a duplex pair', () => {
    const { kernel } = boot();
    const pair = kernel.tableOf(0).openPair();
    if (typeof pair === 'number') throw new Error('no pair');
    outgoing(kernel, pair[0]).write(new Uint8Array([1]));
    outgoing(kernel, pair[1]).write(new Uint8Array([2, 3]));
    expect(incoming(kernel, pair[1]).available()).toBe(1);
    expect(incoming(kernel, pair[0]).available()).toBe(2);
    kernel.tableOf(0).close(pair[0]);
    expect(outgoing(kernel, pair[1]).write(new Uint8Array(1))).toBe(EPIPE);
  });
});

describe('processes', () => {
  it('inherit group, session and terminal, and are found until reaped', () => {
    const { kernel } = boot();
    const shell = newProcess(kernel);
    kernel.processes.setTerminal(shell.slot, 4);
    const child = newProcess(kernel, shell.slot);
    expect(kernel.processes.parentPidOf(child.slot)).toBe(shell.pid);
    expect(kernel.processes.groupOf(child.slot)).toBe(shell.pid);
    expect(kernel.processes.sessionOf(child.slot)).toBe(shell.pid);
    expect(kernel.processes.terminalOf(child.slot)).toBe(4);
    kernel.processes.end(child.slot, 3, 0);
    expect(kernel.processes.find(child.pid)).toBe(child.slot);
    expect(kernel.processes.stateOf(child.slot)).toBe(PROCESS_STATE.zombie);
    expect(kernel.processes.exitCodeOf(child.slot)).toBe(3);
    kernel.processes.reap(child.slot);
    expect(kernel.processes.find(child.pid)).toBe(ESRCH);
  });

  it('are 255 beside the kernel, then EAGAIN', () => {
    const { kernel } = boot();
    for (let i = 0; i < 255; i++) newProcess(kernel);
    expect(kernel.processes.allocate(0)).toBe(EAGAIN);
    expect(kernel.processes.all().length).toBe(256);
  });

  it('of a program that multiplies leave room for a terminal and for what is typed at its prompt', () => {
    const { kernel } = boot();
    const shell = newProcess(kernel);
    const bomb = newProcess(kernel, shell.slot);
    const multiply = () => kernel.processes.allocate(bomb.slot);
    while (typeof multiply() !== 'number');
    expect(multiply()).toBe(EAGAIN);
    for (let i = 0; i < 8; i++) newProcess(kernel, shell.slot);
    expect(kernel.processes.allocate(shell.slot)).toBe(EAGAIN);
    for (let i = 0; i < 4; i++) newProcess(kernel);
    expect(kernel.processes.allocate(-1)).toBe(EAGAIN);
  });

  it('show what they run and since when', () => {
    const { kernel } = boot();
    const { slot } = newProcess(kernel);
    expect(kernel.processes.commandOf(slot)).toBe('');
    kernel.processes.setCommand(slot, 'node a.js – ů');
    expect(kernel.processes.commandOf(slot)).toBe('node a.js – ů');
    expect(Math.abs(kernel.processes.startedAtOf(slot) - Date.now())).toBeLessThan(5000);
    // Process 1 has been there from the beginning, not from 1970.
    expect(Math.abs(kernel.processes.startedAtOf(0) - Date.now())).toBeLessThan(60_000);
  });

  it('keep signals apart: pending ones are taken one by one, lowest first, each once', () => {
    const { kernel } = boot();
    const { slot } = newProcess(kernel);
    for (const signal of [64, 32, 15, 2]) kernel.processes.raise(slot, signal);
    const taken = [1, 2, 3, 4, 5].map(() => kernel.processes.takePending(slot));
    expect(taken).toEqual([2, 15, 32, 64, 0]);
    kernel.processes.setHandled(slot, 33, true);
    expect([32, 33, 34].map((signal) => kernel.processes.isHandled(slot, signal))).toEqual([false, true, false]);
    kernel.processes.setHandled(slot, 33, false);
    expect(kernel.processes.isHandled(slot, 33)).toBe(false);
  });
});

describe('terminals', () => {
  it('are read line by line in canonical mode and freed with the last reference', () => {
    const { kernel } = boot();
    const index = kernel.terminals.create(80, 24);
    const { slot } = newProcess(kernel);
    kernel.processes.setTerminal(slot, index);
    const table = kernel.tableOf(slot);
    const fd = table.openFile(5, 2);
    const terminal = kernel.descriptions.terminalOf(table.get(fd))!;
    const cooked = { canonical: true, echo: true, signals: true, returnsNewline: true };
    expect([terminal.columns, terminal.rows, terminal.modes]).toEqual([80, 24, cooked]);
    terminal.input.write(new TextEncoder().encode('one\ntwo\n'));
    const target = new Uint8Array(64);
    expect(terminal.input.read(target)).toBe(4);
    terminal.setModes({ canonical: false });
    expect(terminal.modes).toEqual({ ...cooked, canonical: false });
    terminal.input.write(new TextEncoder().encode('x\n'));
    expect(terminal.input.read(target)).toBe(6);
    table.closeAll();
    expect(terminal.output.isReadable()).toBe(true);
    kernel.pipes.release(terminal.input.index, 'write');
    kernel.pipes.release(terminal.output.index, 'read');
    kernel.terminals.release(index);
    expect(kernel.pipes.usedCount()).toBe(0);
    expect(kernel.terminals.create(1, 1)).toBe(index);
  });

  it('change all their modes at once: nobody sees half of raw mode', async () => {
    const machine = boot();
    const { kernel } = machine;
    const index = kernel.terminals.create(80, 24);
    const { next } = start(machine, newProcess(kernel), { kind: 'switchModes', terminal: index });
    await next();
    const terminal = kernel.terminals.open(index);
    const seen = new Set<string>();
    for (let looks = 0; looks < 300_000; looks++) seen.add(Object.values(terminal.modes).join());
    expect([...seen].sort()).toEqual(['false,false,false,false', 'true,true,true,true']);
  });

  it('tell of a change that came between the look and the wait', async () => {
    const { kernel } = boot();
    const terminal = kernel.terminals.open(kernel.terminals.create(80, 24));
    const seen = terminal.changes();
    terminal.foregroundGroup = 7;
    await terminal.whenModesChange(seen);
  });

  it('answer ENXIO for /dev/tty without a controlling terminal', () => {
    const { kernel } = boot();
    expect(kernel.tableOf(newProcess(kernel).slot).openFile(5, 2)).toBe(-6);
  });
});
