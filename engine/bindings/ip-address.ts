// IP addresses between text and bytes, as uv_inet_pton and uv_inet_ntop read and write them.

const DECIMAL = /^(0|[1-9]\d{0,2})$/;
const HEXADECIMAL = /^[\da-f]{1,4}$/i;

/** 4 bytes, or undefined when `text` is no dotted address. */
export function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => DECIMAL.test(part) && Number(part) < 256)) return undefined;
  return Uint8Array.from(parts, Number);
}

/** Words of colon-separated groups, the last of which may be dotted; undefined when malformed. */
function parseGroups(text: string): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const words: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (HEXADECIMAL.test(group)) words.push(Number.parseInt(group, 16));
    else {
      const dotted = index === groups.length - 1 ? parseIpv4(group) : undefined;
      if (!dotted) return undefined;
      words.push((dotted[0] << 8) | dotted[1], (dotted[2] << 8) | dotted[3]);
    }
  }
  return words;
}

/** 16 bytes, or undefined when `text` is no IPv6 address. A zone (`%eth0`) is ignored. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const [address] = text.split('%', 1);
  const halves = address.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0]);
  const tail = halves.length === 2 ? parseGroups(halves[1]) : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 || halves[0].includes('.') : missing !== 0) return undefined;
  const bytes = new Uint8Array(16);
  [...head, ...new Array(missing).fill(0), ...tail].forEach((word, index) => {
    bytes[index * 2] = word >> 8;
    bytes[index * 2 + 1] = word & 255;
  });
  return bytes;
}

/** Canonical text of 4 or 16 bytes: the longest run of zero words is `::`, mapped and compatible IPv4 stays dotted. */
export function formatIp(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const words = Array.from({ length: 8 }, (_, index) => (bytes[index * 2] << 8) | bytes[index * 2 + 1]);
  let [runStart, runLength] = [-1, 1];
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && words[start + length] === 0) length++;
    if (length > runLength) [runStart, runLength] = [start, length];
  }
  if (runStart === 0 && (runLength === 6 || (runLength === 5 && words[5] === 0xffff))) {
    return `${runLength === 6 ? '::' : '::ffff:'}${bytes.subarray(12).join('.')}`;
  }
  const hex = (part: number[]): string => part.map((word) => word.toString(16)).join(':');
  if (runStart < 0) return hex(words);
  return `${hex(words.slice(0, runStart))}::${hex(words.slice(runStart + runLength))}`;
}

/** The 4 bytes inside `::ffff:a.b.c.d`; undefined for other IPv6 addresses. */
export function mappedIpv4(bytes: Uint8Array): Uint8Array | undefined {
  const isMapped =
    bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.subarray(12) : undefined;
}
