// The operating-system port on a real Node (Linux), for development and tests: pipes are named pipes opened without blocking,
// and waiting is polling. Never shipped in the engine.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import nodeOs from 'node:os';
import path from 'node:path';
import tty from 'node:tty';
import { type Os, type ProcessRow, WOULD_BLOCK } from './os';

const { O_RDONLY, O_WRONLY, O_NONBLOCK, O_APPEND } = fs.constants;
const BATCH = 8;

/** The emulation. Job ids are numbers far above real process ids, unknown to the system. */
export function nativeOs(): Os {
  const spare: string[] = [];
  const polled = new Set<number>();
  let nextJob = 5_000_000;

  function fifo(): string {
    if (spare.length === 0) {
      const folder = fs.mkdtempSync(path.join(nodeOs.tmpdir(), 'cloche-pipes-'));
      const names = Array.from({ length: BATCH }, (_, index) => path.join(folder, String(index)));
      spawnSync('/usr/bin/mkfifo', names);
      spare.push(...names);
      process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
    }
    return spare.pop()!;
  }

  /** Inherited pipes and terminals block: read them through a second, non-blocking description of the same pipe. */
  const reopened = new Map<number, number>();
  function nonBlocking(fd: number): number {
    if (polled.has(fd)) return fd;
    const known = reopened.get(fd);
    if (known !== undefined) return known;
    let result = fd;
    try {
      if (!fs.fstatSync(fd).isFile() && fd <= 2) result = fs.openSync(`/proc/self/fd/${fd}`, O_RDONLY | O_NONBLOCK);
    } catch {}
    if (fd <= 2) reopened.set(fd, result);
    return result;
  }

  return {
    pipe() {
      const name = fifo();
      const read = fs.openSync(name, O_RDONLY | O_NONBLOCK);
      const write = fs.openSync(name, O_WRONLY | O_NONBLOCK);
      fs.unlinkSync(name);
      polled.add(read).add(write);
      return [read, write];
    },
    tryRead(fd, bytes) {
      try {
        return fs.readSync(nonBlocking(fd), bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return WOULD_BLOCK;
        throw error;
      }
    },
    tryWrite(fd, bytes) {
      try {
        return fs.writeSync(fd, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return WOULD_BLOCK;
        throw error;
      }
    },
    wait(_fd, _direction, callback) {
      const timer = setTimeout(callback, 2);
      return () => clearTimeout(timer);
    },
    childDescriptor(fd) {
      if (!polled.has(fd)) return { fd, release() {} };
      const flags = fs.readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').match(/flags:\s*(\d+)/)![1]!;
      const writes = (Number.parseInt(flags, 8) & 3) === 1;
      // A write end must be opened while a reader exists; without one the child would get EPIPE anyway.
      const copy = fs.openSync(`/proc/self/fd/${fd}`, (writes ? O_WRONLY | O_APPEND : O_RDONLY) | O_NONBLOCK);
      return { fd: copy, release: () => fs.closeSync(copy) };
    },
    allocateJob: () => nextJob++,
    endJob() {},
    leave: () => false,
    retire: () => false,
    onJobSignal: () => () => {},
    setGroup() {},
    setForeground() {},
    continueGroup(group, done) {
      process.kill(-group, 'SIGCONT');
      setImmediate(done);
    },
    onChildState: () => () => {},
    terminalModes(fd) {
      if (!tty.isatty(fd)) return undefined;
      const text = execFileSync('stty', ['-a'], { encoding: 'utf8', stdio: [fd, 'pipe', 'inherit'] });
      const on = (name: string) => new RegExp(`(^|\\s)${name}\\b`, 'm').test(text);
      return { canonical: on('icanon'), echo: on('echo'), signals: on('isig'), returnsNewline: on('icrnl') };
    },
    setTerminalModes(fd, modes) {
      const names = { canonical: 'icanon', echo: 'echo', signals: 'isig', returnsNewline: 'icrnl' };
      const words = Object.entries(modes).map(([mode, on]) => `${on ? '' : '-'}${names[mode as keyof typeof names]}`);
      execFileSync('stty', words, { stdio: [fd, 'inherit', 'inherit'] });
    },
    terminalSize(fd) {
      if (!tty.isatty(fd)) return undefined;
      const [columns, rows] = new tty.WriteStream(fd).getWindowSize();
      return { columns, rows };
    },
    // Node has descriptors of its own, which look the same.
    inherited: () => [0, 1, 2],
    isTerminal: (fd) => tty.isatty(fd),
    processes,
    programOf: () => undefined,
    appletsFirst: true,
  };
}

function processes(): ProcessRow[] {
  const text = execFileSync('/usr/bin/ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, pid, ppid, state, command] = line.match(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/)!;
      return { pid: Number(pid), ppid: Number(ppid), state: state!, command: command!, startedAt: Date.now() };
    });
}
