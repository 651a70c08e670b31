// Recognising what is not text by its first bytes, never by its name: a misnamed file is what it is.

const magics: [string, (number | undefined)[]][] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a WebP image', [0x52, 0x49, 0x46, 0x46, undefined, undefined, undefined, undefined, 0x57, 0x45, 0x42, 0x50]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a ZIP archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
];

/** The kind in words with its article, or undefined. */
export function mediaKind(bytes: Uint8Array): string | undefined {
  return magics.find(([, magic]) => magic.every((byte, at) => byte === undefined || bytes[at] === byte))?.[0];
}
