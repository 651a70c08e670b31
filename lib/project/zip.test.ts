import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../sandbox/memory';
import { joinBytes } from '../std/join-bytes';
import { exportZip, measureProject, zipName } from './zip-export';
import { checkedPath, ImportError, type ImportedFile, importLimits, readZipInSteps } from './zip-import';

/** Without a pause. */
function readZip(archive: Uint8Array, limits = importLimits): ImportedFile[] {
  const steps = readZipInSteps(archive, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

test('what was exported is imported byte for byte, without node_modules', async () => {
  const binary = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256);
  const sandbox = await createMemorySandbox({
    files: { 'src/a.ts': 'žluť', 'logo.png': binary, 'node_modules/x/index.js': 'x', empty: '' },
  });
  const files = readZip(await exportZip(sandbox));
  expect(files.map((file) => file.path).sort()).toEqual(['empty', 'logo.png', 'src/a.ts']);
  expect(files.find((file) => file.path === 'logo.png')!.contents).toEqual(binary);
  expect(new TextDecoder().decode(files.find((file) => file.path === 'src/a.ts')!.contents)).toBe('žluť');
  expect(await measureProject(sandbox.fs, sandbox.workdir)).toBe(70_000 + 6);
  const everything = readZip(await exportZip(sandbox, sandbox.workdir, { everything: true }));
  expect(everything.map((file) => file.path)).toContain('node_modules/x/index.js');
});

test('empty folders and what may be executed are kept', () => {
  const files = readZip(
    zipSync({
      'p/empty/deep/': new Uint8Array(0),
      'p/full/': new Uint8Array(0),
      'p/full/ž.sh': [strToU8('x'), { os: 3, attrs: 0o755 << 16 }],
      'p/plain': [strToU8('x'), { os: 3, attrs: 0o644 << 16 }],
    }),
  );
  expect(files.map(({ path, kind, executable }) => [path, kind, executable])).toEqual([
    ['full/ž.sh', 'file', true],
    ['plain', 'file', false],
    ['empty/deep', 'directory', false],
  ]);
  expect(() => readZip(zipSync({ a: strToU8('x'), 'a/': new Uint8Array(0) }))).toThrow('a is a file and a folder');
});

test('an export can be stopped', async () => {
  const sandbox = await createMemorySandbox({ files: { a: 'a' } });
  await expect(exportZip(sandbox, undefined, { signal: AbortSignal.abort() })).rejects.toThrow();
});

test('the outer folder of a GitHub archive is taken off, litter is dropped', () => {
  const files = readZip(
    zipOf({ 'repo-main/package.json': '{}', 'repo-main/src/.DS_Store': 'x', 'repo-main/src/a.js': '' }),
  );
  expect(files.map((file) => file.path).sort()).toEqual(['package.json', 'src/a.js']);
});

test.each(['../evil', 'a/../../evil', '/etc/passwd', 'C:\\evil', 'a\\..\\..\\evil', 'a\0b'])(
  '%j is refused',
  (name) => {
    expect(() => checkedPath(name)).toThrow(ImportError);
    if (!name.includes('\0')) expect(() => readZip(zipOf({ 'ok.txt': '1', [name]: 'x' }))).toThrow(ImportError);
  },
);

/** Changes the archive's bytes at its first `signature` + `offset`. */
function patched(archive: Uint8Array, signature: string, offset: number, change: (byte: number) => number) {
  const copy = archive.slice();
  const at = Buffer.from(copy).indexOf(Buffer.from(signature, 'latin1')) + offset;
  copy[at] = change(copy[at]!);
  return copy;
}

test('what a list of files says that is not so is damage, named by its file', () => {
  const whole = zipOf({ 'notes.txt': 'some text, some text, some text' });
  const [local, listed] = ['PK\x03\x04', 'PK\x01\x02'];
  expect(() => readZip(patched(whole, local, 30 + 9 + 2, (byte) => byte ^ 4))).toThrow(/"notes\.txt" .*damaged/);
  expect(() => readZip(patched(whole, listed, 16, (byte) => byte ^ 1))).toThrow('its checksum is another');
  expect(() => readZip(patched(whole, listed, 24, (byte) => byte + 1))).toThrow('it should have 32 bytes');
  expect(() => readZip(patched(whole, listed, 24, (byte) => byte - 1))).toThrow('it should have 30 bytes');
  expect(() => readZip(patched(whole, listed, 42, () => 7))).toThrow('is not where its list says');
  expect(() => readZip(patched(whole, listed, 8, (byte) => byte | 1))).toThrow('wants a password');
  expect(() => readZip(patched(whole, listed, 10, () => 12))).toThrow('method (12)');
  expect(() => readZip(patched(whole, 'PK\x05\x06', 10, () => 2))).toThrow('has 1 files, not 2');
  const large = zipSync({ 'a.bin': new Uint8Array(40 * 2 ** 20) });
  expect(() => readZip(patched(large, listed, 26, (byte) => byte - 1))).toThrow('larger than');
});

test('any bit that is turned is damage or changes nothing: no wrong bytes come in', () => {
  const whole = zipOf({ 'a.txt': 'one two three one two three', 'b/c.txt': 'four' });
  const good = JSON.stringify(readZip(whole).map(({ contents }) => [...contents]));
  for (let at = 0; at < whole.length; at++)
    for (const bit of [1, 16, 128]) {
      const turned = whole.slice();
      turned[at]! ^= bit;
      try {
        expect(JSON.stringify(readZip(turned).map(({ contents }) => [...contents]))).toBe(good);
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
      }
    }
});

test('UTF-8 names that do not say so (macOS) are read as what they are', () => {
  const archive = zipOf({ 'žluť.txt': 'x' });
  const silent = patched(
    patched(archive, 'PK\x01\x02', 9, () => 0),
    'PK\x03\x04',
    7,
    () => 0,
  );
  expect(readZip(silent).map(({ path }) => path)).toEqual(['žluť.txt']);
});

/** The end of an archive as APPNOTE 4.3.14 and 4.3.15 want it for so many files: the library writes only the older one. */
function withWideEnd(archive: Uint8Array, count: number): Uint8Array {
  const end = archive.subarray(-22);
  const listAt = new DataView(end.buffer, end.byteOffset).getUint32(16, true);
  const wide = new DataView(new ArrayBuffer(76));
  wide.setUint32(0, 0x06064b50, true);
  wide.setBigUint64(4, 44n, true);
  wide.setBigUint64(32, BigInt(count), true);
  wide.setBigUint64(48, BigInt(listAt), true);
  wide.setUint32(56, 0x07064b50, true);
  wide.setBigUint64(64, BigInt(archive.length - 22), true);
  return joinBytes([archive.subarray(0, -22), new Uint8Array(wide.buffer), end]);
}

test('more files than sixteen bits count: read, and refused by an export', async () => {
  const names = Array.from({ length: 70_000 }, (_, at) => `d${at % 100}/f${at}`);
  const entries = Object.fromEntries(names.map((name) => [name, strToU8(name)]));
  const archive = zipSync(entries, { level: 0 });
  // The library that made it counted to 4,464.
  expect(readZip(archive).length).toBe(names.length);
  const files = readZip(withWideEnd(archive, names.length));
  expect(files.map((file) => file.path).sort()).toEqual([...names].sort());
  const last = files.find((file) => file.path === names.at(-1))!;
  expect(new TextDecoder().decode(last.contents)).toBe(names.at(-1));
  const sandbox = await createMemorySandbox();
  const list = async (at: string) =>
    at === sandbox.workdir ? names.map((_, index) => ({ name: `d${index}`, kind: 'directory' as const })) : [];
  const stat = async () => ({ kind: 'directory' as const, size: 0, mtimeMs: 0, mode: 0o755 });
  const fs = { ...sandbox.fs, list, stat } as typeof sandbox.fs;
  await expect(exportZip({ ...sandbox, fs })).rejects.toThrow('more than 65,535 files');
});

test('odd but honest names are kept', () => {
  const names = ['a:b.graphql', 'A.b/A.b', '..hidden', 'data.son', '[id].tsx', 'ž.txt'];
  expect(readZip(zipOf(Object.fromEntries(names.map((name) => [name, 'x'])))).map((file) => file.path)).toEqual(names);
});

test('bombs and floods are refused', () => {
  const bomb = zipSync({ 'bomb.txt': new Uint8Array(4 * 2 ** 20) });
  expect(bomb.length).toBeLessThan(2 ** 14);
  expect(() => readZip(bomb, { ...importLimits, maxBytes: 2 ** 20 })).toThrow('larger than 1 MB');
  expect(() => readZip(zipOf({ a: '', b: '', c: '' }), { ...importLimits, maxFiles: 2 })).toThrow('more than 2 files');
  expect(() => checkedPath(`${'d/'.repeat(65)}f`)).toThrow('deeper than 64');
  expect(() => checkedPath('n'.repeat(256))).toThrow('longer than 255');
});

test('a flood needs no more of the stack than an honest archive', () => {
  const flood = zipOf(Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`f${at}`, ''])));
  const deep = (frames: number): unknown =>
    frames === 0 ? readZip(flood, { ...importLimits, maxFiles: 3000 }) : deep(frames - 1);
  const deepest = (frames: number): number => {
    try {
      return deepest(frames + 1);
    } catch {
      return frames;
    }
  };
  expect(() => deep(Math.floor(deepest(0) / 2))).toThrow('more than 3,000 files');
});

test('what is no whole zip is named', () => {
  expect(() => readZip(strToU8('hello'))).toThrow('not a zip');
  const whole = zipSync({ 'a.bin': crypto.getRandomValues(new Uint8Array(5000)) });
  expect(() => readZip(whole.subarray(0, 2000))).toThrow(ImportError);
  expect(() => readZip(zipOf({ 'x.': '1', 'x./y': '2', z: '' }))).toThrow('a file and a folder');
});

test('the name of the download is one that file systems take', () => {
  expect(zipName('my: project?')).toBe('my- project-.zip');
});

test('how much is read is said on the way, and only goes up', () => {
  const archive = zipSync({ 'a.bin': crypto.getRandomValues(new Uint8Array(50_000)) });
  const said = [...readZipInSteps(archive)];
  expect(said.length).toBeGreaterThan(4);
  expect(said).toEqual([...said].sort((a, b) => a - b));
  expect(said.at(-1)).toBe(1);
});
