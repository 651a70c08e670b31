// The page that the published WebContainer client frames (`<origin>/headless`) when WEBCONTAINER_API_IFRAME_URL names our sandbox's origin: it checks
// its embedder as our own host page does, and then boots our engine for calls in the client's protocol.
import { createConnection } from '../client/connection';
import { createEngine, type Engine } from '../client/engine';
import type { HostConfig, KernelBoot, KernelConnect } from '../kernel/boot-protocol';
import { type EngineManifest, fetchManifest, fetchOk } from '../kernel/manifest';
import { expose, Reference } from './comlink-wire';
import { checkIsolation, embedderOf } from './embedder';
import { webContainerInstance } from './webcontainer-instance';

const base = new URL('/engine/', location.href).href;
/** The name of a tab's previews is kept as long as the tab, so that a reload does not leave another origin's storage behind. */
const PREVIEW_KEY = 'cloche-preview';

/** The argument of `server.build()`, as far as it matters here. */
interface BuildOptions {
  workdirName?: string;
  forwardPreviewErrors?: boolean | string;
}

function previewId(): string {
  const kept = sessionStorage.getItem(PREVIEW_KEY);
  if (kept) return kept;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  sessionStorage.setItem(PREVIEW_KEY, made);
  return made;
}

/** A kernel of its own, booted. */
function bootKernel(manifest: EngineManifest, onFault: (message: string) => void): Promise<Engine> {
  const worker = new Worker(new URL(manifest.kernel, base), { name: 'kernel' });
  const { port1, port2 } = new MessageChannel();
  const connection = createConnection(port1);
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => {
      onFault(message);
      reject(new Error(message));
    };
    worker.onerror = (event) => fail(`The kernel failed: ${event.message} (${event.filename}:${event.lineno})`);
    worker.onmessage = ({ data }: MessageEvent<{ cloche?: string; message?: string }>) => {
      if (data?.cloche === 'failed') fail(String(data.message));
    };
    const stop = connection.subscribe((message) => {
      if (message.type !== 'booted') return;
      stop();
      resolve(createEngine(connection, { onFault }, () => worker.terminate()));
    });
    worker.postMessage({ role: 'kernel', manifest, baseUrl: base } satisfies KernelBoot);
    worker.postMessage({ role: 'connect', port: port2 } satisfies KernelConnect, [port2]);
  });
}

async function main(): Promise<void> {
  const config = (await (await fetchOk(new URL('host-config.json', base).href)).json()) as HostConfig;
  const origin = embedderOf(config.embedders);
  // The client prints these; it has no way to hear that a boot has failed before the first call.
  const warn = (level: 'warn' | 'error', message: string): void =>
    window.parent.postMessage({ type: 'warning', level, message }, origin);
  try {
    checkIsolation();
    const manifest = await fetchManifest(new URL('manifest.json', base).href);
    const faults = new Set<(message: string) => void>();
    const onFault = (message: string): void => {
      warn('error', message);
      for (const listener of [...faults]) listener(message);
    };
    let isTaken = false;

    const build = async ({ workdirName, forwardPreviewErrors }: BuildOptions): Promise<Reference> => {
      if (isTaken) throw new Error('This page has a container already: tear it down first.');
      if (forwardPreviewErrors) warn('warn', "Cloche's WebContainer host does not forward the errors of previews.");
      if (workdirName && !/^[^/\0]+$/.test(workdirName)) throw new Error(`"${workdirName}" is not a folder's name.`);
      if (workdirName === '.' || workdirName === '..') throw new Error(`"${workdirName}" is not a folder's name.`);
      isTaken = true;
      try {
        const engine = await bootKernel(manifest, onFault);
        const workdir = `/home/${workdirName || 'project'}`;
        await engine.makeDirectory(workdir);
        const instance = webContainerInstance({
          engine,
          workdir,
          previewUrl: (port) => `${config.preview.replace('*', `${previewId()}-${port}`)}/`,
          subscribeFaults(listener) {
            faults.add(listener);
            return () => faults.delete(listener);
          },
          onTeardown() {
            isTaken = false;
          },
        });
        return new Reference(instance);
      } catch (error) {
        isTaken = false;
        throw error;
      }
    };

    const { port1, port2 } = new MessageChannel();
    expose(new Reference({ build }), port1);
    window.parent.postMessage({ type: 'init' }, origin, [port2]);
  } catch (error) {
    warn('error', error instanceof Error ? error.message : String(error));
  }
}

// Without an allowed embedder there is nobody to tell but the console.
main().catch((error) => console.error(error));
