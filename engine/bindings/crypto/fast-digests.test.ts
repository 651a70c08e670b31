// Hashes that are made in WebAssembly are those of Node, however they are fed, copied and mixed.
import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { digestCode } from '../../build/digest-code';
import * as digests from './digests';
import { createDigestStarter, type RunningDigest } from './fast-digests';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const NAMES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'];
const random = randomBytes(200_000);

/** A process's hashes, and which parts it has asked for. */
function newProcess(): { start(name: string): RunningDigest; parts: string[] } {
  const parts: string[] = [];
  const starter = createDigestStarter((name) => {
    parts.push(name);
    return digestCode(root, name);
  });
  return { start: (name) => digests.createHash(starter, name, undefined), parts };
}

const hex = (digest: RunningDigest): string => Buffer.from(digest.digest()).toString('hex');

describe('hashes in WebAssembly', () => {
  it.each(NAMES)("%s of every length around blocks and buffers is Node's", (name) => {
    const { start, parts } = newProcess();
    hex(start(name).update(random));
    for (const length of [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 16_383, 16_384, 16_385, 50_001]) {
      const piece = random.subarray(length % 7, (length % 7) + length);
      expect(hex(start(name).update(piece)), `${length} bytes`).toBe(createHash(name).update(piece).digest('hex'));
    }
    expect(hex(start(name))).toBe(createHash(name).digest('hex'));
    expect(parts).toHaveLength(1);
  });

  it('many that are fed in turns, copied and left behind keep apart', () => {
    const { start } = newProcess();
    const ours: RunningDigest[] = [];
    const nodes: ReturnType<typeof createHash>[] = [];
    for (let round = 0; round < 300; round++) {
      const piece = random.subarray(round, round + ((round * 7919) % (round % 9 === 0 ? 60_000 : 90)));
      if (round % 3 === 0) {
        const name = NAMES[round % NAMES.length];
        ours.push(start(name));
        nodes.push(createHash(name));
      }
      const which = (round * 31) % ours.length;
      ours[which].update(piece);
      nodes[which].update(piece);
      if (round % 5 !== 0) continue;
      ours.push(ours[which].clone());
      nodes.push(nodes[which].copy());
    }
    // Some are never asked for their digest, as programs leave them.
    for (let i = 0; i < ours.length; i += i % 10 === 0 ? 2 : 1) expect(hex(ours[i])).toBe(nodes[i].digest('hex'));
  });

  it('who hashes little fetches nothing; much in small pieces is noticed', () => {
    const { start, parts } = newProcess();
    expect(hex(start('sha1').update(random.subarray(0, 1000)))).toBe(
      createHash('sha1').update(random.subarray(0, 1000)).digest('hex'),
    );
    expect(parts).toEqual([]);
    for (let i = 0; i < 300; i++) start('sha1').update(random.subarray(0, 1000)).digest();
    expect(parts).toEqual(['sha1']);
  });

  it('a part that cannot be fetched is asked for once, and the digests are the same', () => {
    let asked = 0;
    const starter = createDigestStarter(() => {
      asked++;
      throw new Error('no network');
    });
    for (let i = 0; i < 3; i++)
      expect(hex(digests.createHash(starter, 'md5', undefined).update(random))).toBe(
        createHash('md5').update(random).digest('hex'),
      );
    expect(asked).toBe(1);
  });
});
