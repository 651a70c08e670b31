// A stream of bytes as one piece, for those who do not trust its length.
import { joinBytes } from './join-bytes';

/** Everything of the stream; undefined, and no more is read, once it is longer than `maxBytes`. Errors of the stream are thrown as they are. */
export async function readWhole(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joinBytes(pieces);
    length += value.length;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    pieces.push(value);
  }
}
