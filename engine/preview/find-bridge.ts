// From the service worker to the bridge: the frame may be loading, reloading with the IDE's page, or gone.
import type { AnswerMessage, PreviewMessage } from '../kernel/net/preview-protocol';
import { BRIDGE_PATH, type CallMessage, type Unconnected } from './protocol';

const WAIT_MS = 8000;
const RETRY_MS = 100;
/** The kernel answers at once; one behind the bridge of a closed project does not. */
const ANSWER_MS = 2000;

async function bridges(scope: ServiceWorkerGlobalScope): Promise<readonly WindowClient[]> {
  const clients = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return clients.filter((client) => new URL(client.url).pathname === BRIDGE_PATH);
}

/** A call that some bridge has taken: its port, already past `accepted`. Undefined when there is no bridge within some seconds. */
export async function placeCall(
  scope: ServiceWorkerGlobalScope,
  call: PreviewMessage,
): Promise<MessagePort | undefined> {
  const end = Date.now() + WAIT_MS;
  do {
    for (const bridge of await bridges(scope)) {
      const { port1, port2 } = new MessageChannel();
      const message: CallMessage = { cloche: 'call', call };
      bridge.postMessage(message, [port2]);
      if (await isAccepted(port1)) return port1;
      port1.close();
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } while (Date.now() < end);
  return undefined;
}

function isAccepted(port: MessagePort): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ANSWER_MS);
    port.onmessage = ({ data }: MessageEvent<AnswerMessage | Unconnected>) => {
      clearTimeout(timer);
      port.onmessage = null;
      resolve(data.type === 'accepted');
    };
  });
}

/** Passes on a call whose port belongs to a page. False when there is no bridge within some seconds. */
export async function forwardCall(
  scope: ServiceWorkerGlobalScope,
  call: PreviewMessage,
  port: MessagePort,
): Promise<boolean> {
  const end = Date.now() + WAIT_MS;
  do {
    const [bridge] = await bridges(scope);
    if (bridge) {
      bridge.postMessage({ cloche: 'call', call } satisfies CallMessage, [port]);
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  } while (Date.now() < end);
  return false;
}
