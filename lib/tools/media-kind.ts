// Recognising what is not text by its first bytes, never by its name: a misnamed file is what it is.

export interface MediaKind {
  /** In words with its article. */
  words: string;
  /** Set for what a model may be shown. */
  mediaType?: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'application/pdf';
  /** Set for what a person can listen to here; no model is sent it. */
  sound?: 'audio/ogg' | 'audio/wav' | 'audio/mpeg' | 'audio/flac';
}

const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0));
const any = undefined;

const magics: [MediaKind, (number | undefined)[]][] = [
  [{ words: 'a PNG image', mediaType: 'image/png' }, [0x89, ...ascii('PNG\r\n\x1a\n')]],
  [{ words: 'a JPEG image', mediaType: 'image/jpeg' }, [0xff, 0xd8, 0xff]],
  [{ words: 'a GIF image', mediaType: 'image/gif' }, ascii('GIF87a')],
  [{ words: 'a GIF image', mediaType: 'image/gif' }, ascii('GIF89a')],
  [{ words: 'a WebP image', mediaType: 'image/webp' }, [...ascii('RIFF'), any, any, any, any, ...ascii('WEBP')]],
  [{ words: 'a PDF document', mediaType: 'application/pdf' }, ascii('%PDF-')],
  [{ words: 'an AVIF image' }, [0, any, any, any, ...ascii('ftypavif')]],
  [{ words: 'a HEIC image' }, [0, any, any, any, ...ascii('ftyphei')]],
  [{ words: 'a video (MP4)' }, [0, any, any, any, ...ascii('ftyp')]],
  [{ words: 'a TIFF image' }, [...ascii('II*'), 0]],
  [{ words: 'a TIFF image' }, [...ascii('MM'), 0, ...ascii('*')]],
  [{ words: 'an icon' }, [0, 0, 1, 0]],
  [{ words: 'a ZIP archive' }, ascii('PK\x03\x04')],
  [{ words: 'a gzip archive' }, [0x1f, 0x8b]],
  [{ words: 'a 7z archive' }, [...ascii('7z'), 0xbc, 0xaf, 0x27, 0x1c]],
  [{ words: 'a WebAssembly module' }, [0, ...ascii('asm')]],
  [{ words: 'an ELF program' }, [0x7f, ...ascii('ELF')]],
  [{ words: 'an SQLite database' }, ascii('SQLite format 3\0')],
  [{ words: 'an audio file (Ogg)', sound: 'audio/ogg' }, ascii('OggS')],
  [{ words: 'an audio file (WAV)', sound: 'audio/wav' }, [...ascii('RIFF'), any, any, any, any, ...ascii('WAVE')]],
  [{ words: 'an audio file (MP3)', sound: 'audio/mpeg' }, ascii('ID3\x03')],
  [{ words: 'an audio file (MP3)', sound: 'audio/mpeg' }, ascii('ID3\x04')],
  [{ words: 'an audio file (MP3)', sound: 'audio/mpeg' }, [0xff, 0xfb]],
  [{ words: 'an audio file (FLAC)', sound: 'audio/flac' }, ascii('fLaC')],
];

/** What the bytes begin as, or undefined. */
export function mediaKind(bytes: Uint8Array): MediaKind | undefined {
  return magics.find(([, magic]) => magic.every((byte, at) => byte === undefined || bytes[at] === byte))?.[0];
}
