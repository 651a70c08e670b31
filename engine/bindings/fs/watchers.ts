// fs.watchFile polls (as libuv does); fs.watch is told by the kernel, which reads the tree's change log.
import { EINVAL } from '../../memory/errno';
import { currentFrame } from '../../modules/context-frame';
import type { Binding, LiveHandle, ProcessEnvironment } from '../../process/environment';
import { STAT_FIELDS } from '../../tree/types';
import { type AsyncIds, AsyncScopes } from '../async-scopes';
import { pathText } from './request';

abstract class Watcher implements LiveHandle {
  readonly #environment: ProcessEnvironment;
  #referenced = true;
  #active = false;
  /** The async context that the watcher was made in, and that its callbacks run in. */
  readonly #frame = currentFrame();

  readonly #scopes: AsyncScopes;
  readonly #ids: AsyncIds;

  constructor(environment: ProcessEnvironment, provider: string) {
    this.#environment = environment;
    this.#scopes = AsyncScopes.of(environment);
    this.#ids = this.#scopes.begin(this, provider);
  }

  protected abstract stop(): void;

  protected get environment(): ProcessEnvironment {
    return this.#environment;
  }

  protected get active(): boolean {
    return this.#active;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  ref(): void {
    this.#referenced = true;
  }

  unref(): void {
    this.#referenced = false;
    this.environment.nodeLoop.wake();
  }

  getAsyncId(): number {
    return this.#ids.asyncId;
  }

  protected later(callback: () => void): void {
    this.environment.loop.enqueueIn(this.#frame, () => this.#scopes.run(this.#ids, callback));
  }

  protected activate(): void {
    this.#active = true;
    this.environment.loop.addHandle(this);
  }

  close(callback?: () => void): void {
    if (this.active) {
      this.#active = false;
      this.stop();
      this.environment.loop.removeHandle(this);
    }
    const onClose = (this as any)[this.environment.symbols.handle_onclose];
    this.later(() => {
      this.#scopes.end(this.#ids);
      onClose?.call(this);
      callback?.call(this);
    });
  }
}

/** The StatWatcher class of the fs binding. */
export function statWatcherClass(environment: ProcessEnvironment): unknown {
  return class StatWatcher extends Watcher {
    declare onchange: ((status: number, stats: Float64Array | BigInt64Array) => void) | undefined;
    readonly #bigint: boolean;
    #timer = 0;

    constructor(bigint: boolean) {
      super(environment, 'STATWATCHER');
      this.#bigint = bigint;
    }

    start(filename: string, intervalMs: number): number {
      const path = environment.absolute(filename);
      let previous = this.#sample(path);
      this.activate();
      if (previous.status < 0) this.#report(previous.status, previous.stats, previous.stats);
      const poll = (): void => {
        if (!this.active) return;
        const next = this.#sample(path);
        // atime is not a change; everything else is.
        if (
          next.status !== previous.status ||
          next.stats.some((value, index) => index !== 10 && index !== 11 && value !== previous.stats[index])
        ) {
          this.#report(next.status, next.stats, previous.stats);
        }
        previous = next;
        this.#timer = environment.browser.setTimeout(poll, intervalMs);
      };
      this.#timer = environment.browser.setTimeout(poll, intervalMs);
      return 0;
    }

    #sample(path: string): { status: number; stats: Float64Array | BigInt64Array } {
      const stats = this.#bigint ? new BigInt64Array(STAT_FIELDS) : new Float64Array(STAT_FIELDS);
      const ino = environment.tree.lookup(path);
      return { status: ino < 0 ? ino : environment.tree.stat(ino, stats), stats };
    }

    #report(status: number, current: Float64Array | BigInt64Array, previous: Float64Array | BigInt64Array): void {
      const both = this.#bigint ? new BigInt64Array(STAT_FIELDS * 2) : new Float64Array(STAT_FIELDS * 2);
      (both as Float64Array).set(current as Float64Array);
      (both as Float64Array).set(previous as Float64Array, STAT_FIELDS);
      this.later(() => {
        if (this.active) this.onchange?.(Math.min(status, 0), both);
      });
    }

    protected override stop(): void {
      environment.browser.clearTimeout(this.#timer);
    }
  };
}

/** fs_event_wrap. */
export const fsEventWrap: Binding = (environment) => {
  const listeners = new Map<number, (kind: 'rename' | 'change', name: string) => void>();
  let nextId = 1;
  environment.onKernel('treeChange', (message: { id: number; kind: 'rename' | 'change'; name: string }) => {
    listeners.get(message.id)?.(message.kind, message.name);
  });

  class FSEvent extends Watcher {
    declare onchange: ((status: number, event: string, filename: unknown) => void) | undefined;
    #id = 0;

    constructor() {
      super(environment, 'FSEVENTWRAP');
    }

    get initialized(): boolean {
      return this.active;
    }

    start(path: unknown, persistent: boolean, recursive: boolean, encoding?: string): number {
      if (this.active) return EINVAL;
      const absolute = environment.absolute(pathText(path));
      const ino = environment.tree.lookup(absolute);
      if (ino < 0) return ino;
      this.#id = nextId++;
      listeners.set(this.#id, (kind, name) =>
        this.later(() => {
          if (!this.active) return;
          const bytes = (globalThis as any).Buffer.from(name);
          this.onchange?.(
            0,
            kind,
            encoding === 'buffer' ? bytes : encoding && encoding !== 'utf8' ? bytes.toString(encoding) : name,
          );
        }),
      );
      const since = environment.tree.changeSequence();
      environment.post({ type: 'watch', id: this.#id, path: absolute, recursive, since });
      this.activate();
      if (!persistent) this.unref();
      return 0;
    }

    protected override stop(): void {
      listeners.delete(this.#id);
      environment.post({ type: 'unwatch', id: this.#id });
    }
  }
  return { FSEvent };
};
