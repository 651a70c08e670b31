// The encoding_binding binding: UTF-8 for TextEncoder and TextDecoder, and IDNA for the legacy URL parser.
import type { Binding } from '../process/environment';
import { domainLabelsToAscii, domainLabelsToUnicode } from './idna';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { unshared } from './text-codec';

const encoder = new TextEncoder();
/** By `fatal * 2 + ignoreBOM`. */
const decoders = [0, 1, 2, 3].map(
  (flags) => new TextDecoder('utf-8', { fatal: flags > 1, ignoreBOM: (flags & 1) === 1 }),
);

function isBytes(value: unknown): value is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

export const encodingBinding: Binding = ({ dumped, browser }) => {
  const results = new Uint32Array(2);
  return Object.assign(dumped('encoding_binding'), {
    /** `[read, written]` of the last encodeInto. */
    encodeIntoResults: results,
    encodeInto(source: string, target: Uint8Array<ArrayBuffer>) {
      const shared = unshared(target) !== target;
      const destination = shared ? new Uint8Array(target.length) : target;
      const { read, written } = encoder.encodeInto(source, destination);
      if (shared) target.set(destination.subarray(0, written));
      results[0] = read;
      results[1] = written;
    },
    encodeUtf8String: (text: string) => encoder.encode(text),
    decodeUTF8(input: unknown, ignoreBOM: unknown, fatal: unknown) {
      if (!isBytes(input)) {
        const message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
        throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
      }
      try {
        return decoders[(fatal === true ? 2 : 0) + (ignoreBOM === true ? 1 : 0)].decode(unshared(viewBytes(input)));
      } catch {
        const message = 'The encoded data was not valid for encoding utf-8';
        throw nodeError(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', message);
      }
    },
    toASCII: (domain: string) => domainLabelsToAscii(domain, browser.URL),
    toUnicode: (domain: string) => domainLabelsToUnicode(domain),
  });
};
