// async_wrap: the async id stack of async_hooks, in the typed arrays that lib reads directly.
import { passOn, setPromiseHooks } from '../modules/promise-hooks';
import type { Binding } from '../process/environment';
import { AsyncScopes, type NativeHooks } from './async-scopes';

export const asyncWrap: Binding = (environment) => {
  const scopes = AsyncScopes.of(environment);
  const { async_id_symbol, trigger_async_id_symbol } = environment.symbols;
  passOn([async_id_symbol, trigger_async_id_symbol]);
  const noPromiseHooks: unknown[] = [undefined, undefined, undefined, undefined];
  let promiseHooks = noPromiseHooks;

  return Object.assign(scopes.binding, {
    setupHooks(hooks: NativeHooks) {
      scopes.hooks = hooks;
    },
    // Callbacks have one way into the program here, with hooks and without.
    setCallbackTrampoline() {},
    registerDestroyHook(resource: object, asyncId: number, destroyed?: { destroyed?: boolean }) {
      scopes.endWhenCollected(resource, asyncId, destroyed);
    },
    queueDestroyAsyncId: (asyncId: number) => scopes.queueDestroy(asyncId),
    setPromiseHooks(...hooks: unknown[]) {
      promiseHooks = hooks;
      setPromiseHooks(hooks);
    },
    getPromiseHooks: () => promiseHooks,
    executionAsyncResource: (index: number) => scopes.binding.execution_async_resources[index],
    pushAsyncContext: (asyncId: number, triggerId: number) => scopes.push(asyncId, triggerId),
    /** lib calls this one when the id is not that of the context that it leaves. */
    popAsyncContext(asyncId: number) {
      const actual = scopes.executionAsyncId;
      if (actual === asyncId) return scopes.pop();
      const text = `Error: async hook stack has become corrupted (actual: ${actual}, expected: ${asyncId})\n`;
      environment.writeFully(2, new environment.browser.TextEncoder().encode(text));
      return environment.exit(1);
    },
    clearAsyncIdStack: () => scopes.clear(),
  });
};
