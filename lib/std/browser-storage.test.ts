import { expect, test } from 'vitest';
import { createBrowserStorage, type SmallStorage } from './browser-storage';

function limited(room: number): SmallStorage & { values: Map<string, string>; room: number } {
  const values = new Map<string, string>();
  return {
    values,
    room,
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      const others = [...values].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
      if (others + value.length > this.room) throw new DOMException('no room', 'QuotaExceededError');
      values.set(key, value);
    },
    removeItem: (key) => void values.delete(key),
  };
}

test('what finds no room is remembered for this tab, and kept as soon as there is room', () => {
  const real = limited(10);
  const storage = createBrowserStorage(() => real);
  const heard: unknown[] = [];
  storage.trouble.subscribe(() => heard.push(storage.trouble.get()));
  storage.setItem('large', 'xxxxxxxx');
  storage.setItem('tabs', 'old');
  expect([storage.getItem('tabs'), real.values.get('tabs')]).toEqual(['old', undefined]);
  storage.setItem('tabs', 'new');
  expect([storage.getItem('tabs'), storage.getItem('large')]).toEqual(['new', 'xxxxxxxx']);
  expect(heard).toEqual(['full']);
  storage.removeItem('large');
  expect(real.values).toEqual(new Map([['tabs', 'new']]));
  expect([storage.getItem('large'), storage.getItem('tabs')]).toEqual([null, 'new']);
  expect(heard).toEqual(['full', undefined]);
});

test('where storage is forbidden, everything is remembered for this tab, and nothing throws', () => {
  const storage = createBrowserStorage(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(storage.getItem('a')).toBeNull();
  storage.setItem('a', '1');
  expect([storage.getItem('a'), storage.trouble.get()]).toEqual(['1', 'forbidden']);
  storage.removeItem('a');
  expect(storage.getItem('a')).toBeNull();
});
