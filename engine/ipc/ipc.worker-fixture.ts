// The other side of ipc.test.ts: a worker thread that plays one process and does what the message says.
import { parentPort } from 'node:worker_threads';
import { openIpc } from './ipc';

/** What the test asks of a worker. `fd`s belong to the process in `slot`. */
export type Order =
  | { kind: 'pump'; fd: number; bytes: number; fill: number }
  | { kind: 'readAll'; fd: number }
  | { kind: 'writeTagged'; fd: number; tag: number; lines: number }
  | { kind: 'readInterruptibly'; fd: number }
  | { kind: 'switchModes'; terminal: number }
  | { kind: 'spinWriting'; fd: number };

const inodes = { retain() {}, release() {}, typeOf: () => 1 as const, rdevOf: () => 0 };

parentPort?.once('message', ({ memory, slot, pid, order }) => {
  const ipc = openIpc(memory, inodes, slot, pid);
  const table = ipc.tableOf(slot);
  const reply = (value: unknown) => parentPort?.postMessage(value);
  const out = (fd: number) => ipc.descriptions.outgoing(table.get(fd))!;
  const incoming = (fd: number) => ipc.descriptions.incoming(table.get(fd))!;
  const writeFully = (fd: number, bytes: Uint8Array): number => {
    for (let done = 0; done < bytes.length; ) {
      const count = out(fd).write(bytes.subarray(done));
      if (count >= 0) done += count;
      else if (count === -11) out(fd).waitWritable();
      else return count;
    }
    return bytes.length;
  };
  const run = (o: Order): unknown => {
    switch (o.kind) {
      case 'pump': {
        const chunk = new Uint8Array(32768);
        let sum = 0;
        for (let sent = 0; sent < o.bytes; sent += chunk.length) {
          for (let i = 0; i < chunk.length; i += 997) sum += chunk[i] = (sent + i * o.fill) & 255;
          if (writeFully(o.fd, chunk) < 0) return 'EPIPE';
        }
        table.close(o.fd);
        return sum;
      }
      case 'readAll': {
        const chunk = new Uint8Array(65536);
        let total = 0;
        for (;;) {
          incoming(o.fd).waitReadable();
          const count = incoming(o.fd).read(chunk);
          if (count === 0) return total;
          if (count > 0) total += count;
        }
      }
      case 'writeTagged':
        for (let i = 0; i < o.lines; i++) {
          writeFully(o.fd, new Uint8Array(100).fill(o.tag, 0, 99).fill(10, 99));
        }
        table.close(o.fd);
        return 'done';
      case 'readInterruptibly': {
        reply('waiting');
        const readable = incoming(o.fd).waitReadable(10_000, true);
        return { readable, signal: ipc.processes.takePending(slot) };
      }
      case 'switchModes': {
        const terminal = ipc.terminals.open(o.terminal);
        reply('switching');
        for (let on = false; ; on = !on)
          terminal.setModes({ canonical: on, echo: on, signals: on, returnsNewline: on });
      }
      case 'spinWriting': {
        reply('spinning');
        for (;;) out(o.fd).write(new Uint8Array(1));
      }
    }
  };
  reply(run(order));
});
