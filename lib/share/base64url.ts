// Bytes in the alphabet that a URL's fragment carries unchanged (RFC 4648, section 5), without padding.

/** Four characters for three bytes. */
export function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  // `apply` takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The bytes; undefined when a character is not of the alphabet or the length can't be. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
