// Files in a cache that guests can write to: nothing of it is used before its SHA-256 is the one that the build wrote into the service worker.
import type { KnownFile, KnownFiles } from './offline-words';

/** The part of Cache that is used. */
export type FileCache = Pick<Cache, 'match' | 'put'>;

/** The bytes that the cache holds for `path`, when they are the build's; else undefined. */
export async function takeVerified(
  cache: FileCache,
  files: KnownFiles,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const known = files[path];
  const found = known && (await cache.match(path, { ignoreVary: true }));
  if (!found) return undefined;
  // Read once: what is hashed is what is returned, whatever a guest writes meanwhile.
  const bytes = new Uint8Array(await found.arrayBuffer());
  return (await isKnown(bytes, known)) ? bytes : undefined;
}

/** Fetches what the cache does not hold unchanged. Rejects with an Error that names the file that is missing or another build's. */
export async function fillCache(
  cache: FileCache,
  files: KnownFiles,
  fetchFile: (path: string) => Promise<Response>,
): Promise<void> {
  for (const path of Object.keys(files)) {
    if (await takeVerified(cache, files, path)) continue;
    const response = await fetchFile(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!(await isKnown(bytes, files[path])))
      throw new Error(`${path} is not the file that this service worker was built with: the server has another build.`);
    await cache.put(path, new Response(bytes, { headers: { 'content-type': files[path].type } }));
  }
}

async function isKnown(bytes: Uint8Array<ArrayBuffer>, known: KnownFile): Promise<boolean> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest)) === known.sha256;
}
