// Domain names between their ASCII and Unicode forms. Mapping and validity (UTS 46) are the browser's: only punycode is decoded here.

const ASCII_LABEL = /^[\0-\x7f]*$/;

/** RFC 3492 decoding of what follows `xn--`; undefined when it is malformed. */
function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-');
  const output = delimiter > 0 ? Array.from(text.slice(0, delimiter), (character) => character.charCodeAt(0)) : [];
  let index = 0;
  let codePoint = 128;
  let bias = 72;
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < text.length; ) {
    const before = index;
    for (let weight = 1, k = 36; ; k += 36) {
      if (at >= text.length) return undefined;
      const code = text.charCodeAt(at++) | 32;
      const digit = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : -1;
      if (digit < 0) return undefined;
      index += digit * weight;
      if (index > 0x7fffffff) return undefined;
      const threshold = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > 0x10ffff) return undefined;
    output.splice(index++, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

function adaptBias(delta: number, length: number, first: boolean): number {
  let rest = first ? Math.floor(delta / 700) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}

/** Each `xn--` label decoded; labels that are not valid punycode stay as they are. */
export function domainLabelsToUnicode(domain: string): string {
  return domain
    .split('.')
    .map((label) => {
      if (!/^xn--/i.test(label) || !ASCII_LABEL.test(label)) return label;
      const decoded = decodePunycode(label.slice(4).toLowerCase());
      return decoded === undefined || ASCII_LABEL.test(decoded) ? label : decoded;
    })
    .join('.');
}

/** Punycode form of a domain, '' when it has none. Unlike a URL's host, numbers stay numbers. */
export function domainLabelsToAscii(domain: string, BrowserURL: typeof URL): string {
  if (ASCII_LABEL.test(domain) && !/(^|\.)xn--/i.test(domain)) return domain.toLowerCase();
  try {
    // The suffix keeps a name that ends in a number from being read as an IPv4 address.
    const { hostname } = new BrowserURL(`ws://${domain}.a`);
    return hostname.endsWith('.a') ? hostname.slice(0, -2) : '';
  } catch {
    return '';
  }
}
