// The manifest that engine/build writes beside the assets, and how the kernel turns it into what a process worker needs.
import { offerText, presentText } from '../memory/shared-text';
import { LIB_TEXTS, type LibText, type LibTextName, type ProcessAssets } from './protocol';

/** File names are relative to the manifest; each carries its content's hash. */
export interface EngineManifest {
  version: string;
  nodeVersion: string;
  kernel: string;
  process: string;
  lib: Record<LibTextName, LibFile>;
  dump: string;
  /** Builtins that every program loads. */
  preload: string[];
  shell: string;
  /** Files of rarely needed parts, by their name. */
  parts?: Record<string, string>;
  /** A snapshot of what is mounted at `/` in the background (npm and the like). */
  image?: string;
}

/** Sources, how many bytes they are, and where each lies (`LibText`). */
export interface LibFile {
  file: string;
  bytes: number;
  index: Record<string, number[]>;
}

/** Fetches the manifest at `url`; throws an Error that names what is wrong. */
export async function fetchManifest(url: string): Promise<EngineManifest> {
  const manifest = (await (await fetchOk(url)).json()) as EngineManifest;
  for (const name of ['version', 'kernel', 'process', 'dump', 'shell'] as const) {
    if (typeof manifest[name] !== 'string') throw new Error(`${url} has no "${name}".`);
  }
  for (const name of LIB_TEXTS) {
    if (typeof manifest.lib?.[name]?.file !== 'string') throw new Error(`${url} has no "lib.${name}".`);
  }
  return manifest;
}

/** Fetches what process workers share, once in memory for all of them: what none can boot without now, the rest when the first one asks. `onProgress`: 0–1, of what none can boot without. */
export async function fetchProcessAssets(
  manifest: EngineManifest,
  baseUrl: string,
  onProgress: (fraction: number) => void = () => {},
): Promise<ProcessAssets> {
  const at = (name: string): string => new URL(name, baseUrl).href;
  const shared = async (name: string): Promise<Uint8Array> => {
    const bytes = new Uint8Array(await (await fetchOk(at(name))).arrayBuffer());
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return copy;
  };
  const bytesOf = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetchOk(url)).arrayBuffer());
  const { start, ...others } = manifest.lib;
  const later = ({ file, bytes, index }: LibFile): LibText => ({
    index,
    text: offerText(at(file), bytes, () => bytesOf(at(file))),
  });
  const come = { text: 0, shell: 0, dump: 0 };
  const tell = (what: keyof typeof come, fraction: number): void => {
    come[what] = fraction;
    onProgress(0.6 * come.text + 0.3 * come.shell + 0.1 * come.dump);
  };
  const [first, shell, dump] = await Promise.all([
    firstText(at(start.file), start.bytes, (fraction) => tell('text', fraction)),
    shared(manifest.shell).finally(() => tell('shell', 1)),
    shared(manifest.dump).finally(() => tell('dump', 1)),
  ]);
  return {
    lib: {
      start: { index: start.index, text: presentText(at(start.file), first) },
      core: later(others.core),
      undici: later(others.undici),
      amaro: later(others.amaro),
      rest: later(others.rest),
    },
    shell,
    dump,
    preload: manifest.preload,
    partUrls: Object.fromEntries(Object.entries(manifest.parts ?? {}).map(([name, file]) => [name, at(file)])),
  };
}

/** The bytes at the URL, `length` of them; tells how many have come, in twentieths. */
async function firstText(url: string, length: number, onProgress: (fraction: number) => void): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  let told = 0;
  const reader = (await fetchOk(url)).body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > length)
      throw new Error(`${url} is longer than the ${length} bytes that the manifest names`);
    bytes.set(value, at);
    at += value.length;
    if (at / length - told < 0.05) continue;
    told = at / length;
    onProgress(told);
  }
  if (at < length) throw new Error(`${url} ended after ${at} of ${length} bytes`);
  return bytes;
}

/** A response with an ok status, or an Error that names the URL and the status. */
export async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
