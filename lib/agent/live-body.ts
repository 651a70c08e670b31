// The body of an answer that must give signs of life. Our server sends a byte every 15 s even while the provider thinks, so a minute without any is
// a connection that died without a word (a router that forgot it, a network that changed): nothing else would ever end that wait.
import { watchSilence } from '../std/watch-silence';

/** The same bytes. Errors with what `onSilence` makes when nothing came for `limitMs` while somebody waited; the body is given up then. */
export function liveBody(
  body: ReadableStream<Uint8Array>,
  limitMs: number,
  onSilence: () => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let heard = () => {};
  let isWaiting = false;
  let stopWatching = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stopWatching = watchSilence({
          listen(sign) {
            heard = sign;
            return () => {};
          },
          isHeld: () => !isWaiting,
          limitMs,
          onLimit() {
            controller.error(onSilence());
            reader.cancel().catch(() => {});
          },
        });
      },
      async pull(controller) {
        isWaiting = true;
        try {
          const { done, value } = await reader.read();
          heard();
          isWaiting = false;
          if (!done) return controller.enqueue(value);
          stopWatching();
          controller.close();
        } catch (error) {
          stopWatching();
          controller.error(error);
        }
      },
      cancel(reason) {
        stopWatching();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
