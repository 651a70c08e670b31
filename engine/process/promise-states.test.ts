// What promises tell without waiting: only what was seen to settle, and never by running the guest's code.
import { describe, expect, it } from 'vitest';
import { recordingConstructor, trackPromises } from './promise-makers';
import { recordPassing, recordResolved, recordSettled, settledState } from './promise-states';

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

  it('leaves a promise alone that is passed through, and believes what is heard over what was assumed', () => {
    const promise = new Promise(() => {});
    expect(tracked.resolve.call(Promise, promise)).toBe(promise);
    expect(settledState(promise)).toBeUndefined();
    // biome-ignore lint/suspicious/noThenProperty: the test is about thenables
    const assumed = tracked.resolve.call(Promise, { then() {} });
    recordSettled(assumed, true, 1);
    expect(settledState(assumed)).toEqual({ rejected: true, value: 1 });
  });

  it('is that of the first call of what an executor is given', () => {
    const Recording = recordingConstructor(Promise)(Promise) as PromiseConstructor;
    const promise = new Recording((settle, fail) => {
      settle(1);
      fail(2);
    });
    expect(settledState(promise)).toEqual({ rejected: false, value: 1 });
    expect(promise.constructor).toBe(Promise);
    const thrown = new Recording(() => {
      throw 'x';
    });
    thrown.catch(() => {});
    expect(settledState(thrown)).toEqual({ rejected: true, value: 'x' });
    expect(recordingConstructor(Promise)(Map)).toBe(Map);
  });

  it('is that of the promise that one follows, both ways, and not before the microtasks that it takes', async () => {
    let settle: (value: unknown) => void = () => {};
    const source = new Promise((given) => {
      settle = given;
    });
    const follower = new Promise((given) => given(source));
    recordResolved(follower, source);
    recordSettled(source, false, 's');
    expect(settledState(follower)).toBeUndefined();
    settle('s');
    await follower;
    expect(settledState(follower)).toEqual({ rejected: false, value: 's' });
    const [unknown, heard] = [new Promise(() => {}), new Promise(() => {})];
    recordPassing(heard, unknown, true, false);
    recordSettled(heard, true, 'no');
    expect(settledState(unknown)).toEqual({ rejected: true, value: 'no' });
  });

  it('passes through a then only with the outcome that has no reaction', () => {
    const outcomes = [true, false].map((rejected) => {
      const [source, caught] = [new Promise(() => {}), new Promise(() => {})];
      recordPassing(caught, source, false, true);
      recordSettled(source, rejected, 'v');
      return settledState(caught);
    });
    expect(outcomes).toEqual([undefined, { rejected: false, value: 'v' }]);
  });
});
