// Text from outside that need not be UTF-8: file names that a program gives as bytes, and what a shell hands to a program, where a stray byte is
// a lone surrogate (engine/shell/io/text.ts).

const STRAY = 0xdc00;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `text` as Node decodes it: what is no letter becomes U+FFFD, by the rules of UTF-8. */
export function asNodeReads(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    if (code > STRAY + 0x7f && code <= STRAY + 0xff) bytes.push(code - STRAY);
    else bytes.push(...encoder.encode(letter));
  }
  return decoder.decode(new Uint8Array(bytes));
}

/** The file name in `bytes`. Throws EILSEQ, as file systems that hold only UTF-8 do, instead of another file's name. */
export function fileName(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(new Uint8Array(bytes));
  } catch {
    const shown = decoder.decode(new Uint8Array(bytes));
    const why = 'file names are UTF-8 in this sandbox';
    throw Object.assign(new Error(`EILSEQ: illegal byte sequence (${why}), '${shown}'`), {
      errno: -84,
      code: 'EILSEQ',
      path: shown,
    });
  }
}
