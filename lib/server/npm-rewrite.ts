// Registry documents name absolute tarball URLs. This replaces them while the document streams by, so a document of many megabytes is never
// held in memory. It works on the text `"tarball":"…"`: inside a JSON string that text cannot occur, because its quotes would be escaped.

import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const MATCH = /"tarball"\s*:\s*("(?:[^"\\]|\\.)*")/g;
const WHOLE = new RegExp(`^${MATCH.source}`);
/** What a match looks like before all of it has arrived. */
const BEGINNING = /^"tarball"\s*(?::\s*(?:"(?:[^"\\]|\\.)*\\?)?)?$/;
const KEY = '"tarball"';
/** Longer than any URL; a longer beginning is let through as it is. */
const MAX_HELD = 8192;

/** Bytes in, bytes out; each tarball URL becomes `replace(url)`. Valid JSON stays valid JSON. */
export function createTarballRewriter(replace: (url: string) => string): Transform {
  const decoder = new StringDecoder('utf8');
  let held = '';
  const rewrite = (text: string): string =>
    text.replace(MATCH, (whole, literal: string) => {
      try {
        return `${whole.slice(0, -literal.length)}${JSON.stringify(replace(JSON.parse(literal)))}`;
      } catch {
        return whole;
      }
    });
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      held += decoder.write(chunk);
      const cut = safeCut(held);
      const ready = held.slice(0, cut);
      held = held.slice(cut);
      callback(null, rewrite(ready));
    },
    flush(callback) {
      callback(null, rewrite(held + decoder.end()));
    },
  });
}

/** Where `text` may be cut so that no match is split. */
function safeCut(text: string): number {
  const last = text.lastIndexOf(KEY);
  const tail = last === -1 ? '' : text.slice(last);
  if (tail !== '' && tail.length <= MAX_HELD && BEGINNING.test(tail)) return last;
  // The closing quote of a whole match could be taken for the beginning of a key.
  const whole = last === -1 ? 0 : last + (tail.match(WHOLE)?.[0].length ?? 0);
  for (let length = Math.min(KEY.length - 1, text.length); length > 0; length--)
    if (KEY.startsWith(text.slice(-length))) return Math.max(whole, text.length - length);
  return text.length;
}
