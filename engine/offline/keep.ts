// A page in a hidden frame on the sandbox's origin: installs the engine's service worker, asks it to hold everything, tells the IDE, and
// does nothing else. Apart from the host page, so that the start page can keep the engine without starting it.
import { ENGINE_WORKER_PATH, type FillAnswer, type FillRequest } from './offline-words';

/** Its words are no secret, and only the IDE may frame it. */
const tell = (answer: FillAnswer): void => window.parent.postMessage(answer, '*');

async function keep(): Promise<FillAnswer> {
  const registration = await navigator.serviceWorker.register(ENGINE_WORKER_PATH, { updateViaCache: 'none' });
  await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<FillAnswer>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<FillAnswer>) => resolve(data);
  });
  registration.active?.postMessage({ cloche: 'fill' } satisfies FillRequest, [port2]);
  return answer;
}

keep().then(tell, (error: Error) => tell({ cloche: 'not-kept', why: error.message }));
