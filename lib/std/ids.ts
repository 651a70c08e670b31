// Ids that sort by time of creation and are safe in file names, URLs and IndexedDB keys.

let lastMs = 0;
let sequence = 0;

/** `<prefix>_<9 characters of time><2 of sequence><13 of randomness>`: ascending within this tab, unguessable (62 bits). */
export function newId(prefix: string, nowMs = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = 0;
  } else sequence++;
  const time = lastMs.toString(36).padStart(9, '0');
  const random = Array.from(crypto.getRandomValues(new Uint8Array(13)), (byte) => (byte % 36).toString(36)).join('');
  return `${prefix}_${time}${(sequence % 1296).toString(36).padStart(2, '0')}${random}`;
}
