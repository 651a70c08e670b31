// The last step of `npm run build`: writes the smaller form of what visitors wait for beside it. Once per build instead of once per visit, so it may take
// the slowest level; the largest files, which nobody waits for, get a quicker one.
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { BROTLI_FOLDERS, mayHaveBrotli } from './brotli-files.ts';

const compress = promisify(brotliCompress);
const PARALLEL = 4;
/** Level 11 takes a second for 700 kB. */
const LARGE_BYTES = 2_500_000;
/** Below that the headers are most of an answer. */
const SMALL_BYTES = 1024;

/** Writes `X.br` for every file of the build that gains by it and has none; returns the bytes of those before and after. *Throws* when a folder is not built. */
export async function writeBrotli(root: string): Promise<{ files: number; before: number; after: number }> {
  const waiting: string[] = [];
  for (const folder of Object.keys(BROTLI_FOLDERS) as (keyof typeof BROTLI_FOLDERS)[])
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (mayHaveBrotli(folder, name)) waiting.push(path.join(root, folder, name));
  const sum = { files: 0, before: 0, after: 0 };
  const work = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      // The name says the content: that of an earlier build is as good.
      if (existsSync(`${file}.br`)) continue;
      const plain = await readFile(file);
      const smaller = plain.length < SMALL_BYTES ? plain : await compress(plain, { params: levelFor(plain.length) });
      if (smaller.length > plain.length * 0.95) continue;
      await writeFile(`${file}.br`, smaller);
      sum.files++;
      sum.before += plain.length;
      sum.after += smaller.length;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return sum;
}

function levelFor(bytes: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: bytes > LARGE_BYTES ? 9 : 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, before, after } = await writeBrotli(fileURLToPath(new URL('../..', import.meta.url)));
  console.log(`brotli: ${files} files, ${Math.round(before / 1024)} kB → ${Math.round(after / 1024)} kB`);
}
