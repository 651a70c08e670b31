// async_wrap: the async id stack of async_hooks, in the typed arrays that lib reads directly.
import type { Binding } from '../process/environment';

export const asyncWrap: Binding = (environment) => {
  const binding = environment.dumped('async_wrap');
  const { kStackLength, kExecutionAsyncId, kTriggerAsyncId, kAsyncIdCounter, kDefaultTriggerAsyncId } =
    binding.constants;
  const fields = new Uint32Array(9);
  const ids = new Float64Array(4);
  ids[kAsyncIdCounter] = 1;
  ids[kDefaultTriggerAsyncId] = -1;
  const stack: [number, number][] = [];
  const resources: unknown[] = [];
  const noPromiseHooks: unknown[] = [undefined, undefined, undefined, undefined];
  let promiseHooks = noPromiseHooks;

  return Object.assign(binding, {
    async_hook_fields: fields,
    async_id_fields: ids,
    async_ids_stack: new Float64Array(32),
    execution_async_resources: resources,
    setupHooks() {},
    setCallbackTrampoline() {},
    registerDestroyHook() {},
    queueDestroyAsyncId() {},
    setPromiseHooks(...hooks: unknown[]) {
      promiseHooks = hooks;
    },
    getPromiseHooks: () => promiseHooks,
    executionAsyncResource: (index: number) => resources[index],
    pushAsyncContext(asyncId: number, triggerAsyncId: number) {
      stack.push([ids[kExecutionAsyncId], ids[kTriggerAsyncId]]);
      ids[kExecutionAsyncId] = asyncId;
      ids[kTriggerAsyncId] = triggerAsyncId;
      fields[kStackLength]++;
    },
    popAsyncContext() {
      const outer = stack.pop();
      if (!outer) return false;
      [ids[kExecutionAsyncId], ids[kTriggerAsyncId]] = outer;
      fields[kStackLength]--;
      resources.length = Math.min(resources.length, fields[kStackLength]);
      return fields[kStackLength] > 0;
    },
    clearAsyncIdStack() {
      stack.length = 0;
      fields[kStackLength] = 0;
      ids[kExecutionAsyncId] = 0;
      ids[kTriggerAsyncId] = 0;
      resources.length = 0;
    },
  });
};
