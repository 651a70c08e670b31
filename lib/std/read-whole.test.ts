import { expect, test, vi } from 'vitest';
import { readWhole } from './read-whole';

const endless = (cancel?: () => void) =>
  new ReadableStream<Uint8Array>(
    { pull: (queue) => queue.enqueue(new Uint8Array([1, 2, 3])), cancel },
    { highWaterMark: 0 },
  );

test('a stream of exactly the most is whole; one byte more is not', async () => {
  const six = () => new Response(new Uint8Array([1, 2, 3, 4, 5, 6])).body as ReadableStream<Uint8Array>;
  expect(await readWhole(six(), 6)).toEqual(new Uint8Array([1, 2, 3, 4, 5, 6]));
  expect(await readWhole(six(), 5)).toBeUndefined();
});

test('nothing is read past the limit, and the source is told', async () => {
  const cancel = vi.fn();
  expect(await readWhole(endless(cancel), 7)).toBeUndefined();
  expect(cancel).toHaveBeenCalledOnce();
});

test("an error of the stream is thrown as it is, and one of cancelling is nobody's", async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (queue) => queue.error(new Error('cut')) });
  await expect(readWhole(broken, 1)).rejects.toThrow('cut');
  expect(
    await readWhole(
      endless(() => {
        throw new Error('no');
      }),
      2,
    ),
  ).toBeUndefined();
});
