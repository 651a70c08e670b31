// The file system that every sandbox begins with: Linux's usual folders, devices, and a marker file per builtin program.
import { EEXIST } from '../memory/errno';
import { CACHE_DIRECTORY } from '../modules/rewrite-cache';
import { DEVICE, type FileTree } from '../tree/types';
import { checked } from './failure';
import { programFile } from './programs';

/** Where the project lives. */
export const PROJECT_DIRECTORY = '/home/project';
/** The person's own: shell history, settings of programs. */
export const HOME_DIRECTORY = '/root';

const DIRECTORIES: [path: string, mode: number][] = [
  ['/bin', 0o755],
  ['/dev', 0o755],
  ['/etc', 0o755],
  ['/home', 0o755],
  [PROJECT_DIRECTORY, 0o755],
  ['/proc', 0o555],
  ['/proc/self', 0o555],
  ['/proc/self/fd', 0o500],
  ['/proc/sys', 0o555],
  ['/proc/sys/kernel', 0o555],
  [HOME_DIRECTORY, 0o700],
  ['/tmp', 0o1777],
  ['/usr', 0o755],
  ['/usr/bin', 0o755],
  ['/usr/lib', 0o755],
  ['/usr/local', 0o755],
  ['/usr/local/bin', 0o755],
  ['/usr/local/lib', 0o755],
  ['/usr/local/lib/node_modules', 0o755],
  ['/var', 0o755],
  ['/var/cache', 0o755],
  [CACHE_DIRECTORY, 0o755],
  ['/var/tmp', 0o1777],
];

const DEVICES: [path: string, rdev: number][] = [
  ['/dev/null', DEVICE.null],
  ['/dev/zero', DEVICE.zero],
  ['/dev/random', DEVICE.random],
  ['/dev/urandom', DEVICE.urandom],
  ['/dev/tty', DEVICE.tty],
];

const LINKS: [path: string, target: string][] = [
  ['/dev/fd', '/proc/self/fd'],
  ['/dev/stdin', '/proc/self/fd/0'],
  ['/dev/stdout', '/proc/self/fd/1'],
  ['/dev/stderr', '/proc/self/fd/2'],
];

const FILES: [path: string, text: string][] = [
  ['/etc/passwd', 'root:x:0:0:root:/root:/bin/bash\n'],
  ['/etc/group', 'root:x:0:\n'],
  ['/etc/hosts', '127.0.0.1\tlocalhost\n::1\tlocalhost\n'],
  ['/etc/hostname', 'cloche\n'],
  ['/proc/sys/kernel/hostname', 'cloche\n'],
  ['/etc/os-release', 'NAME="Cloche"\nID=cloche\nID_LIKE=debian\nPRETTY_NAME="Cloche"\n'],
  ['/etc/shells', '/bin/sh\n/bin/bash\n'],
];

/** Writes the base files into an empty (or restored) tree. `programs`: absolute path → builtin program's name. */
export function writeBaseFiles(tree: FileTree, programs: Readonly<Record<string, string>>): void {
  for (const [path, mode] of DIRECTORIES) ifNew(tree.mkdir(path, mode), 'mkdir', path);
  for (const [path, rdev] of DEVICES) ifNew(tree.makeDevice(path, 0o666, rdev), 'mknod', path);
  for (const [path, target] of LINKS) ifNew(tree.symlink(target, path), 'symlink', path);
  for (const [path, text] of FILES) writeFile(tree, path, text, 0o644);
  for (const [path, program] of Object.entries(programs)) writeFile(tree, path, programFile(program), 0o755);
}

function ifNew(result: number, syscall: string, path: string): void {
  if (result !== EEXIST) checked(result, syscall, path);
}

/** Only what is missing or differs is written: in a restored tree the user's changes to /etc stay, programs follow the engine. */
function writeFile(tree: FileTree, path: string, text: string, mode: number): void {
  const isProgram = mode === 0o755;
  const existing = tree.lookup(path);
  if (existing > 0 && (!isProgram || tree.readText(existing) === text)) return;
  const bytes = new TextEncoder().encode(text);
  const ino = checked(tree.create(path, mode), 'open', path);
  checked(tree.write(ino, bytes, 0), 'write', path);
  checked(tree.truncate(ino, bytes.length), 'ftruncate', path);
  checked(tree.setMode(ino, mode), 'chmod', path);
}
