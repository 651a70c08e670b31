// The manifest that engine/build writes beside the assets, and how the kernel turns it into what a process worker needs.
import type { ProcessAssets } from './protocol';

/** File names are relative to the manifest; each carries its content's hash. */
export interface EngineManifest {
  version: string;
  nodeVersion: string;
  kernel: string;
  process: string;
  core: string;
  coreIndex: Record<string, number[]>;
  lazy: string;
  lazyIndex: Record<string, number[]>;
  dump: string;
  /** Builtins that every program loads. */
  preload: string[];
  shell: string;
  /** Files of rarely needed parts, by their name. */
  parts?: Record<string, string>;
  /** A snapshot of what is mounted at `/` in the background (npm and the like). */
  image?: string;
}

/** Fetches the manifest at `url`; throws an Error that names what is wrong. */
export async function fetchManifest(url: string): Promise<EngineManifest> {
  const manifest = (await (await fetchOk(url)).json()) as EngineManifest;
  for (const name of ['version', 'kernel', 'process', 'core', 'lazy', 'dump', 'shell'] as const) {
    if (typeof manifest[name] !== 'string') throw new Error(`${url} has no "${name}".`);
  }
  return manifest;
}

/** Fetches what process workers share: once in memory, for all of them. */
export async function fetchProcessAssets(manifest: EngineManifest, baseUrl: string): Promise<ProcessAssets> {
  const at = (name: string): string => new URL(name, baseUrl).href;
  const shared = async (name: string): Promise<Uint8Array> => {
    const bytes = new Uint8Array(await (await fetchOk(at(name))).arrayBuffer());
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  const [core, shell, dump] = await Promise.all([shared(manifest.core), shared(manifest.shell), shared(manifest.dump)]);
  return {
    core,
    coreIndex: manifest.coreIndex,
    lazyUrl: at(manifest.lazy),
    lazyIndex: manifest.lazyIndex,
    shell,
    dump,
    preload: manifest.preload,
    partUrls: Object.fromEntries(Object.entries(manifest.parts ?? {}).map(([name, file]) => [name, at(file)])),
  };
}

/** A response with an ok status, or an Error that names the URL and the status. */
export async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
