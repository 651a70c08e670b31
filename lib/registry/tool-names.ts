// Names that every provider takes: letters, digits, _ and -, at most 64 of them. A long name keeps its beginning and gets a hash of the whole,
// so that it is the same in every request and never meets another's.

const maxLength = 64;
const hashLength = 8;

/** `github` and `create issue` → `github_create_issue`. Empty parts are left out. */
export function toolName(...parts: string[]): string {
  const name = parts
    .map((part) => part.replace(/[^A-Za-z0-9_-]/g, '_'))
    .filter((part) => part !== '')
    .join('_');
  if (name.length <= maxLength) return name;
  return `${name.slice(0, maxLength - hashLength - 1)}_${hash(parts.join('\u0000'))}`;
}

/** FNV-1a over UTF-16 units, 32 bits, as eight hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(hashLength, '0');
}
