import { expect, test } from 'vitest';
import { showSize, showTime } from './show-size';

test('sizes and times as people say them', () => {
  expect([1, 999, 1400, 23_000_000].map(showSize)).toEqual(['1 byte', '999 bytes', '1.4 kB', '23 MB']);
  const now = Date.UTC(2026, 5, 15, 12);
  const ago = (ms: number) => showTime(now - ms, now);
  expect([5e3, 5 * 6e4, 3 * 36e5, 864e5, 30 * 864e5].map(ago)).toEqual([
    'just now',
    '5 minutes ago',
    '3 hours ago',
    'yesterday',
    'May 16, 2026',
  ]);
});
