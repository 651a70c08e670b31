// An entry that find looks at, its tests by type and number, and -printf.
import fs from 'node:fs';
import path from 'node:path';
import { modeText, ownerName } from './file-text';
import { strftime } from './strftime';
import { type Tool, UsageError } from './tool';

export interface Entry {
  name: string;
  path: string;
  depth: number;
  root: string;
  stat: fs.Stats;
}

export interface Walk {
  tool: Tool;
  pruned: boolean;
  quit: boolean;
  failed: boolean;
}

export function typeTest(kind: string, stat: fs.Stats): boolean {
  switch (kind) {
    case 'f':
      return stat.isFile();
    case 'd':
      return stat.isDirectory();
    case 'l':
      return stat.isSymbolicLink();
    case 'p':
      return stat.isFIFO();
    case 's':
      return stat.isSocket();
    case 'c':
      return stat.isCharacterDevice();
    case 'b':
      return stat.isBlockDevice();
    default:
      throw new UsageError(`Unknown argument to -type: ${kind}`);
  }
}

export function compareNumber(sign: string, value: number, wanted: number): boolean {
  return sign === '+' ? value > wanted : sign === '-' ? value < wanted : value === wanted;
}

export function printEntry(format: string, { name, path: file, stat, depth, root }: Entry): string {
  return format.replace(
    /%([AT])(.)|%(.)|\\([nt0\\])/gs,
    (whole, time: string | undefined, letter: string, field: string, escape: string) => {
      if (escape) return { n: '\n', t: '\t', 0: '\0', '\\': '\\' }[escape]!;
      if (time)
        return letter === '@'
          ? (stat.mtimeMs / 1000).toFixed(10)
          : strftime(`%${letter}`, time === 'T' ? stat.mtime : stat.atime);
      switch (field) {
        case 'p':
          return name;
        case 'f':
          return path.basename(name) || '/';
        case 'h':
          return name.includes('/') ? path.dirname(name) : '.';
        case 'P':
          return name === root ? '' : name.slice(root.length).replace(/^\//, '');
        case 's':
          return String(stat.size);
        case 'd':
          return String(depth);
        case 'm':
          return (stat.mode & 0o7777).toString(8);
        case 'M':
          return modeText(stat);
        case 'y':
          return stat.isDirectory() ? 'd' : stat.isSymbolicLink() ? 'l' : 'f';
        case 'u':
          return ownerName(stat.uid);
        case 'g':
          return ownerName(stat.gid);
        case 'i':
          return String(stat.ino);
        case 'n':
          return String(stat.nlink);
        case 'l':
          return stat.isSymbolicLink() ? fs.readlinkSync(file) : '';
        case 't':
          return strftime('%a %b %e %H:%M:%S.%N %Y', stat.mtime);
        case '%':
          return '%';
        default:
          return whole;
      }
    },
  );
}
