// HandleWrap: what every libuv handle of lib has: references that keep the loop alive while it is active, and a close with a callback.
import { currentFrame, runInFrame } from '../modules/context-frame';
import type { LiveHandle, ProcessEnvironment } from '../process/environment';
import { type AsyncIds, AsyncScopes } from './async-scopes';

export abstract class HandleWrap implements LiveHandle {
  // Fields of this class and its heirs are hidden: a program that prints a socket prints its handle too.
  readonly #environment: ProcessEnvironment;
  #referenced = true;
  #active = false;
  #closed = false;
  /** The async context that the handle was made in, and that all its callbacks run in. */
  readonly #frame = currentFrame();

  readonly #scopes: AsyncScopes;
  readonly #provider: string;
  #ids: AsyncIds;

  /** `provider` is the name by which async_hooks know the kind. */
  constructor(environment: ProcessEnvironment, provider: string) {
    this.#environment = environment;
    this.#scopes = AsyncScopes.of(environment);
    this.#provider = provider;
    this.#ids = this.#scopes.begin(this, provider);
  }

  protected get environment(): ProcessEnvironment {
    return this.#environment;
  }

  protected get closed(): boolean {
    return this.#closed;
  }

  ref(): void {
    this.#referenced = true;
  }

  unref(): void {
    this.#referenced = false;
    this.environment.nodeLoop.wake();
  }

  hasRef(): boolean {
    return this.#referenced && !this.closed;
  }

  getAsyncId(): number {
    return this.#ids.asyncId;
  }

  /** What `make` makes is caused by this handle. */
  protected causing<Result>(make: () => Result): Result {
    return this.#scopes.causing(this.#ids, make);
  }

  /** A handle that is used again is a new resource. */
  asyncReset(resource: object = this): void {
    this.#scopes.end(this.#ids);
    this.#ids = this.#scopes.begin(resource, this.#provider);
  }

  getProviderType(): number {
    return this.#scopes.binding.Providers[this.#provider];
  }

  /** Calls lib back in a turn of the loop. */
  protected later(callback: () => void): void {
    this.environment.loop.enqueueIn(this.#frame, () => this.#scopes.run(this.#ids, callback));
  }

  /** Calls lib back at once. */
  protected callBack(callback: () => void): void {
    runInFrame(this.#frame, () => this.#scopes.run(this.#ids, callback));
  }

  /** An active handle that is referenced keeps the process alive. */
  protected setActive(active: boolean): void {
    if (this.#active === active) return;
    this.#active = active;
    if (active) this.environment.loop.addHandle(this);
    else this.environment.loop.removeHandle(this);
  }

  /** Gives up what the handle holds. Called once. */
  protected abstract dispose(): void;

  close(callback?: () => void): void {
    if (this.closed) return;
    this.#closed = true;
    this.setActive(false);
    this.dispose();
    this.environment.loop.enqueueIn(this.#frame, () => {
      this.#scopes.end(this.#ids);
      const onClose = (this as any)[this.environment.symbols.handle_onclose];
      if (!onClose && typeof callback !== 'function') return;
      this.#scopes.run(this.#ids, () => {
        onClose?.call(this);
        if (typeof callback === 'function') callback.call(this);
      });
    });
  }
}
