// A process worker without Node: a few programs straight on ipc and the tree, so that kernel facts are tested apart from Node's bootstrap.
// What runs is argv: `node <act> <arguments>`.
import { openIpc } from '../../engine/ipc/ipc';
import type { Ipc } from '../../engine/ipc/types';
import type { KernelMessage, ProcessMessage, SpawnRequest } from '../../engine/kernel/protocol';
import { EAGAIN } from '../../engine/memory/errno';
import { openTree, type Tree } from '../../engine/tree/tree';

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
const post = (message: ProcessMessage): void => scope.postMessage(message);

let tree: Tree;
let ipc: Ipc;
const listeners = new Map<string, (message: any) => void>();

interface Self {
  request: SpawnRequest;
  write(fd: number, text: string): void;
  /** Bytes read, blocking; 0 at the end. */
  read(fd: number, target: Uint8Array): number;
  exit(code: number): void;
  spawn(args: string[], fds: number[]): { pid: number; slot: number };
}

function selfOf(request: SpawnRequest): Self {
  const { slot } = request;
  const table = ipc.tableOf(slot);
  return {
    request,
    write(fd, text) {
      const bytes = new TextEncoder().encode(text);
      const ring = ipc.descriptions.outgoing(table.get(fd))!;
      for (let done = 0; done < bytes.length; ) {
        const count = ring.write(bytes.subarray(done));
        if (count >= 0) done += count;
        else if (count === EAGAIN) ring.waitWritable();
        else return;
      }
    },
    read(fd, target) {
      const ring = ipc.descriptions.incoming(table.get(fd))!;
      for (;;) {
        const count = ring.read(target);
        if (count !== EAGAIN) return count;
        ring.waitReadable();
      }
    },
    exit: (code) => post({ type: 'exit', code }),
    spawn(args, fds) {
      const made = ipc.processes.allocate(slot);
      if (typeof made === 'number') throw new Error(`allocate ${made}`);
      for (const [index, fd] of fds.entries()) table.giveTo(made.slot, fd, index);
      const { env, cwd, umask, file } = request;
      post({ type: 'spawn', ...made, file, argv: ['node', ...args], env, cwd, umask });
      return made;
    },
  };
}

const acts: Record<string, (self: Self, args: string[]) => void> = {
  say(self, [text, code]) {
    self.write(1, text);
    self.write(2, `err:${text}`);
    self.exit(Number(code ?? 0));
  },
  cat(self) {
    const chunk = new Uint8Array(65536);
    for (;;) {
      const count = self.read(0, chunk);
      if (count <= 0) return self.exit(0);
      self.write(1, new TextDecoder().decode(chunk.slice(0, count)));
    }
  },
  loop(self) {
    self.write(1, 'up');
    for (;;);
  },
  /** Changes the tree for ever: it is mostly inside the tree's lock when it is killed. */
  churn(self) {
    self.write(1, 'up');
    for (let i = 0; ; i++) {
      const ino = tree.create(`/tmp/churn${i % 50}`, 0o644);
      tree.write(ino, new Uint8Array(100_000), 0);
      tree.unlink(`/tmp/churn${i % 50}`);
    }
  },
  /** Writes as much as it can and counts on disk how much has gone out. */
  flood(self, [total]) {
    const chunk = 'x'.repeat(16384);
    const ino = tree.create('/tmp/flood', 0o644);
    for (let done = 0; done < Number(total); done += chunk.length) {
      self.write(1, chunk);
      tree.write(ino, new TextEncoder().encode(String(done + chunk.length)), 0);
    }
    self.exit(0);
  },
  crash() {
    setTimeout(() => {
      throw new Error('on purpose');
    }, 1);
  },
  /** Handles SIGINT and SIGWINCH, ends with SIGTERM's default. */
  handles(self) {
    for (const signal of [2, 28]) ipc.processes.setHandled(self.request.slot, signal, true);
    listeners.set('signal', () => {
      for (
        let taken = ipc.processes.takePending(self.request.slot);
        taken;
        taken = ipc.processes.takePending(self.request.slot)
      ) {
        self.write(1, `<${taken}>`);
      }
    });
    self.write(1, 'up');
  },
  raw(self) {
    const terminal = ipc.descriptions.terminalOf(ipc.tableOf(self.request.slot).get(0))!;
    terminal.setModes({ canonical: false, echo: false, signals: false });
    self.write(1, `up ${terminal.columns}x${terminal.rows} `);
    const chunk = new Uint8Array(100);
    for (;;) {
      const count = self.read(0, chunk);
      self.write(1, `[${[...chunk.subarray(0, count)].join(' ')}]`);
      if (chunk[0] === 113) return self.exit(0);
    }
  },
  /** Starts a child with the rest of the arguments on its own streams and tells how it ended. */
  parent(self, args) {
    const child = self.spawn(args, [0, 1, 2]);
    listeners.set('childExit', ({ pid, code, signal }) => {
      ipc.processes.reap(child.slot);
      self.write(1, `|child ${pid === child.pid} ${code} ${signal}`);
      self.exit(0);
    });
  },
  /** Starts a child and waits for it without returning to the event loop, as spawnSync does. */
  parentSync(self, args) {
    const child = self.spawn(args, [0, 1, 2]);
    let seen = ipc.activity();
    while (ipc.processes.stateOf(child.slot) !== 4) seen = ipc.waitForActivity(seen, 10_000);
    self.write(1, `|sync ${ipc.processes.exitCodeOf(child.slot)}`);
    ipc.processes.reap(child.slot);
    self.exit(0);
  },
  /** Leaves a looping child behind. */
  orphan(self) {
    const child = self.spawn(['loop'], [0, 1, 2]);
    self.write(2, String(child.pid));
    self.exit(0);
  },
  killer(self, [pid, signal]) {
    post({ type: 'kill', pid: Number(pid), signal: Number(signal) });
    self.exit(0);
  },
  replace(self, args) {
    post({ type: 'exec', ...self.request, argv: ['node', ...args] });
  },
  watch(self, [path]) {
    listeners.set('treeChange', ({ kind, name }) => self.write(1, `${kind}:${name};`));
    post({ type: 'watch', id: 1, path, recursive: true, since: tree.changeSequence() });
    self.write(1, 'up;');
  },
};

scope.onmessage = ({ data }: MessageEvent<KernelMessage>) => {
  if (data.type === 'prepare') {
    tree = openTree(data.memory);
    ipc = openIpc(data.memory, tree, -1, 0);
    post({ type: 'ready' });
  } else if (data.type === 'start') {
    ipc.become(data.request.slot, data.request.pid);
    const [, act, ...args] = data.request.argv;
    // A script stays: what it says is not read here.
    if (!act.startsWith('/')) acts[act](selfOf(data.request), args);
  } else listeners.get(data.type)?.(data);
};
