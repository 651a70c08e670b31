// What a JSON text costs to read is not its length but the number of its values: a body of millions of empty objects would keep the server's only thread
// busy for minutes, and a deep one end in a stack overflow. Both are counted in the bytes, before anything is built.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** More than a conversation of ten thousand parts has. */
const MAX_VALUES = 500_000;
const MAX_DEPTH = 500;

/** Why `bytes` (UTF-8, perhaps no JSON at all) is not worth parsing; undefined: go on. */
export function jsonTrouble(bytes: Uint8Array): 'deep' | 'wide' | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at === -1) return undefined;
    } else if (byte === COMMA) {
      if (++values > MAX_VALUES) return 'wide';
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) return 'deep';
      if (++values > MAX_VALUES) return 'wide';
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return undefined;
}

/** Where the string that begins at `start` ends; -1 when it does not. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
