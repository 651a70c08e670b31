// pako's port of zlib, below its documented face: the names and numbers are zlib.h's.
declare module 'pako/lib/zlib/crc32.js' {
  export default function crc32(value: number, bytes: Uint8Array, length: number, position: number): number;
}
declare module 'pako/lib/zlib/zstream.js' {
  export default class ZStream {}
}
declare module 'pako/lib/zlib/deflate.js' {
  const deflate: {
    deflateInit2(
      stream: unknown,
      level: number,
      method: number,
      windowBits: number,
      memLevel: number,
      strategy: number,
    ): number;
    deflate(stream: unknown, flush: number): number;
    deflateSetDictionary(stream: unknown, dictionary: Uint8Array): number;
  };
  export default deflate;
}
declare module 'pako/lib/zlib/inflate.js' {
  const inflate: {
    inflateInit2(stream: unknown, windowBits: number): number;
    inflate(stream: unknown, flush: number): number;
    inflateReset(stream: unknown): number;
    inflateSetDictionary(stream: unknown, dictionary: Uint8Array): number;
  };
  export default inflate;
}
