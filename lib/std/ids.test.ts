import { expect, test, vi } from 'vitest';
import { newId, type newIdsAfter } from './ids';

test('ids ascend while the clock stands, is set back, and when thousands have the same time', () => {
  const now = Date.now();
  const ids = [newId('a', now), ...Array.from({ length: 4000 }, () => newId('a', now - 86_400_000)), newId('a', now)];
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids.map((id) => id.length))).toEqual(new Set([2 + 9 + 2 + 13]));
});

test('ids sort after those of another tab whose clock was ahead; what is no id changes nothing', async () => {
  const ahead = newId('msg', Date.now() + 3_600_000);
  vi.resetModules();
  const fresh = (await import('./ids')) as { newId: typeof newId; newIdsAfter: typeof newIdsAfter };
  expect(fresh.newId('msg') < ahead).toBe(true);
  fresh.newIdsAfter(['msg_zzzzzzzzz000000000000000', 'nonsense', '', ahead]);
  const next = fresh.newId('msg');
  expect(next > ahead).toBe(true);
  expect(next).toHaveLength(ahead.length);
});
