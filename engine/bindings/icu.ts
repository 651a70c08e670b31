// The icu binding: column widths, transcoding of Buffers, and the multi-byte converters of TextDecoder (the browser's).
import type { Binding } from '../process/environment';
import { asNodeBuffer } from './buffer';
import { isWide } from './east-asian-width';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { bytesToText, ENCODING, parseEncoding, textToBytes, unshared } from './text-codec';

const FLAG = { flush: 1, fatal: 2, ignoreBom: 4 };
const U_ILLEGAL_ARGUMENT_ERROR = 1;
const U_INVALID_CHAR_FOUND = 10;
const ERROR_NAMES: Record<number, string> = {
  [U_ILLEGAL_ARGUMENT_ERROR]: 'U_ILLEGAL_ARGUMENT_ERROR',
  [U_INVALID_CHAR_FOUND]: 'U_INVALID_CHAR_FOUND',
};
const LONE_SURROGATE = /\p{Surrogate}/gu;

const ZERO_WIDTH = /^(?!\xad)[\p{Cc}\p{Cf}\p{Me}\p{Mn}]$/u;
const JOINED_EMOJI = /^[\p{Emoji_Presentation}\p{Emoji_Modifier}]$/u;

function columnWidth(text: string, _ambiguousAsFullWidth: unknown, expandEmojiSequence: unknown): number {
  let width = 0;
  let joined = false;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    // What a zero-width joiner appends to an emoji takes no columns of its own.
    if (!(joined && expandEmojiSequence === false && JOINED_EMOJI.test(character))) {
      width += code < 127 ? (code < 32 ? 0 : 1) : isWide(code) ? 2 : ZERO_WIDTH.test(character) ? 0 : 1;
    }
    joined = code === 0x200d;
  }
  return width;
}

const TRANSCODABLE: number[] = [ENCODING.ascii, ENCODING.latin1, ENCODING.utf16le, ENCODING.utf8];

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Text in a one-byte encoding; ICU drops what is ignorable and writes `?` for any other code point that does not fit. */
function oneByte(text: string, limit: number): Uint8Array<ArrayBuffer> {
  const kept = text.replace(IGNORABLE, (character) => (character.charCodeAt(0) < limit ? character : ''));
  return Uint8Array.from(Array.from(kept), (character) => {
    const code = character.codePointAt(0) as number;
    return code < limit ? code : 0x3f;
  });
}

function transcode(source: ArrayBufferView, fromEncoding: unknown, toEncoding: unknown): Uint8Array | number {
  const from = parseEncoding(fromEncoding, -1);
  const to = parseEncoding(toEncoding, -1);
  if (!TRANSCODABLE.includes(from) || !TRANSCODABLE.includes(to)) return U_ILLEGAL_ARGUMENT_ERROR;
  const bytes = viewBytes(source);
  if (to === ENCODING.utf16le && (from === ENCODING.ascii || from === ENCODING.latin1)) {
    return asNodeBuffer(textToBytes(bytesToText(bytes, ENCODING.latin1), to));
  }
  const text = decodeFor(bytes, from);
  const strict =
    (from === ENCODING.utf8 && to === ENCODING.utf16le) || (from === ENCODING.utf16le && to === ENCODING.utf8);
  // Between the two forms of Unicode nothing is substituted: malformed input is refused.
  const whole = from === ENCODING.utf16le ? bytes.subarray(0, bytes.length & ~1) : bytes;
  if (strict && (whole.length === 0 || !isSame(textToBytes(text, from), whole))) return U_INVALID_CHAR_FOUND;
  if (to === ENCODING.ascii || to === ENCODING.latin1) {
    return asNodeBuffer(oneByte(text, to === ENCODING.ascii ? 128 : 256));
  }
  const rest = from === ENCODING.utf16le && to === from ? oddRest(bytes) : '';
  return asNodeBuffer(textToBytes(text + rest, to));
}

/** An odd last byte is one malformed unit, together with the high surrogate before it. */
function oddRest(bytes: Uint8Array): string {
  if (bytes.length % 2 === 0) return '';
  return bytes.length > 1 && (bytes[bytes.length - 2] & 0xfc) === 0xd8 ? '' : '\ufffd';
}

/** ICU's reading of `bytes`: what is not valid becomes U+FFFD. */
function decodeFor(bytes: Uint8Array, encoding: number): string {
  if (encoding === ENCODING.ascii) return bytesToText(bytes, ENCODING.latin1).replace(/[\x80-\xff]/g, '\ufffd');
  const text = bytesToText(bytes, encoding);
  if (encoding !== ENCODING.utf16le) return text;
  return text.replace(LONE_SURROGATE, '\ufffd');
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

class Converter {
  readonly decoder: TextDecoder;
  constructor(decoder: TextDecoder) {
    this.decoder = decoder;
  }
}

export const icu: Binding = ({ dumped, browser }) => {
  const create = (encoding: string, flags: number): Converter | undefined => {
    try {
      const options = { fatal: (flags & FLAG.fatal) !== 0, ignoreBOM: (flags & FLAG.ignoreBom) !== 0 };
      return new Converter(new browser.TextDecoder(encoding, options));
    } catch {
      return undefined;
    }
  };
  return Object.assign(dumped('icu'), {
    getStringWidth: columnWidth,
    icuErrName: (code: number) => ERROR_NAMES[code] ?? `UErrorCode(${code})`,
    transcode,
    getConverter: create,
    hasConverter: (encoding: string) => create(encoding, 0) !== undefined,
    decode(converter: Converter, input: unknown, flags: number, encoding: string): string {
      if (!ArrayBuffer.isView(input) && !(input instanceof ArrayBuffer) && !(input instanceof SharedArrayBuffer)) {
        const message =
          'The "input" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
        throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', message);
      }
      try {
        return converter.decoder.decode(unshared(viewBytes(input)), { stream: (flags & FLAG.flush) === 0 });
      } catch {
        const message = `The encoded data was not valid for encoding ${encoding}`;
        throw nodeError(TypeError, 'ERR_ENCODING_INVALID_ENCODED_DATA', message);
      }
    },
  });
};
