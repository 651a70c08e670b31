// Which origin shows which port: never shared, never changed, prepared before it is needed.
import { beforeEach, expect, test } from 'vitest';
import { type OriginStore, prepareOrigins, previewIdsOf } from './preview-origins';

let store: OriginStore;
let prepared: string[];
const prepare = async (id: string) => void prepared.push(id);

beforeEach(() => {
  const values = new Map<string, string>();
  store = { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
  prepared = [];
});

test('a port keeps its origin over reloads, and no two are the same', async () => {
  const one = await previewIdsOf('one', store);
  const two = await previewIdsOf('two', store);
  const ids = [one(3000), one(5173), one(8080), two(3000)];
  expect(new Set(ids).size).toBe(4);
  const again = await previewIdsOf('one', store);
  expect([again(8080), again(3000), again(5173)]).toEqual([ids[2], ids[0], ids[1]]);
});

test('the open project’s origins are prepared first, spares serve projects made without a server', async () => {
  const one = await previewIdsOf('one', store);
  await prepareOrigins(prepare, store);
  expect(prepared.slice(0, 2)).toEqual([one(3000), one(5173)]);
  const without = await previewIdsOf('two', store);
  expect(prepared).toContain(without(3000));
  expect(prepared).toContain(without(5173));
  const before = prepared.length;
  await prepareOrigins(prepare, store);
  expect(prepared.length - before).toBe(2);
});

test('one that cannot be prepared stays wanted', async () => {
  const one = await previewIdsOf('one', store);
  await expect(prepareOrigins(() => Promise.reject(new Error('no server')), store)).rejects.toThrow('no server');
  await prepareOrigins(prepare, store);
  expect(prepared[0]).toBe(one(3000));
});

test('a storage that is full or has nonsense in it gives origins all the same', async () => {
  store.getItem = () => '{';
  store.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  const one = await previewIdsOf('one', store);
  expect(one(3000)).toBe(one(3000));
  await prepareOrigins(prepare, store);
  expect(prepared.length).toBeLessThan(20);
});

test('what somebody else wrote under our names is no list of ours', async () => {
  for (const text of [
    'null',
    '[]',
    '"x"',
    '12',
    '{"spare":"abc","wanted":{},"free":"x","ports":null}',
    '{"spare":[1,"../x"],"free":[{}],"ports":{"3000":"EVIL/.."}}',
  ]) {
    store.getItem = () => text;
    const one = await previewIdsOf('one', store);
    expect(one(3000), text).toMatch(/^[a-z0-9-]+$/);
    await prepareOrigins(prepare, store);
  }
  expect(prepared.filter((id) => !/^[a-z0-9]+$/.test(id))).toEqual([]);
});
