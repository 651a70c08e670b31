// What promises tell without waiting: only what was seen to settle, and never by running the guest's code.
import { describe, expect, it } from 'vitest';
import { recordSettled, settledState, trackPromises } from './promise-states';

const { resolve, reject } = Promise;
trackPromises(Promise);
const tracked = { resolve: Promise.resolve, reject: Promise.reject };
Object.assign(Promise, { resolve, reject });

describe('the state of a promise', () => {
  it('is known when Promise.resolve or Promise.reject made it', () => {
    expect(settledState(tracked.resolve.call(Promise, 1))).toEqual({ rejected: false, value: 1 });
    const object = { a: 1 };
    expect(settledState(tracked.resolve.call(Promise, object))?.value).toBe(object);
    const rejected = tracked.reject.call(Promise, 'no');
    rejected.catch(() => {});
    expect(settledState(rejected)).toEqual({ rejected: true, value: 'no' });
  });

  it('is unknown for thenables, and nothing of the guest runs to find out', () => {
    const calls: string[] = [];
    const getter = Object.defineProperty({}, 'then', { get: () => void calls.push('then') });
    const promise = tracked.resolve.call(Promise, getter);
    const asked = calls.length;
    expect(settledState(promise)).toBeUndefined();
    expect(calls).toHaveLength(asked);
    // biome-ignore lint/suspicious/noThenProperty: the test is about thenables
    expect(settledState(tracked.resolve.call(Promise, { then() {} }))).toBeUndefined();
    expect(settledState(new Promise(() => {}))).toBeUndefined();
  });

  it('leaves a promise alone that is passed through, and keeps the first record', () => {
    const promise = Promise.resolve(1);
    expect(tracked.resolve.call(Promise, promise)).toBe(promise);
    expect(settledState(promise)).toBeUndefined();
    recordSettled(promise, false, 1);
    recordSettled(promise, true, 2);
    expect(settledState(promise)).toEqual({ rejected: false, value: 1 });
  });
});
