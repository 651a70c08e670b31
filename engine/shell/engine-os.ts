// The operating-system port inside the engine: a thin layer over `internalBinding('cloche')`.
import fs from 'node:fs';
import tty from 'node:tty';
import util from 'node:util';
import { type Os, type ShellBinding, WOULD_BLOCK } from './os';

const MARK = '\0cloche:';

/** The port on the engine's binding. */
export function engineOs(binding: ShellBinding): Os {
  return {
    pipe: () => binding.pipe(),
    tryRead: (fd, bytes) => checked(binding.tryRead(fd, bytes), 'read'),
    tryWrite: (fd, bytes) => checked(binding.tryWrite(fd, bytes), 'write'),
    wait: (fd, direction, callback) => binding.wait(fd, direction, callback),
    childDescriptor: (fd) => ({ fd, release() {} }),
    allocateJob: (words, shell) => binding.allocateJob(words, shell),
    endJob: (pid, code, signal) => binding.endJob(pid, code, signal),
    leave: (status) => binding.leave(status),
    retire: (status) => binding.retire(status),
    onJobSignal: (listener) => binding.onJobSignal(listener),
    setGroup: (pid, group) => void checked(binding.setGroup(pid, group), 'setpgid'),
    setForeground: (fd, group) => void checked(binding.setForeground(fd, group), 'tcsetpgrp'),
    continueGroup: (group, done) => binding.continueGroup(group, done),
    onChildState: (listener) => binding.onChildState(listener),
    terminalModes: (fd) => binding.terminalModes(fd),
    setTerminalModes: (fd, modes) => void checked(binding.setTerminalModes(fd, modes), 'tcsetattr'),
    terminalSize: (fd) => binding.terminalSize(fd),
    inherited: () => binding.descriptors(),
    isTerminal: (fd) => tty.isatty(fd),
    processes: () => binding.processes(),
    programOf,
    appletsFirst: false,
  };
}

function checked(result: number, syscall: string): number {
  if (result >= 0 || result === WOULD_BLOCK) return result;
  const [code, message] = util.getSystemErrorMap().get(result) ?? ['UNKNOWN', 'unknown error'];
  throw Object.assign(new Error(`${code}: ${message}, ${syscall}`), { code, errno: result, syscall });
}

function programOf(path: string): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const head = Buffer.alloc(64);
    const text = head.toString('latin1', 0, fs.readSync(fd, head, 0, 64, 0));
    return text.startsWith(MARK) ? text.slice(MARK.length).split('\n')[0] : undefined;
  } finally {
    fs.closeSync(fd);
  }
}
