// A short name for one version of a text, so that two who speak of a file can tell whether they mean the same.

/** Eight hex digits (FNV-1a over UTF-16 units). For telling versions apart, not for security. */
export function textVersion(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
