// The page in the hidden iframe on the sandbox's origin: checks who embeds it, starts the kernel worker, hands it the page's port.
// Whom to trust comes from the server (host-config.json), never from the URL, because anybody can write a URL.
import type { HostConfig, HostToPage, KernelBoot, PageToHost } from '../kernel/boot-protocol';
import { fetchManifest, fetchOk } from '../kernel/manifest';

/** The embedding page's origin, or an Error that says why it may not be served. */
function embedderOf(config: HostConfig): string {
  if (window.parent === window) throw new Error('The engine runs inside a page of the IDE, not by itself.');
  // Chromium and Safari name the parent; elsewhere the referrer does.
  const parent = location.ancestorOrigins?.[0] ?? (document.referrer === '' ? '' : new URL(document.referrer).origin);
  if (!config.allowedOrigins.includes(parent))
    throw new Error(`The page at ${parent || 'an unknown origin'} may not use this engine.`);
  return parent;
}

function checkIsolation(): void {
  if (globalThis.crossOriginIsolated) return;
  throw new Error(
    'This page is not cross-origin isolated, so memory cannot be shared between workers. The server must send COOP "same-origin" and COEP "require-corp" with the page, and the frame needs allow="cross-origin-isolated".',
  );
}

async function main(): Promise<void> {
  const config = (await (await fetchOk(new URL('host-config.json', location.href).href)).json()) as HostConfig;
  const origin = embedderOf(config);
  const tell = (message: HostToPage): void => window.parent.postMessage(message, origin);
  const fail = (error: unknown): void =>
    tell({ cloche: 'failed', message: error instanceof Error ? error.message : String(error) });
  try {
    checkIsolation();
    tell({ cloche: 'progress', what: 'manifest', fraction: 0 });
    const manifest = await fetchManifest(new URL('manifest.json', location.href).href);
    const worker = new Worker(new URL(manifest.kernel, location.href), { name: 'kernel' });
    worker.onerror = (event) => fail(`The kernel failed: ${event.message} (${event.filename}:${event.lineno})`);
    worker.onmessage = ({ data }: MessageEvent<HostToPage>) => tell(data);
    window.addEventListener('message', ({ data, source, origin: from, ports }: MessageEvent<PageToHost>) => {
      if (source !== window.parent || from !== origin || data?.cloche !== 'connect' || ports.length !== 1) return;
      const boot: KernelBoot = { role: 'kernel', manifest, baseUrl: location.href, port: ports[0] };
      worker.postMessage(boot, [ports[0]]);
    });
    tell({ cloche: 'waiting' });
  } catch (error) {
    fail(error);
  }
}

// Without an allowed embedder there is nobody to tell but the console.
main().catch((error) => console.error(error));
