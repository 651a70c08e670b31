// The body of an answer to a request that we sent: decompressed and counted while it arrives, so that a bomb costs no more than its limit.
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutgoingError } from './outgoing';

/** What undoes a content-encoding. null: nothing to do; undefined: an encoding that we don't ask for. */
export function decompressor(encoding: string): Transform | null | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

/** Passes bytes on and fails when there are more than `maxBytes`. */
export function byteLimit(maxBytes: number, what: string): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      total += chunk.length;
      if (total > maxBytes) callback(new BodyTooLong(`${what} is longer than ${maxBytes} bytes.`));
      else callback(null, chunk);
    },
  });
}

/** There was more than the limit. The message is fit to show. */
export class BodyTooLong extends Error {}

/**
 * All of the body, decompressed. Rejects with BodyTooLong, or with an OutgoingError when it stops (silence, the signal, a broken connection,
 * an encoding that was not asked for); the connection is closed then.
 */
export function readOutgoingBody(
  answer: IncomingMessage,
  { maxBytes, what, signal }: { maxBytes: number; what: string; signal: AbortSignal },
): Promise<Uint8Array> {
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  const decompress = decompressor(encoding);
  const declared = Number(answer.headers['content-length'] ?? 0);
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', late);
      settle();
    };
    const fail = (error: Error) =>
      end(() => {
        answer.destroy();
        reject(error);
      });
    const late = () => fail(new OutgoingError('timeout', `${what} took too long, or nobody waits any more.`));
    if (signal.aborted) return late();
    if (decompress === undefined)
      return fail(new OutgoingError('network', `${what} came as "${encoding}", which was not asked for.`));
    if (declared > maxBytes) return fail(new BodyTooLong(`${what} is longer than ${maxBytes} bytes.`));
    signal.addEventListener('abort', late, { once: true });
    const chunks: Buffer[] = [];
    const steps = [decompress, byteLimit(maxBytes, what)].filter((step) => step !== null);
    const last = pipeline([answer, ...steps], (error) => {
      if (!error) return end(() => resolve(Buffer.concat(chunks)));
      fail(
        error instanceof BodyTooLong || error instanceof OutgoingError
          ? error
          : new OutgoingError(
              'network',
              `${what} broke off: ${(error as NodeJS.ErrnoException).code ?? error.message}.`,
            ),
      );
    }) as unknown as Readable;
    last.on('data', (chunk: Buffer) => chunks.push(chunk));
  });
}
