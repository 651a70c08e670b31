// The page in the hidden iframe on the sandbox's origin: checks who embeds it, starts the kernel worker, hands it the page's port.
import type { HostConfig, HostToPage, KernelBoot, PageToHost } from '../kernel/boot-protocol';
import { fetchManifest, fetchOk } from '../kernel/manifest';
import { checkIsolation, embedderOf } from './embedder';

async function main(): Promise<void> {
  // Asked for beside the configuration; used only once the embedder is known.
  const manifestComing = fetchManifest(new URL('manifest.json', location.href).href);
  manifestComing.catch(() => {});
  const config = (await (await fetchOk(new URL('host-config.json', location.href).href)).json()) as HostConfig;
  const origin = embedderOf(config.allowedOrigins);
  const tell = (message: HostToPage): void => window.parent.postMessage(message, origin);
  const fail = (error: unknown): void =>
    tell({ cloche: 'failed', message: error instanceof Error ? error.message : String(error) });
  try {
    checkIsolation();
    tell({ cloche: 'progress', what: 'manifest', fraction: 0 });
    const manifest = await manifestComing;
    const worker = new Worker(new URL(manifest.kernel, location.href), { name: 'kernel' });
    worker.onerror = (event) => fail(`The kernel failed: ${event.message} (${event.filename}:${event.lineno})`);
    worker.onmessage = ({ data }: MessageEvent<HostToPage>) => tell(data);
    window.addEventListener('message', ({ data, source, origin: from, ports }: MessageEvent<PageToHost>) => {
      if (source !== window.parent || from !== origin || data?.cloche !== 'connect' || ports.length === 0) return;
      const [port, file] = ports;
      const storage = file && { port: file, roots: data.roots };
      const boot: KernelBoot = { role: 'kernel', manifest, baseUrl: location.href, port, storage };
      worker.postMessage(boot, [...ports]);
    });
    tell({ cloche: 'waiting' });
  } catch (error) {
    fail(error);
  }
}

// Without an allowed embedder there is nobody to tell but the console.
main().catch((error) => console.error(error));
