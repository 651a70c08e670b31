// A hidden frame on the preview's origin inside the IDE's page: the only place that both the service worker and the IDE can talk to. It passes
// calls with their ports on to the kernel and reads none of them. Whom it obeys comes from the server, never from a message.
import {
  type BridgeConnect,
  type BridgeKept,
  type BridgeReady,
  type CallMessage,
  type PreviewConfig,
  type Unconnected,
  WORKER_PATH,
} from './protocol';

let kernel: MessagePort | undefined;

function forward({ data, ports }: MessageEvent<CallMessage>): void {
  if (data?.cloche !== 'call' || ports.length !== 1) return;
  const [port] = ports;
  if (kernel) kernel.postMessage(data.call, [port]);
  else port.postMessage({ type: 'unconnected' } satisfies Unconnected);
}

/** The parent, where the browser tells who it is: a message to another origin is dropped, but leaves an error in the console. */
function addressees(origins: string[]): string[] {
  const parent = location.ancestorOrigins?.[0];
  return parent === undefined ? origins : origins.filter((origin) => origin === parent);
}

async function connect(): Promise<void> {
  if (window.parent === window) throw new Error('The bridge runs inside a page of the IDE, not by itself.');
  navigator.serviceWorker.addEventListener('message', forward);
  navigator.serviceWorker.startMessages();
  // Set by the script that the page loads before this one.
  const { bridgeOrigins } = (globalThis as unknown as { clochePreview: PreviewConfig }).clochePreview;
  window.addEventListener('message', ({ data, source, origin, ports }: MessageEvent<BridgeConnect>) => {
    if (source !== window.parent || !bridgeOrigins.includes(origin) || data?.cloche !== 'bridge-connect') return;
    if (ports.length !== 1) return;
    kernel?.close();
    [kernel] = ports;
  });
  await navigator.serviceWorker.register(WORKER_PATH, { scope: '/' });
  const tell = (message: BridgeReady | BridgeKept): void => {
    for (const origin of addressees(bridgeOrigins)) window.parent.postMessage(message, origin);
  };
  tell({ cloche: 'bridge-ready' });
  await navigator.serviceWorker.ready;
  tell({ cloche: 'bridge-kept' });
}

connect().catch((error) => console.error(error));
