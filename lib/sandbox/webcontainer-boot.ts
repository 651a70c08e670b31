// Boots the published WebContainer client with what it lacks: a time limit, a way to give up, and the reason when the page's own policy is in the
// way. The client keeps its first frame and its promise for the life of the page, so what has failed once can only be tried again after a reload.
import { WebContainer } from '@webcontainer/api';
import { SandboxError } from './sandbox';

/** Where the client looks for its host when nothing else is said. */
export const WEBCONTAINER_HOST = 'https://stackblitz.com';

export interface ContainerBoot {
  /** Default 15 s. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** The host that the client will ask: its own undocumented global, or StackBlitz. */
export function webContainerHost(): string {
  const { WEBCONTAINER_API_IFRAME_URL: url } = globalThis as { WEBCONTAINER_API_IFRAME_URL?: string };
  return new URL(url ?? WEBCONTAINER_HOST).origin;
}

/** One container at a time: the next boot waits until the last one is gone or given up. */
let last: Promise<unknown> = Promise.resolve();
/** A boot that was not answered; the client would wait for it again, for ever. */
let unanswered: SandboxError | undefined;

/** A container in `/home/project`. Rejects with a SandboxError: ETIMEDOUT when the host does not answer, EACCES when the page may not frame it. */
export function bootContainer({ timeoutMs = 15_000, signal }: ContainerBoot): Promise<WebContainer> {
  const host = webContainerHost();
  const attempt = last.then(() => bootOnce(host, timeoutMs, signal));
  last = attempt.catch(() => {});
  return attempt;
}

async function bootOnce(host: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<WebContainer> {
  signal?.throwIfAborted();
  if (!globalThis.crossOriginIsolated)
    throw new SandboxError('ENOTSUP', 'WebContainers need a cross-origin isolated page, and this page is not.');
  if (unanswered) throw unanswered;
  let stop = (): void => {};
  const givenUp = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      unanswered = new SandboxError(
        'ETIMEDOUT',
        `${host} did not answer within ${timeoutMs / 1000} s. It may be down, blocked on this network or by this browser, or you are offline. Its client can only be asked again after this page is loaded anew.`,
        host,
      );
      reject(unanswered);
    }, timeoutMs);
    const onAbort = (): void => reject(signal?.reason);
    const onViolation = (event: SecurityPolicyViolationEvent): void => {
      if (!event.effectiveDirective.startsWith('frame-src') || !event.blockedURI.startsWith(host)) return;
      unanswered = new SandboxError(
        'EACCES',
        `The page's Content-Security-Policy does not allow a frame of ${host}. The choice of the computer is read when the page is loaded: load it anew.`,
        host,
      );
      reject(unanswered);
    };
    signal?.addEventListener('abort', onAbort);
    document.addEventListener('securitypolicyviolation', onViolation);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      document.removeEventListener('securitypolicyviolation', onViolation);
    };
  });
  const booting = WebContainer.boot({ coep: 'require-corp', workdirName: 'project' });
  try {
    return await Promise.race([booting, givenUp]);
  } catch (error) {
    // One that comes after all is not wanted any more.
    booting.then(
      (container) => {
        unanswered = undefined;
        container.teardown();
      },
      () => {},
    );
    if (error instanceof SandboxError || signal?.aborted) throw error;
    throw new SandboxError('EIO', `${host} refused to boot a container: ${(error as Error).message}`, host);
  } finally {
    stop();
  }
}
