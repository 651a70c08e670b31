// Calls of jq functions that the host provides: natives, and those that take filters.

import type { JqHost } from './jq-host';
import { NATIVES } from './jq-natives';
import { matches } from './jq-text';
import type { Filter } from './jq-tree';

/** Calls a native; undefined when there is none of that name and number of arguments. */
export function callNative(
  host: JqHost,
  name: string,
  args: Filter[],
  input: unknown,
  scope: unknown,
): Generator<unknown> | undefined {
  switch (`${name}/${args.length}`) {
    case 'path/1':
      return host.paths(args[0]!, input, scope);
    case 'range/2':
    case 'range/3':
      return range(host, args, input, scope);
    case 'isempty/1':
      return once(() => host.run(args[0]!, input, scope).next().done === true);
    case 'match/2':
      return matchAll(host, args, input, scope);
    case 'repeat_inputs/0':
      return allInputs(host);
    case 'input_line_number/0':
      return once(() => 0);
  }
  const native = NATIVES[`${name}/${args.length}`];
  return native && product(host, args, input, scope, (values) => native(host, input, values));
}

function* once(make: () => unknown): Generator<unknown> {
  yield make();
}

function* allInputs(host: JqHost): Generator<unknown> {
  while (host.inputs.left()) yield host.inputs.next();
}

function* matchAll(host: JqHost, args: Filter[], input: unknown, scope: unknown): Generator<unknown> {
  for (const re of host.run(args[0]!, input, scope))
    for (const flags of host.run(args[1]!, input, scope)) yield* matches(input, re, flags);
}

export function* range(host: JqHost, args: Filter[], input: unknown, scope: unknown): Generator<unknown> {
  for (const from of host.run(args[0]!, input, scope) as Generator<number>) {
    for (const to of host.run(args[1]!, input, scope) as Generator<number>) {
      for (const by of (args[2] ? host.run(args[2], input, scope) : [1]) as Iterable<number>) {
        if (by > 0) for (let value = from; value < to; value += by) yield value;
        else if (by < 0) for (let value = from; value > to; value += by) yield value;
      }
    }
  }
}

/** All combinations of the arguments' values, the last argument outermost, as jq does. */
function* product(
  host: JqHost,
  args: Filter[],
  input: unknown,
  scope: unknown,
  make: (values: unknown[]) => unknown,
  values: unknown[] = [],
): Generator<unknown> {
  if (args.length === 0) {
    yield make(values);
    return;
  }
  for (const value of host.run(args.at(-1)!, input, scope))
    yield* product(host, args.slice(0, -1), input, scope, make, [value, ...values]);
}
