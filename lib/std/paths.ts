// POSIX paths as text. The sandbox is POSIX whatever the person's machine is, and this runs in the browser, so `node:path` is not used.

/** Absolute? */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

/** Resolves `.`, `..` and doubled slashes; `..` above the root is dropped. A trailing slash goes, an empty result is `.` (or `/`). */
export function normalizePath(path: string): string {
  const absolute = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!absolute) kept.push('..');
  }
  return (absolute ? '/' : '') + kept.join('/') || (absolute ? '/' : '.');
}

/** Joins and normalizes. */
export function joinPath(...segments: string[]): string {
  return normalizePath(segments.filter((segment) => segment !== '').join('/'));
}

/** `path` seen from `base` (absolute), normalized. */
export function resolvePath(base: string, path: string): string {
  return isAbsolute(path) ? normalizePath(path) : joinPath(base, path);
}

/** The directory that holds `path`; of `/` it is `/`. */
export function parentPath(path: string): string {
  const at = path.lastIndexOf('/');
  if (at < 0) return '.';
  return at === 0 ? '/' : path.slice(0, at);
}

/** The last segment. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for `directory` itself and everything below it; both absolute and normalized. */
export function isInside(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

/** Relative to `directory` when inside it (`.` for itself), else the absolute path as it is. */
export function displayPath(path: string, directory: string): string {
  if (path === directory) return '.';
  return isInside(path, directory) ? path.slice(directory === '/' ? 1 : directory.length + 1) : path;
}

/** A path on a line of its own: with line breaks in it, it is written as JSON. */
export function pathInLine(path: string): string {
  return /[\n\r]/.test(path) ? JSON.stringify(path) : path;
}
