// What a person sees of a guest's error.
import { expect, test } from 'vitest';
import { orFailurePage } from './empty-failure';

const streamed = (...pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });

test.each([null, streamed()])(
  'an error without a page gets one that says so, and does not load again by itself',
  async (body) => {
    const shown = await orFailurePage(new Response(body, { status: 503, statusText: 'Service Unavailable' }));
    expect(shown.status).toBe(503);
    const html = await shown.text();
    expect(html).toContain('The server answered 503 (Service Unavailable)');
    expect(html).not.toContain('setInterval');
  },
);

test('an error with a page stays byte for byte, and so does everything that is no error', async () => {
  const failed = await orFailurePage(
    new Response(streamed('<h1>', 'boom'), { status: 500, headers: { 'x-own': '1' } }),
  );
  expect([failed.status, failed.headers.get('x-own'), await failed.text()]).toEqual([500, '1', '<h1>boom']);
  const fine = new Response(streamed());
  expect(await orFailurePage(fine)).toBe(fine);
});
