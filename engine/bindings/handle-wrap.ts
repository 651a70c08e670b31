// HandleWrap: what every libuv handle of lib has: references that keep the loop alive while it is active, and a close with a callback.
import { currentFrame, runInFrame } from '../modules/async-context';
import type { LiveHandle, ProcessEnvironment } from '../process/environment';

export abstract class HandleWrap implements LiveHandle {
  protected readonly environment: ProcessEnvironment;
  private referenced = true;
  private active = false;
  protected closed = false;
  /** The async context that the handle was made in, and that all its callbacks run in. */
  readonly #frame = currentFrame();

  constructor(environment: ProcessEnvironment) {
    this.environment = environment;
  }

  ref(): void {
    this.referenced = true;
  }

  unref(): void {
    this.referenced = false;
    this.environment.nodeLoop.wake();
  }

  hasRef(): boolean {
    return this.referenced && !this.closed;
  }

  getAsyncId(): number {
    return 0;
  }

  getProviderType(): number {
    return 0;
  }

  /** Calls lib back in a turn of the loop. */
  protected later(callback: () => void): void {
    this.environment.loop.enqueueIn(this.#frame, callback);
  }

  /** Calls lib back at once. */
  protected callBack(callback: () => void): void {
    runInFrame(this.#frame, callback);
  }

  /** An active handle that is referenced keeps the process alive. */
  protected setActive(active: boolean): void {
    if (this.active === active) return;
    this.active = active;
    if (active) this.environment.loop.addHandle(this);
    else this.environment.loop.removeHandle(this);
  }

  /** Gives up what the handle holds. Called once. */
  protected abstract dispose(): void;

  close(callback?: () => void): void {
    if (this.closed) return;
    this.closed = true;
    this.setActive(false);
    this.dispose();
    this.later(() => {
      (this as any)[this.environment.symbols.handle_onclose]?.();
      if (typeof callback === 'function') callback.call(this);
    });
  }
}
