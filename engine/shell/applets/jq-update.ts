// Assignments of jq.
import type { JqHost } from './jq-host';
import { deletePaths, getPath, setPath } from './jq-paths';
import type { Scope } from './jq-scope';
import type { Filter } from './jq-tree';
import { operate, truthy } from './jq-values';

/** `|=`, `=`, `+=` and their like: the input with the paths of `left` changed. */
export function* update(
  host: JqHost,
  operator: string,
  left: Filter,
  right: Filter,
  input: unknown,
  scope: Scope,
): Generator<unknown> {
  if (operator === '|=') {
    let result = input;
    const removed: unknown[][] = [];
    for (const path of [...host.paths(left, input, scope)]) {
      const next = host.run(right, getPath(result, path), scope).next();
      if (next.done) removed.push(path);
      else result = setPath(result, path, next.value);
    }
    yield deletePaths(result, removed);
    return;
  }
  for (const value of host.run(right, input, scope)) {
    let result = input;
    for (const path of host.paths(left, input, scope)) {
      const before = getPath(result, path);
      if (operator === '=') result = setPath(result, path, value);
      else if (operator === '//=') result = truthy(before) ? result : setPath(result, path, value);
      else result = setPath(result, path, operate(operator.slice(0, -1), before, value));
    }
    yield result;
  }
}
