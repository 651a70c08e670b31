import { expect, test } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { lineReplacer, replaceInFiles } from './replace';

const notOpen = { write: async () => false, saveAll: async () => {} };
const wanted = { path: '/home/project', pattern: 'cat', literal: true, ignoreCase: true };

test('what is found is replaced, in every file, with its encoding and line ends; undo gives the same bytes', async () => {
  const utf16 = Uint8Array.from([
    0xff,
    0xfe,
    ...new Uint8Array(new Uint16Array([...'a cat'].map((c) => c.charCodeAt(0))).buffer),
  ]);
  const files = {
    'a.txt': '\ufeffcat\r\ncat Cat\r\nend',
    'b/c.txt': utf16,
    'none.txt': 'dog',
    '.gitignore': 'ignored.txt',
    'ignored.txt': 'cat',
    'latin.txt': Uint8Array.from([0x63, 0x61, 0x74, 0xe9]),
  };
  const sandbox = await createMemorySandbox({ files });
  const { fs, workdir } = sandbox;
  const bytes = async () =>
    Promise.all(Object.keys(files).map(async (name) => [...(await fs.read(`${workdir}/${name}`))]));
  const before = await bytes();
  const told: number[] = [];
  const done = await replaceInFiles(sandbox, notOpen, wanted, '$1dog', { onProgress: (at) => told.push(at) });
  expect({ count: done.count, files: done.files }).toEqual({ count: 4, files: 2 });
  expect(done.left).toEqual([{ path: `${workdir}/latin.txt`, why: expect.stringContaining('UTF-8') }]);
  expect(told).toEqual([1, 2, 3]);
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await fs.read(`${workdir}/a.txt`))).toBe(
    '\ufeff$1dog\r\n$1dog $1dog\r\nend',
  );
  expect(new TextDecoder('utf-16le').decode(await fs.read(`${workdir}/b/c.txt`))).toBe('a $1dog');
  expect(await fs.readText(`${workdir}/ignored.txt`)).toBe('cat');
  expect(await done.undo()).toEqual([]);
  expect(await bytes()).toEqual(before);
});

test('undo keeps what was written elsewhere in the file since, and leaves the lines that were changed again', async () => {
  const sandbox = await createMemorySandbox({ files: { a: 'cat\n1\n2\n3\nend\n', b: 'cat\n' } });
  const { fs, workdir } = sandbox;
  const done = await replaceInFiles(sandbox, notOpen, wanted, 'dog');
  await fs.write(`${workdir}/a`, 'dog\n1\n2\n3\nthe end\n');
  await fs.write(`${workdir}/b`, 'dogs\n');
  expect(await done.undo()).toEqual([`${workdir}/b`]);
  expect(await fs.readText(`${workdir}/a`)).toBe('cat\n1\n2\n3\nthe end\n');
  expect(await fs.readText(`${workdir}/b`)).toBe('dogs\n');
});

test('an open file is written through its buffer, and a refusal is told', async () => {
  const sandbox = await createMemorySandbox({ files: { a: 'cat', b: 'cat' } });
  const through: string[] = [];
  const buffers = {
    saveAll: async () => {},
    write: async (path: string) => {
      if (path.endsWith('/b')) throw new Error('EBUSY: the same lines are being changed by hand');
      through.push(path);
      return true;
    },
  };
  const done = await replaceInFiles(sandbox, buffers, wanted, 'dog');
  expect(through).toEqual([`${sandbox.workdir}/a`]);
  expect(done.left).toEqual([{ path: `${sandbox.workdir}/b`, why: expect.stringContaining('by hand') }]);
  expect(await sandbox.fs.readText(`${sandbox.workdir}/a`)).toBe('cat');
});

test.each([
  ['(\\w+)=(\\d+)', '$2:$1', 'a=1 b=22', '1:a 22:b'],
  ['(?<key>\\w+)=', '<$<key>>', 'a=1', '<a>1'],
  ['x', '$&$&$$\\n$7$<no>', 'x', 'xx$\n$7$<no>'],
  ['^', 'never', 'nothing is empty', 'nothing is empty'],
  ['\\d+$', 'N', 'a1\nb2\r\nc3', 'aN\nbN\r\ncN'],
])('the expression %s by %s', (pattern, replacement, text, result) => {
  expect(lineReplacer({ path: '/', pattern }, replacement)(text).text).toBe(result);
});
