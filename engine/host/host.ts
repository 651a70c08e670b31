// The page in the hidden iframe on the sandbox's origin: starts the kernel worker at once, checks who embeds it, and hands the kernel the page's port when
// the page knows its project. It may be older than the code of the page around it, so its last word can be asked for.
import type { HostConfig, HostToPage, KernelBoot, KernelConnect, PageToHost } from '../kernel/boot-protocol';
import { type EngineManifest, fetchOk } from '../kernel/manifest';
import { checkIsolation, embedderOf } from './embedder';

/** Written by engine/build: nothing has to be asked for before the kernel starts. */
declare const ENGINE_MANIFEST: EngineManifest;

function startKernel(fail: (error: unknown) => void, pass: (progress: HostToPage) => void): Worker {
  checkIsolation();
  const manifest = ENGINE_MANIFEST;
  const worker = new Worker(new URL(manifest.kernel, location.href), { name: 'kernel' });
  worker.onerror = ({ message, filename, lineno }) =>
    fail(
      message === undefined
        ? 'The kernel could not be loaded.'
        : `The kernel failed: ${message} (${filename}:${lineno})`,
    );
  worker.onmessage = ({ data }: MessageEvent<HostToPage>) => {
    if (data.cloche === 'failed') fail(data.message);
    if (data.cloche === 'progress') pass(data);
  };
  worker.postMessage({ role: 'kernel', manifest, baseUrl: location.href } satisfies KernelBoot);
  return worker;
}

async function main(): Promise<void> {
  let origin: string | undefined;
  let said = { cloche: 'progress', what: 'kernel', fraction: 0 } as HostToPage;
  const tell = (message: HostToPage): void => {
    said = message;
    if (origin !== undefined) window.parent.postMessage(message, origin);
  };
  const fail = (error: unknown): void =>
    tell({ cloche: 'failed', message: error instanceof Error ? error.message : String(error) });
  // For the person's eyes: the last word stays what the page has to know.
  const pass = (progress: HostToPage): void => {
    if (origin !== undefined) window.parent.postMessage(progress, origin);
  };
  let kernel: Worker | undefined;
  try {
    kernel = startKernel(fail, pass);
  } catch (error) {
    fail(error);
  }
  // Whom to trust is known only later; the kernel meets nobody before.
  const config = (await (await fetchOk(new URL('host-config.json', location.href).href)).json()) as HostConfig;
  const trusted = embedderOf(config.allowedOrigins);
  origin = trusted;
  tell(said);
  let isConnected = false;
  window.addEventListener('message', ({ data, source, origin: from, ports }: MessageEvent<PageToHost>) => {
    if (source !== window.parent || from !== trusted) return;
    if (data?.cloche === 'ask') tell(said);
    if (data?.cloche !== 'connect' || ports.length === 0 || isConnected) return;
    isConnected = true;
    const [port, file] = ports;
    const storage = file && { port: file, roots: data.roots };
    const connect: KernelConnect = { role: 'connect', port, storage, settles: data.settles };
    kernel?.postMessage(connect, [...ports]);
  });
  // From here on the page may connect, whether or not the kernel runs yet.
  if (said.cloche !== 'failed') tell({ cloche: 'waiting' });
}

// Without an allowed embedder there is nobody to tell but the console, and nobody to run a kernel for.
main().catch((error) => {
  console.error(error);
  location.replace('about:blank');
});
