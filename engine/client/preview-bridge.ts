// In the IDE's page: one hidden frame per port that has ever been listened on, on that preview's origin. It is the bridge between the preview's
// service worker and the kernel, and it stays when the server stops, so that the preview can say so.
import type { BridgeConnect, BridgeReady } from '../preview/protocol';
import { BRIDGE_PATH } from '../preview/protocol';
import type { Engine } from './engine';
import { hiddenFrame } from './hidden-frame';

/** Keeps bridges for the engine's ports until the returned function is called. `previewUrl` is where a frame shows the port. */
export function connectPreviews(
  engine: Pick<Engine, 'subscribePorts' | 'connectPreview'>,
  previewUrl: (port: number) => string,
): () => void {
  const frames = new Map<number, HTMLIFrameElement>();

  const open = (port: number): void => {
    if (frames.has(port)) return;
    const { href } = new URL(BRIDGE_PATH, previewUrl(port));
    const frame = hiddenFrame(`Cloche preview bridge of port ${port}`, href);
    frames.set(port, frame);
    document.body.append(frame);
  };

  const onMessage = ({ data, source, origin }: MessageEvent<BridgeReady>): void => {
    if (data?.cloche !== 'bridge-ready') return;
    for (const [port, frame] of frames) {
      if (source !== frame.contentWindow || origin !== new URL(frame.src).origin) continue;
      const { port1, port2 } = new MessageChannel();
      const connect: BridgeConnect = { cloche: 'bridge-connect' };
      frame.contentWindow?.postMessage(connect, origin, [port1]);
      engine.connectPreview(port, port2);
    }
  };
  window.addEventListener('message', onMessage);
  const unsubscribe = engine.subscribePorts((ports) => ports.forEach(open));
  return () => {
    unsubscribe();
    window.removeEventListener('message', onMessage);
    for (const frame of frames.values()) frame.remove();
  };
}
