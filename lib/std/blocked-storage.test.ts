// Blocked site data, a full disk and a broken or silent database are named, with the address and what to do; errors of our own keep their words.
import { expect, test, vi } from 'vitest';
import { namedBlock, openedInTime } from './blocked-storage';

const host = () => 'cloche.example';

test.each([
  ['UnknownError', 'The user denied permission to access the database.'],
  ['SecurityError', 'The operation is insecure.'],
  [
    'SecurityError',
    "Failed to execute 'open' on 'IDBFactory': access to the Indexed Database API is denied in this context.",
  ],
])('%s: %s', (name, message) => {
  const error = namedBlock(new DOMException(message, name), host) as Error;
  expect(error.message).toMatch(/blocks site data .* for cloche\.example\..*Allow site data for this address/);
  expect((error.cause as Error).message).toBe(message);
});

test.each([
  [
    new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'),
    /can’t use its database for cloche\.example: Internal error opening .*\. Nothing was changed\. Restart the browser/,
  ],
  [
    new DOMException('The current transaction exceeded its quota limitations.', 'QuotaExceededError'),
    /no more room for cloche\.example\. Delete projects/,
  ],
])('%s says what to do', (error, words) => {
  expect((namedBlock(error, host) as Error).message).toMatch(words);
});

test.each([new Error('There is no project x in this browser.'), undefined])('another fault stays: %s', (error) => {
  expect(namedBlock(error, host)).toBe(error);
});

test('a database that never answers is given up, and closed when it comes after all', async () => {
  vi.useFakeTimers();
  try {
    const late = Promise.withResolvers<{ close(): void }>();
    const opening = openedInTime(late.promise, host);
    const told = expect(opening).rejects.toThrow(/database for cloche\.example does not answer\..*then try again/);
    await vi.runAllTimersAsync();
    await told;
    const close = vi.fn();
    late.resolve({ close });
    await vi.runAllTimersAsync();
    expect(close).toHaveBeenCalledOnce();
    const database = { close };
    expect(await openedInTime(Promise.resolve(database), host)).toBe(database);
    await vi.runAllTimersAsync();
    expect(close).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
