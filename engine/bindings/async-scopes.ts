// AsyncWrap (src/async_wrap.cc): what the platform makes has an id of its own and the id of what caused it; lib is told when it begins, before and after
// each callback and at its end. Ids are always right, hooks cost only who has some.
import type { ProcessEnvironment } from '../process/environment';

/** One resource, as lib's hooks know it. */
export interface AsyncIds {
  readonly asyncId: number;
  readonly triggerId: number;
  readonly resource: object;
}

type Emit = (asyncId: number) => void;

/** lib's functions that call the hooks. */
export interface NativeHooks {
  init(asyncId: number, type: string, triggerId: number, resource: object): void;
  before: Emit;
  after: Emit;
  destroy: Emit;
}

const instances = new WeakMap<ProcessEnvironment, AsyncScopes>();

export class AsyncScopes {
  readonly #environment: ProcessEnvironment;
  /** The binding, whose arrays lib reads and writes itself. */
  readonly binding: any;
  hooks: NativeHooks | undefined;
  #ended: number[] = [];
  readonly #collected: FinalizationRegistry<{ asyncId: number; destroyed?: { destroyed?: boolean } }>;

  private constructor(environment: ProcessEnvironment) {
    this.#environment = environment;
    const binding = environment.dumped('async_wrap');
    const { kAsyncIdCounter, kDefaultTriggerAsyncId } = binding.constants;
    binding.async_hook_fields = new Uint32Array(9);
    binding.async_id_fields = new Float64Array(4);
    // 1 is the program itself.
    binding.async_id_fields[kAsyncIdCounter] = 1;
    binding.async_id_fields[kDefaultTriggerAsyncId] = -1;
    binding.async_ids_stack = new Float64Array(32);
    binding.execution_async_resources = [];
    this.binding = binding;
    this.#collected = new FinalizationRegistry(({ asyncId, destroyed }) => {
      if (!destroyed?.destroyed) this.queueDestroy(asyncId);
    });
  }

  /** One per process. */
  static of(environment: ProcessEnvironment): AsyncScopes {
    let found = instances.get(environment);
    if (!found) instances.set(environment, (found = new AsyncScopes(environment)));
    return found;
  }

  get executionAsyncId(): number {
    return this.binding.async_id_fields[this.binding.constants.kExecutionAsyncId];
  }

  /** A new resource: `type` is its provider's name; lib's hooks are told. */
  begin(resource: object, type: string): AsyncIds {
    const { async_id_fields: ids, async_hook_fields: fields, constants } = this.binding;
    const asyncId = ++ids[constants.kAsyncIdCounter];
    const given = ids[constants.kDefaultTriggerAsyncId];
    const triggerId = given < 0 ? ids[constants.kExecutionAsyncId] : given;
    if (fields[constants.kInit] > 0) this.hooks?.init(asyncId, type, triggerId, resource);
    return { asyncId, triggerId, resource };
  }

  /** Runs a callback of the resource. What it throws leaves the stack as it is: lib's last word on an exception clears it. */
  run<Result>({ asyncId, triggerId, resource }: AsyncIds, callback: () => Result): Result {
    const { async_hook_fields: fields, constants } = this.binding;
    this.push(asyncId, triggerId, resource);
    if (fields[constants.kBefore] > 0) this.hooks?.before(asyncId);
    const result = callback();
    if (fields[constants.kAfter] > 0) this.hooks?.after(asyncId);
    this.pop();
    return result;
  }

  /** What `make` makes is caused by the resource. */
  causing<Result>({ asyncId }: AsyncIds, make: () => Result): Result {
    const { async_id_fields: ids, constants } = this.binding;
    const outer = ids[constants.kDefaultTriggerAsyncId];
    ids[constants.kDefaultTriggerAsyncId] = asyncId;
    try {
      return make();
    } finally {
      ids[constants.kDefaultTriggerAsyncId] = outer;
    }
  }

  /** Runs the program's main script, of which hooks do not hear. */
  runMain(run: () => void): void {
    this.push(1, 0, {});
    run();
    this.pop();
  }

  /** The last callback of the resource. */
  finish({ asyncId, triggerId, resource }: AsyncIds, callback: () => void): void {
    this.end({ asyncId, triggerId, resource });
    this.run({ asyncId, triggerId, resource }, callback);
  }

  /** The resource is no more. */
  end({ asyncId }: AsyncIds): void {
    if (this.binding.async_hook_fields[this.binding.constants.kDestroy] > 0) this.queueDestroy(asyncId);
  }

  queueDestroy(asyncId: number): void {
    this.#ended.push(asyncId);
    if (this.#ended.length > 1) return;
    this.#environment.loop.enqueueIn(undefined, () => {
      for (const id of this.#ended.splice(0)) this.hooks?.destroy(id);
    });
  }

  /** The resource ends when it is collected, unless `destroyed` says that it has. */
  endWhenCollected(resource: object, asyncId: number, destroyed?: { destroyed?: boolean }): void {
    this.#collected.register(resource, { asyncId, destroyed });
  }

  push(asyncId: number, triggerId: number, resource?: object): void {
    const { binding } = this;
    const { async_hook_fields: fields, async_id_fields: ids, constants } = binding;
    const depth = fields[constants.kStackLength];
    if (depth * 2 >= binding.async_ids_stack.length) {
      const larger = new Float64Array(binding.async_ids_stack.length * 3);
      larger.set(binding.async_ids_stack);
      binding.async_ids_stack = larger;
    }
    binding.async_ids_stack[depth * 2] = ids[constants.kExecutionAsyncId];
    binding.async_ids_stack[depth * 2 + 1] = ids[constants.kTriggerAsyncId];
    if (resource) binding.execution_async_resources[depth] = resource;
    fields[constants.kStackLength] = depth + 1;
    ids[constants.kExecutionAsyncId] = asyncId;
    ids[constants.kTriggerAsyncId] = triggerId;
  }

  /** Whether something is left on the stack. */
  pop(): boolean {
    const { async_hook_fields: fields, async_id_fields: ids, async_ids_stack: stack, constants } = this.binding;
    const depth = fields[constants.kStackLength] - 1;
    if (depth < 0) return false;
    ids[constants.kExecutionAsyncId] = stack[depth * 2];
    ids[constants.kTriggerAsyncId] = stack[depth * 2 + 1];
    fields[constants.kStackLength] = depth;
    this.binding.execution_async_resources.length = Math.min(this.binding.execution_async_resources.length, depth);
    return depth > 0;
  }

  /** Nothing runs any more. */
  clear(): void {
    const { async_hook_fields: fields, async_id_fields: ids, constants } = this.binding;
    ids[constants.kExecutionAsyncId] = 0;
    ids[constants.kTriggerAsyncId] = 0;
    fields[constants.kStackLength] = 0;
    this.binding.execution_async_resources.length = 0;
  }
}
