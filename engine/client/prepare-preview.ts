// In the IDE's page: installs the service worker of a preview's origin before anything is shown there.
import { BRIDGE_PATH, type BridgeKept, type BridgeReady } from '../preview/protocol';
import { hiddenFrame } from './hidden-frame';

/** Resolves when `origin` answers without the server; rejects with an Error when that takes too long. */
export function preparePreview(origin: string, timeoutMs = 60_000): Promise<void> {
  const frame = hiddenFrame('Cloche prepares a preview', new URL(BRIDGE_PATH, origin).href);
  return new Promise<void>((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      frame.remove();
    };
    const timer = setTimeout(() => {
      settle();
      reject(new Error(`The preview's origin ${origin} was not ready within ${timeoutMs / 1000} s.`));
    }, timeoutMs);
    const onMessage = ({ data, source, origin: from }: MessageEvent<BridgeReady | BridgeKept>): void => {
      if (source !== frame.contentWindow || from !== origin || data.cloche !== 'bridge-kept') return;
      settle();
      resolve();
    };
    window.addEventListener('message', onMessage);
    document.body.append(frame);
  });
}
