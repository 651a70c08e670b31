import { afterEach, expect, test, vi } from 'vitest';
import { createRateLimit } from './rate-limit';

afterEach(() => vi.restoreAllMocks());

test('a clock that is set back locks nobody out, and one that is set forward gives nothing away', () => {
  const rate = createRateLimit(2, 3_600_000);
  expect(rate.take('a').allowed).toBe(true);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now - 86_400_000);
  expect(rate.take('a').allowed).toBe(true);
  vi.spyOn(Date, 'now').mockReturnValue(now + 86_400_000);
  expect(rate.take('a').allowed).toBe(false);
});
