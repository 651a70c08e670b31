// The base image (npm and the like), mounted at `/` in the background. A prompt needs nothing of it, so it waits for one and for what the page itself still
// loads, unless somebody wants a program of it before.
import type { FileTree } from '../tree/types';
import { mountSnapshot } from './mount';
import type { KernelPageMessage } from './page-protocol';

export interface BaseImageOptions {
  tree: FileTree;
  /** Undefined when there is none. */
  fetch: (() => Promise<Uint8Array>) | undefined;
  /** The person's files come first: the IDE shows them before anything runs. Then the prompt: nothing may slow the first worker's boot. */
  after: Promise<unknown>;
  when: Promise<void>;
  send(message: KernelPageMessage): void;
  fault(message: string): void;
}

export interface BaseImage {
  /** Resolves when it is in place, or could not be had; never rejects. */
  readonly ready: Promise<void>;
  /** Somebody waits for it. */
  begin(): void;
}

/** Nothing is fetched before `begin` or `when`. */
export function createBaseImage({ tree, fetch, after, when, send, fault }: BaseImageOptions): BaseImage {
  const begun = Promise.withResolvers<void>();
  const mount = async (): Promise<void> => {
    if (!fetch) return;
    await after;
    await Promise.race([begun.promise, when]);
    const report = async (fraction: number): Promise<void> => {
      send({ type: 'progress', what: 'image', fraction });
      await new Promise((resolve) => setTimeout(resolve, 0));
    };
    await mountSnapshot(tree, await fetch(), '/', report);
    send({ type: 'progress', what: 'image', fraction: 1 });
  };
  return {
    ready: mount().catch((error: Error) => fault(`The base image could not be mounted: ${error.message}`)),
    begin: () => begun.resolve(),
  };
}
