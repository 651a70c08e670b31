// Bytes as text, one character each: what HTTP's heads are made of.

/** What one call takes as arguments. */
const CHUNK_CHARACTERS = 4096;

/** Every byte becomes the character of its number. */
export function latin1(bytes: Uint8Array): string {
  if (bytes.length <= CHUNK_CHARACTERS) return String.fromCharCode(...bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_CHARACTERS)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK_CHARACTERS));
  return text;
}
