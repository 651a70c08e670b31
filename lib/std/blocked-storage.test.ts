// Blocked site data is named, with the address; other faults of a database keep their own words.
import { expect, test } from 'vitest';
import { namedBlock } from './blocked-storage';

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
  new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError'),
  new DOMException('no room', 'QuotaExceededError'),
  undefined,
])('another fault stays: %s', (error) => {
  expect(namedBlock(error, host)).toBe(error);
});
