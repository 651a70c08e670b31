// Images, sounds and documents in what a server sent: base64 of somebody else, read with limits, and named in the text where they stood.
// What they really are is judged where they are kept (lib/session/keep-media.ts); a type that a server claims decides nothing.
import { z } from 'zod';
import { mediaKind } from '../../tools/media-kind';
import type { NewMedia } from '../../tools/tool';

/** Of one medium, and of all in one answer. */
export const maxMediaBytes = 10 * 2 ** 20;
export const maxMediaCount = 20;

/** A resource as servers embed it and answer `resources/read`. */
export const resourceContents = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});

/** The texts of one answer, and the media that were in it. */
export interface MediaReader {
  media: NewMedia[];
  /** Takes a medium; returns what stands in the text in its place. `what` begins with a capital: `An image`. */
  take(what: string, mediaType: unknown, base64: unknown, name: string): string;
  /** A resource's text, or its blob as `take` does. */
  resource(value: z.infer<typeof resourceContents>): string;
}

/** For one answer of a server. */
export function mediaReader(): MediaReader {
  const media: NewMedia[] = [];
  const reader: MediaReader = {
    media,
    take(what, mediaType, base64, name) {
      const said = typeof mediaType === 'string' ? mediaType : 'unknown type';
      const left = (why: string) => `[${what} (${said}) was sent and is left out: ${why}.]`;
      if (typeof base64 !== 'string') return left('it has no contents');
      const size = Math.floor((base64.length * 3) / 4);
      if (size > maxMediaBytes) return left(`it has ${size} bytes, and at most ${maxMediaBytes} are taken`);
      if (media.length >= maxMediaCount) return left(`an answer shows at most ${maxMediaCount}`);
      const bytes = bytesOf(base64);
      if (bytes === undefined) return left('its contents are not base64');
      const kind = mediaKind(bytes);
      if (kind?.mediaType === undefined && kind?.sound === undefined)
        return left(`it is ${kind?.words ?? 'of no kind that can be shown'}, ${bytes.length} bytes`);
      media.push({ bytes, mediaType: said, name });
      return `[${what} (${said}, ${bytes.length} bytes): ${name}.]`;
    },
    resource(value) {
      if (value.text !== undefined) return value.text;
      return reader.take(`The resource ${value.uri}`, value.mimeType, value.blob, nameOfUri(value.uri));
    },
  };
  return reader;
}

function nameOfUri(uri: string): string {
  const last =
    uri
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '';
  return (last === '' ? uri : last).slice(0, 100);
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    // Servers send both alphabets.
    return Uint8Array.from(atob(base64.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
