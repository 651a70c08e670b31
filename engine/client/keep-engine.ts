// In the IDE's page: has the sandbox's origin keep the engine, so that it starts without the server. No engine needs to run for it.
import type { FillAnswer } from '../offline/offline-words';
import { hiddenFrame } from './hidden-frame';

/** Resolves when all of the engine is kept; rejects with an Error that says why not. `keepUrl` is the keep page on the sandbox's origin. */
export function keepEngine(keepUrl: string, timeoutMs = 180_000): Promise<void> {
  const frame = hiddenFrame('Cloche keeps its engine', keepUrl);
  const { origin: keepOrigin } = new URL(keepUrl);
  return new Promise<void>((resolve, reject) => {
    const settle = (problem?: string): void => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      frame.remove();
      if (problem === undefined) resolve();
      else reject(new Error(`The engine is not kept for offline work: ${problem}`));
    };
    const timer = setTimeout(() => settle(`nothing was heard for ${timeoutMs / 1000} s.`), timeoutMs);
    const onMessage = ({ data, source, origin }: MessageEvent<FillAnswer>): void => {
      if (source !== frame.contentWindow || origin !== keepOrigin) return;
      if (data.cloche === 'kept') settle();
      else if (data.cloche === 'not-kept') settle(data.why);
    };
    window.addEventListener('message', onMessage);
    document.body.append(frame);
  });
}
