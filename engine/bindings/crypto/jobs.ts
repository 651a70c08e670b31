// Crypto jobs: `run()` returns [error, result] at once (sync), calls ondone later (async), or returns a promise (Web Crypto).
import type { ProcessEnvironment } from '../../process/environment';

/** The base class of every job; a subclass computes in `compute`. */
export function jobClass(environment: ProcessEnvironment, modes: { async: number; webCrypto: number }) {
  return class Job {
    protected readonly mode: number;
    ondone: ((error: unknown, result?: unknown) => void) | undefined;

    constructor(mode: number) {
      this.mode = mode;
    }

    protected compute(): unknown {
      throw new Error('a crypto job without a computation');
    }

    run(): unknown {
      if (this.mode === modes.webCrypto) {
        return new Promise((resolve, reject) =>
          environment.loop.enqueue(() => {
            try {
              resolve(this.compute());
            } catch (cause) {
              const { DOMException } = environment.perContext;
              const message = 'The operation failed for an operation-specific reason';
              reject(new DOMException(message, { name: 'OperationError', cause }));
            }
          }),
        );
      }
      if (this.mode === modes.async) {
        environment.loop.enqueue(() => {
          let result: unknown;
          try {
            result = this.compute();
          } catch (error) {
            this.ondone?.(error);
            return;
          }
          this.ondone?.(undefined, result);
        });
        return undefined;
      }
      try {
        return [undefined, this.compute()];
      } catch (error) {
        return [error, undefined];
      }
    }
  };
}
