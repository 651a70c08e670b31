import { beforeEach, expect, test, vi } from 'vitest';
import { bootWaits, waitFor } from './boot-waits';

beforeEach(() => bootWaits.set(undefined));

test('before any view has said something, the cover stays as it came; when nobody waits any more it goes', () => {
  expect(bootWaits.get()).toBeUndefined();
  const stop = waitFor({ title: 'one' });
  expect(bootWaits.get()).toEqual([{ title: 'one' }]);
  stop();
  expect(bootWaits.get()).toEqual([]);
});

test('the latest wait is last; one that ends takes only itself away', () => {
  const stopFirst = waitFor({ title: 'one' });
  waitFor({ title: 'one', step: 'Starting Node', fraction: 0.5 });
  const heard = vi.fn();
  bootWaits.subscribe(heard);
  stopFirst();
  expect(bootWaits.get()).toEqual([{ title: 'one', step: 'Starting Node', fraction: 0.5 }]);
  stopFirst();
  expect(bootWaits.get()).toHaveLength(1);
  expect(heard).toHaveBeenCalled();
});
