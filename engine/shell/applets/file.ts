// file: what kind of file something is.
import fs from 'node:fs';
import path from 'node:path';
import { parseOptions } from './options';
import { type Applet, resolvePath, type Tool, UsageError } from './tool';

export function kindText(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'directory';
  if (stat.isSymbolicLink()) return 'symbolic link';
  if (stat.isFIFO()) return 'fifo';
  if (stat.isSocket()) return 'socket';
  if (stat.isCharacterDevice()) return 'character special file';
  if (stat.isBlockDevice()) return 'block special file';
  return stat.size === 0 ? 'regular empty file' : 'regular file';
}

const MAGIC: [RegExp, string][] = [
  [/^\x89PNG\r\n/, 'PNG image data'],
  [/^\xff\xd8\xff/, 'JPEG image data'],
  [/^GIF8/, 'GIF image data'],
  [/^RIFF....WEBP/s, 'RIFF (little-endian) data, Web/P image'],
  [/^%PDF-/, 'PDF document'],
  [/^\x1f\x8b/, 'gzip compressed data'],
  [/^PK\x03\x04/, 'Zip archive data'],
  [/^\x7fELF/, 'ELF executable'],
  [/^\0asm/, 'WebAssembly (wasm) binary module'],
  [/^SQLite format 3/, 'SQLite 3.x database'],
  [/^wOF2/, 'Web Open Font Format (Version 2)'],
  [/^.{257}ustar/s, 'POSIX tar archive'],
];

/** file [-b] [-i] files. */
export const file: Applet = async (tool) => {
  const { flags, operands } = parseOptions(tool.args, 'biL', { brief: 'b', mime: 'i', 'mime-type': 'mime-type' });
  if (operands.length === 0) throw new UsageError('Usage: file [-bi] FILE...');
  const width = Math.max(...operands.map((name) => name.length)) + 1;
  for (const name of operands)
    await tool.stdout.write(
      `${flags.has('b') ? '' : `${`${name}:`.padEnd(width)} `}${describe(tool, name, flags.has('i') || flags.has('mime-type'))}\n`,
    );
  return 0;
};

function describe(tool: Tool, name: string, mime: boolean): string {
  const target = resolvePath(tool, name);
  const info = fs.lstatSync(target, { throwIfNoEntry: false });
  if (!info) return `cannot open \`${name}' (No such file or directory)`;
  if (info.isDirectory()) return mime ? 'inode/directory' : 'directory';
  if (info.isSymbolicLink()) return mime ? 'inode/symlink' : `symbolic link to ${fs.readlinkSync(target)}`;
  if (!info.isFile()) return kindText(info);
  if (info.size === 0) return mime ? 'inode/x-empty' : 'empty';
  const bytes = fs.readFileSync(target).subarray(0, 8192);
  const head = bytes.toString('latin1');
  const magic = MAGIC.find(([regex]) => regex.test(head));
  if (magic) return mime ? 'application/octet-stream' : magic[1];
  if (bytes.includes(0)) return mime ? 'application/octet-stream' : 'data';
  const ascii = /^[\x07-\x0d\x1b\x20-\x7e]*$/.test(head);
  const text = `${ascii ? 'ASCII' : 'Unicode text, UTF-8'} text`.replace('text, UTF-8 text', 'text, UTF-8 text');
  if (mime) return `text/plain; charset=${ascii ? 'us-ascii' : 'utf-8'}`;
  const script = head.match(/^#!\s*(?:\/usr\/bin\/env\s+)?(\S+)/);
  if (script)
    return `${path.basename(script[1]!) === 'node' ? 'Node.js script' : /sh$/.test(script[1]!) ? `${path.basename(script[1]!) === 'bash' ? 'Bourne-Again' : 'POSIX'} shell script,` : `a ${script[1]} script,`} ${text} executable`;
  if (/^\s*[{[]/.test(head) && isJson(target)) return 'JSON text data';
  return `${text}${head.includes('\r\n') ? ', with CRLF line terminators' : !head.includes('\n') ? ', with no line terminators' : ''}`;
}

function isJson(target: string): boolean {
  try {
    JSON.parse(fs.readFileSync(target, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
