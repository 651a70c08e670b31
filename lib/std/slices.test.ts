import { expect, test } from 'vitest';
import { inSlices } from './slices';

const busy = (ms: number) => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

test('all items, in order, and others have their turn in between', async () => {
  let turns = 0;
  const clock = setInterval(() => turns++, 0);
  const seen: number[] = [];
  await inSlices([1, 2, 3, 4, 5], (item) => {
    busy(10);
    seen.push(item);
  });
  clearInterval(clock);
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  expect(turns).toBeGreaterThan(0);
});

test('what the work throws', async () => {
  await expect(
    inSlices([1], () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
});
