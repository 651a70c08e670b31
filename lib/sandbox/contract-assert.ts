// What the cases of contract.ts are made of: their shape, and assertions that need no test framework.
import type { Sandbox } from './sandbox';

export interface ContractCase {
  name: string;
  /** `shell`: needs real processes (bash, node); the memory backend has none. */
  needs?: 'shell';
  run(sandbox: Sandbox): Promise<void>;
}

/** Throws with `what` unless the condition holds. */
export function assert(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** Throws with both values unless they are the same as JSON. */
export function equal(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`expected ${b}, got ${a}`);
}

/** Throws unless the promise rejects with an error of that `code`. */
export async function rejectsWith(code: string, promise: Promise<unknown>): Promise<void> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    equal((error as { code?: unknown }).code, code);
    return;
  }
  throw new Error(`expected ${code}, but it resolved with ${JSON.stringify(value)}`);
}

/** A sorted copy. */
export function sorted(values: string[]): string[] {
  return [...values].sort();
}
