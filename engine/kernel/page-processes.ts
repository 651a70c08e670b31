// Processes that the page starts: their standard streams are pipes or a terminal whose other ends the kernel holds.
// Output goes out on credit (pump.ts); input is acknowledged when the process's ring has taken it.
import type { DescriptorTable, Ipc, Pipe } from '../ipc/types';
import { EAGAIN, ENOTDIR } from '../memory/errno';
import { FILE_TYPE, type FileTree } from '../tree/types';
import { checked, failure } from './failure';
import type { KernelPageMessage, OutputChannel, PageMessage, RunEnd, RunRequest } from './page-protocol';
import type { ProcessControl } from './process-control';
import { findOnPath, resolveProgram } from './programs';
import { createPump, type Pump } from './pump';
import { SIGNAL } from './signals';
import { createTty, type Tty } from './tty';

export interface PageProcesses {
  /** Starts `request` and returns its pid; throws a Failure when there is nothing to run. */
  run(request: RunRequest): number;
  /** Messages about processes that this page has started; others are ignored. */
  receive(message: PageMessage): void;
}

interface PageProcess {
  pid: number;
  pumps: Partial<Record<OutputChannel, Pump>>;
  /** Takes input, in the order of the calls. Resolves when more may come, to false when nobody reads any more. */
  write(chunk: Uint8Array): Promise<boolean>;
  /** Ends the input behind what was written. */
  endInput(): void;
  /** The process has ended. */
  close(): void;
  tty: Tty | undefined;
}

const UMASK = 0o022;
/** How long what a process has started and left behind may still print into its streams. */
const DRAIN_MS = 300;

