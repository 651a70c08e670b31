// What the command line changes in a realm that was booted before there was one: lib has cached the default options by then, modules in the pool
// have read them, and V8 would have been told of some.
import { nodeError } from '../bindings/node-error';
import type { ProcessEnvironment } from './environment';

/** Puts `state.options` into force; just before the main script. */
export function applyOptions({ state: { options }, requireBuiltin }: ProcessEnvironment): void {
  if (Object.keys(options).length === 0) return;
  requireBuiltin('internal/options').refreshOptions();
  // net reads its own as it loads.
  const selects = options['--network-family-autoselection'];
  const timeout = options['--network-family-autoselection-attempt-timeout'];
  if (typeof selects === 'boolean') requireBuiltin('net').setDefaultAutoSelectFamily(selects);
  if (typeof timeout === 'number') requireBuiltin('net').setDefaultAutoSelectFamilyAttemptTimeout(timeout);
  disableProto(options['--disable-proto']);
}

/** As node::InitializePrimordials does it to each context. */
function disableProto(mode: unknown): void {
  if (mode === 'delete') Reflect.deleteProperty(Object.prototype, '__proto__');
  if (mode !== 'throw') return;
  const refuse = (): never => {
    throw nodeError(
      Error,
      'ERR_PROTO_ACCESS',
      'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw',
    );
  };
  Object.defineProperty(Object.prototype, '__proto__', {
    get: refuse,
    set: refuse,
    enumerable: false,
    configurable: true,
  });
}
