// A text that workers share: who blocks until it is there is tested in the browser (tests/browser/first-prompt.spec.ts).
import { expect, test, vi } from 'vitest';
import { askForText, offerText, presentText, takeText } from './shared-text';

test('a text that is there is taken at once', () => {
  expect(takeText(presentText('a.txt', Uint8Array.of(1, 2)))).toEqual(Uint8Array.of(1, 2));
});

test('nothing is loaded before somebody asks, then once; what failed is tried again for the next who asks', async () => {
  const load = vi.fn<() => Promise<Uint8Array>>();
  load.mockRejectedValueOnce(new Error('503')).mockResolvedValueOnce(Uint8Array.of(7, 8, 9));
  const text = offerText('b.txt', 3, load);
  await new Promise((resolve) => setTimeout(resolve));
  expect(load).not.toHaveBeenCalled();
  askForText(text);
  askForText(text);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  const [failed] = text.state;
  await vi.waitFor(() => {
    askForText(text);
    expect(load).toHaveBeenCalledTimes(2);
  });
  await vi.waitFor(() => expect(text.state[0]).not.toBe(failed));
  expect(takeText(text)).toEqual(Uint8Array.of(7, 8, 9));
  askForText(text);
  expect(load).toHaveBeenCalledTimes(2);
});
