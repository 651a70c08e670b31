// FileHandle: the object behind fs.promises.open, which owns a descriptor.
import { EBADF } from '../../memory/errno';
import type { ProcessEnvironment } from '../../process/environment';
import { AsyncScopes } from '../async-scopes';

/** The FileHandle class of the fs binding. Its stream half (for http2) stays a named error. */
export function fileHandleClass(environment: ProcessEnvironment): unknown {
  const scopes = AsyncScopes.of(environment);
  const Dumped = environment.dumped('fs').FileHandle;
  return class FileHandle extends Dumped {
    #descriptor: number;
    readonly #ids = scopes.begin(this, 'FILEHANDLE');

    constructor(descriptor: number) {
      super();
      this.#descriptor = descriptor;
    }

    get fd(): number {
      return this.#descriptor;
    }

    getAsyncId(): number {
      return this.#ids.asyncId;
    }

    close(): Promise<void> {
      const descriptor = this.releaseFD();
      return new Promise((resolve, reject) => {
        const ids = scopes.begin({}, 'FILEHANDLECLOSEREQ');
        environment.loop.enqueue(() =>
          scopes.finish(ids, () => {
            if (environment.descriptors.close(descriptor) < 0) reject(environment.uvException(EBADF, 'close'));
            else resolve();
          }),
        );
      });
    }

    closeSync(): void {
      const result = environment.descriptors.close(this.releaseFD());
      if (result < 0) throw environment.uvException(result, 'close');
    }

    releaseFD(): number {
      const descriptor = this.#descriptor;
      this.#descriptor = -1;
      return descriptor;
    }

    onread(): void {}
  };
}
