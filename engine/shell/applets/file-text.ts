// How file attributes are written: modes, sizes, owners.
import type fs from 'node:fs';
import os from 'node:os';

/** `drwxr-xr-x`. */
export function modeText(stat: fs.Stats): string {
  const kind = stat.isDirectory()
    ? 'd'
    : stat.isSymbolicLink()
      ? 'l'
      : stat.isFIFO()
        ? 'p'
        : stat.isSocket()
          ? 's'
          : stat.isCharacterDevice()
            ? 'c'
            : stat.isBlockDevice()
              ? 'b'
              : '-';
  const bits = [...'rwxrwxrwx'].map((letter, position) => (stat.mode & (0o400 >> position) ? letter : '-'));
  if (stat.mode & 0o4000) bits[2] = bits[2] === 'x' ? 's' : 'S';
  if (stat.mode & 0o2000) bits[5] = bits[5] === 'x' ? 's' : 'S';
  if (stat.mode & 0o1000) bits[8] = bits[8] === 'x' ? 't' : 'T';
  return kind + bits.join('');
}

/** `4.0K`, `12M`: rounded up, as GNU does. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let size = bytes;
  let unit = -1;
  while (size >= 1024 && unit < 5) {
    size /= 1024;
    unit++;
  }
  const shown = size < 10 ? (Math.ceil(size * 10) / 10).toFixed(1) : String(Math.ceil(size));
  return shown === '10.0' ? `10${'KMGTPE'[unit]}` : `${shown}${'KMGTPE'[unit]}`;
}

/** The name of a user or group id: only root and the own user are known. */
export function ownerName(id: number): string {
  if (id === 0) return 'root';
  try {
    const user = os.userInfo();
    return user.uid === id ? user.username : String(id);
  } catch {
    return String(id);
  }
}

/** `755`, `u+x,go-w` applied to a mode; undefined when malformed. */
export function changeMode(text: string, mode: number, umask: number, folder: boolean): number | undefined {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8);
  let result = mode & 0o7777;
  for (const clause of text.split(',')) {
    const match = clause.match(/^([ugoa]*)((?:[-+=][rwxXst]*)+)$/);
    if (!match) return undefined;
    const who = match[1] === '' || match[1]!.includes('a') ? 'ugo' : match[1]!;
    for (const [, operator, letters] of match[2]!.matchAll(/([-+=])([rwxXst]*)/g)) {
      let bits = 0;
      for (const [target, shift] of [
        ['u', 6],
        ['g', 3],
        ['o', 0],
      ] as const) {
        if (!who.includes(target)) continue;
        let part = 0;
        if (letters!.includes('r')) part |= 4;
        if (letters!.includes('w')) part |= 2;
        if (letters!.includes('x') || (letters!.includes('X') && (folder || mode & 0o111))) part |= 1;
        if (match[1] === '') part &= ~(umask >> shift);
        bits |= part << shift;
        if (letters!.includes('s') && target !== 'o') bits |= target === 'u' ? 0o4000 : 0o2000;
        if (operator === '=') result &= ~(7 << shift);
      }
      if (letters!.includes('t')) bits |= 0o1000;
      result = operator === '-' ? result & ~bits : result | bits;
    }
  }
  return result;
}
