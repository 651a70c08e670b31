// Puts one script in front of a guest's page, so that its WebSockets reach the guest's server. As early as possible, and never before the
// doctype, which would put the page into quirks mode.
import { SOCKET_SCRIPT_PATH } from './protocol';

const TAG = `<script src="${SOCKET_SCRIPT_PATH}"></script>`;
/** Comments and spaces may stand before the doctype; a page that has none by then has none. */
const SEARCHED_BYTES = 2048;

/** Where the tag goes in a page that begins with `start` (one character per byte); −1 when more of the page must be seen first. */
function injectionPoint(start: string, isWhole: boolean): number {
  const doctype = /^(?:ï»¿)?(?:\s|<!--[\s\S]*?-->)*<!doctype[^>]*>/i.exec(start);
  if (doctype) return doctype[0].length;
  // An ï may be the first byte of a mark whose rest is still to come.
  const isDecided = isWhole || start.length >= SEARCHED_BYTES || /^(?:ï»¿)?\s*(?:<[^!]|[^\s<ï])/.test(start);
  return isDecided ? (start.startsWith('ï»¿') ? 3 : 0) : -1;
}

/** The page with the tag in it, streamed. */
export function injectScript(): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array | undefined = new Uint8Array();
  const release = (controller: TransformStreamDefaultController<Uint8Array>, isWhole: boolean): void => {
    if (!held) return;
    // Latin-1: one character is one byte, and all that is looked for is ASCII.
    const start = Array.from(held.subarray(0, SEARCHED_BYTES), (byte) => String.fromCharCode(byte)).join('');
    const at = injectionPoint(start, isWhole);
    if (at < 0) return;
    controller.enqueue(held.subarray(0, at));
    controller.enqueue(new TextEncoder().encode(TAG));
    controller.enqueue(held.subarray(at));
    held = undefined;
  };
  return new TransformStream({
    transform(chunk, controller) {
      if (!held) {
        controller.enqueue(chunk);
        return;
      }
      const joined = new Uint8Array(held.length + chunk.length);
      joined.set(held);
      joined.set(chunk, held.length);
      held = joined;
      release(controller, false);
    },
    flush(controller) {
      if (held && held.length > 0) release(controller, true);
    },
  });
}