/** The page's processes on this kernel. */
export function createPageProcesses(
  ipc: Ipc,
  tree: FileTree,
  control: ProcessControl,
  send: (message: KernelPageMessage, transfer?: Transferable[]) => void,
): PageProcesses {
  const running = new Map<number, PageProcess>();
  const kernelTable = ipc.tableOf(0);

  const run = (request: RunRequest): number => {
    const file = locate(tree, request);
    const made = ipc.processes.allocate(-1);
    if (typeof made === 'number') throw failure(made, 'spawn', request.command);
    const { pid, slot } = made;
    let process: PageProcess;
    try {
      process = request.terminal ? withTerminal(pid, slot, request.terminal) : withPipes(pid, slot);
    } catch (error) {
      ipc.tableOf(slot).closeAll();
      ipc.processes.reap(slot);
      throw error;
    }
    running.set(pid, process);
    const argv = [request.command, ...request.args];
    const start = { pid, slot, file, argv, env: request.env, cwd: request.cwd, umask: UMASK };
    const onEnd = (end: RunEnd): void => {
      send({ type: 'ended', pid, end });
      for (const pump of Object.values(process.pumps)) pump.finish(process.tty ? 0 : DRAIN_MS);
      process.close();
    };
    control.start(start, { onEnd, policy: request.policy });
    return pid;
  };

  const startPump = (
    pid: number,
    channel: OutputChannel,
    pipe: Pipe,
    transform: (bytes: Uint8Array) => Uint8Array,
    released: () => void,
  ): Pump =>
    createPump(
      pipe,
      transform,
      (chunk) => send({ type: 'output', pid, channel, chunk }, [chunk.buffer]),
      () => send({ type: 'outputEnd', pid, channel }),
      () => {
        released();
        const process = running.get(pid);
        if (process) delete process.pumps[channel];
        if (process && Object.keys(process.pumps).length === 0) running.delete(pid);
      },
    );

  const withPipes = (pid: number, slot: number): PageProcess => {
    const [stdin, stdinWriter] = pipeInto(kernelTable);
    const [stdoutReader, stdout] = pipeInto(kernelTable);
    const [stderrReader, stderr] = pipeInto(kernelTable);
    for (const [fd, kernelFd] of [stdin, stdout, stderr].entries()) {
      kernelTable.giveTo(slot, kernelFd, fd);
      kernelTable.close(kernelFd);
    }
    const input = ipc.descriptions.outgoing(kernelTable.get(stdinWriter)) as Pipe;
    const reader = (fd: number, channel: OutputChannel): Pump => {
      const pipe = ipc.descriptions.incoming(kernelTable.get(fd)) as Pipe;
      return startPump(
        pid,
        channel,
        pipe,
        (bytes) => bytes,
        () => kernelTable.close(fd),
      );
    };
    let isOpen = true;
    let tail: Promise<unknown> = Promise.resolve();
    const close = (): void => {
      if (isOpen) kernelTable.close(stdinWriter);
      isOpen = false;
    };
    return {
      pid,
      pumps: { output: reader(stdoutReader, 'output'), stderr: reader(stderrReader, 'stderr') },
      tty: undefined,
      write(chunk) {
        const written = tail.then(() => writeAll(input, chunk, () => isOpen));
        tail = written;
        return written;
      },
      endInput: () => void tail.then(close),
      close,
    };
  };

  const withTerminal = (pid: number, slot: number, size: { columns: number; rows: number }): PageProcess => {
    const index = checked(ipc.terminals.create(size.columns, size.rows), 'openpty');
    const terminal = ipc.terminals.open(index);
    const { input, output } = terminal;
    terminal.session = pid;
    terminal.foregroundGroup = pid;
    ipc.processes.setTerminal(slot, index);
    const table = ipc.tableOf(slot);
    checked(table.openTerminal(index), 'openpty');
    for (let fd = 1; fd <= 2; fd++) checked(table.duplicate(0), 'openpty');
    const tty = createTty(
      terminal,
      (bytes) => pump.inject(bytes),
      (group, signal, mark) => control.keySignal(group, signal, mark),
      () => {
        const queued = output.settled();
        return () => output.discard(queued);
      },
    );
    const pump = startPump(pid, 'output', output, tty.processOutput, () => {
      ipc.pipes.release(input.index, 'write');
      ipc.pipes.release(output.index, 'read');
      ipc.terminals.release(index);
    });
    send({ type: 'outputEnd', pid, channel: 'stderr' });
    return {
      pid,
      pumps: { output: pump },
      tty,
      // At once, whatever waits before it: it may hold a signal for a program that reads no keys.
      write: (chunk) => tty.input(chunk).then(() => true),
      // A terminal has no end of input but a key; closing the page's stream types it.
      endInput: () => void tty.input(Uint8Array.of(4)),
      close: () => tty.dispose(),
    };
  };

  const receive = (message: PageMessage): void => {
    if (!('pid' in message)) return;
    const process = running.get(message.pid);
    if (!process) {
      if (message.type === 'input') send({ type: 'inputClosed', pid: message.pid });
      return;
    }
    switch (message.type) {
      case 'input':
        void process.write(message.chunk).then((isTaken) => {
          if (isTaken) send({ type: 'inputCredit', pid: process.pid, bytes: message.chunk.length });
          else send({ type: 'inputClosed', pid: process.pid });
        });
        return;
      case 'inputEnd':
        process.endInput();
        return;
      case 'credit':
        process.pumps[message.channel]?.credit(message.bytes);
        return;
      case 'resize':
        process.tty?.resize(message.columns, message.rows);
        return;
      case 'signal': {
        const number = SIGNAL[message.signal];
        if (number === undefined) send({ type: 'fault', message: `There is no signal ${message.signal}.` });
        else control.signal(process.pid, number);
        return;
      }
    }
  };

  return { run, receive };
}

function locate(tree: FileTree, request: RunRequest): string {
  const cwd = checked(tree.lookup(request.cwd), 'chdir', request.cwd);
  if (tree.typeOf(cwd) !== FILE_TYPE.directory) throw failure(ENOTDIR, 'chdir', request.cwd);
  const file = findOnPath(tree, request.command, request.env.PATH, request.cwd);
  if (typeof file === 'number') throw failure(file, 'spawn', request.command);
  const resolved = resolveProgram(tree, file, [request.command], request.env.PATH);
  if (typeof resolved === 'number') throw failure(resolved, 'spawn', request.command);
  return file;
}

function pipeInto(table: DescriptorTable): [number, number] {
  const made = table.openPipe();
  if (typeof made === 'number') throw failure(made, 'pipe');
  return made;
}

async function writeAll(pipe: Pipe, chunk: Uint8Array, isOpen: () => boolean): Promise<boolean> {
  for (let done = 0; done < chunk.length; ) {
    if (!isOpen()) return false;
    const count = pipe.write(chunk.subarray(done));
    if (count >= 0) done += count;
    else if (count === EAGAIN) await pipe.whenWritable();
    else return false;
  }
  return true;
}
