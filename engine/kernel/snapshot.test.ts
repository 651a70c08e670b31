// Snapshots: what goes in comes out, and a hostile one is refused before anything is written.
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from './snapshot';

const file = (path: string, text: string): SnapshotEntry => ({
  kind: 'file',
  path,
  mode: 0o644,
  mtimeMs: 1000,
  contents: new TextEncoder().encode(text),
});

describe('snapshot', () => {
  it('gives back every entry', () => {
    const entries: SnapshotEntry[] = [
      { kind: 'directory', path: 'a', mode: 0o755 },
      file('a/ů.txt', 'one'),
      file('empty', ''),
      { kind: 'symlink', path: 'link', target: '../anywhere' },
      file('last', 'two'),
    ];
    expect(decodeSnapshot(encodeSnapshot(entries))).toEqual(entries);
  });

  it.each(['../x', 'a/../b', '/etc/passwd', 'a//b', '.', 'a/./b', 'nul\0'])('refuses the path %j', (path) => {
    expect(() => decodeSnapshot(encodeSnapshot([file(path, 'x')]))).toThrow(/not allowed/);
  });

  it('refuses what is cut off or no snapshot', () => {
    const whole = encodeSnapshot([file('a', 'contents')]);
    expect(() => decodeSnapshot(whole.subarray(0, whole.length - 1))).toThrow(/cut off/);
    expect(() => decodeSnapshot(whole.subarray(0, 14))).toThrow(/cut off/);
    expect(() => decodeSnapshot(new Uint8Array(40))).toThrow(/not a snapshot/);
  });

  it('refuses a name that no file system takes', () => {
    expect(() => decodeSnapshot(encodeSnapshot([file('n'.repeat(256), '')]))).toThrow(/too long/);
    expect(() => decodeSnapshot(encodeSnapshot([file(`${'d/'.repeat(200)}x`, '')]))).toThrow(/too deep/);
  });
});
