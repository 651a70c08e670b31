// Boots the engine in a hidden iframe on the sandbox's origin: what the IDE imports to get one.
// Every attempt uses a new iframe, so a boot that failed or hung can be tried again without reloading the page; the first may use one that was in
// the page's HTML and has been loading since (docs/decisions/0018).
import type { HostToPage, PageToHost } from '../kernel/boot-protocol';
import { createConnection, EngineError } from './connection';
import { createEngine, type Engine, type EngineEvents } from './engine';
import { hiddenFrame } from './hidden-frame';

export interface BootOptions extends EngineEvents {
  /** URL of the host page, e.g. `http://sandbox.cloche.localhost:3000/engine/host.html`. */
  hostUrl: string;
  /** A frame of that URL that is in the page already, for the first attempt; it is this engine's from then on. */
  frame?: HTMLIFrameElement;
  /** Longest time without any progress, in each attempt; default 30 s. */
  timeoutMs?: number;
  /** Attempts before giving up; default 2. */
  attempts?: number;
  /**
   * Called when it has booted; resolves when the page has loaded what the person looks at. Until then the engine fetches nothing that is only wanted later.
   * Never rejects. Default: at once.
   */
  settled?(): Promise<void>;
  /** Keeps files; without it all ends with the engine. */
  storage?: EngineStorage;
}

/** Where an engine keeps files. */
export interface EngineStorage {
  /** A port behind which engine/kernel/persistence/port-storage.ts is spoken, for one attempt to boot; undefined: keep nothing. */
  connect(): Promise<MessagePort | undefined>;
  /** Absolute paths of what is kept: directories with all below, or files. */
  roots: string[];
}

/** Boots an engine, trying again with a new iframe when an attempt fails. Rejects with the last failure. */
export async function bootEngine(options: BootOptions): Promise<Engine> {
  const attempts = options.attempts ?? 2;
  for (let attempt = 1; ; attempt++) {
    try {
      return await bootOnce(options, attempt === 1 ? options.frame : undefined);
    } catch (error) {
      if (attempt >= attempts) throw error;
      options.onFault?.(`Boot attempt ${attempt} failed: ${(error as Error).message}`);
    }
  }
}

async function bootOnce(options: BootOptions, early: HTMLIFrameElement | undefined): Promise<Engine> {
  const { hostUrl, timeoutMs = 30_000, onProgress } = options;
  const frame = early ?? hiddenFrame('Cloche engine', hostUrl);
  const hostOrigin = new URL(hostUrl, location.href).origin;
  const channel = new MessageChannel();
  const connection = createConnection(channel.port1);
  let doing = 'frame';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restart = (): void => {};
  const report = (what: string, fraction: number): void => {
    doing = what;
    restart();
    onProgress?.(what, fraction);
  };
  report('frame', 0);

  const engine = createEngine(connection, options, () => frame.remove());
  let unsubscribe = (): void => {};
  let onMessage: (event: MessageEvent<HostToPage>) => void = () => {};
  const booted = new Promise<void>((resolve, reject) => {
    restart = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () =>
          reject(new EngineError('ETIMEDOUT', `The engine did not boot within ${timeoutMs / 1000} s (at: ${doing}).`)),
        timeoutMs,
      );
    };
    restart();
    let isConnecting = false;
    const connect = async (): Promise<void> => {
      if (isConnecting) return;
      isConnecting = true;
      const file = await options.storage?.connect();
      const { storage, settled } = options;
      const message: PageToHost = { cloche: 'connect', roots: storage?.roots ?? [], settles: settled !== undefined };
      frame.contentWindow?.postMessage(message, hostOrigin, file ? [channel.port2, file] : [channel.port2]);
    };
    onMessage = ({ data, source, origin }) => {
      if (source !== frame.contentWindow || origin !== hostOrigin) return;
      if (data.cloche === 'waiting') connect().catch(reject);
      else if (data.cloche === 'progress') report(data.what, data.fraction);
      else if (data.cloche === 'failed') reject(new EngineError('EIO', data.message));
    };
    window.addEventListener('message', onMessage);
    unsubscribe = connection.subscribe((message) => {
      // The engine itself tells how far it is.
      if (message.type === 'progress') doing = message.what;
      restart();
      if (message.type === 'booted') resolve();
    });
  });
  // Before it has loaded its window is a blank one of ours, which hears the question and knows no answer; there is nothing secret in it.
  if (early) early.contentWindow?.postMessage({ cloche: 'ask' } satisfies PageToHost, '*');
  else document.body.append(frame);
  try {
    await booted;
  } catch (error) {
    connection.close('The engine did not boot.');
    frame.remove();
    throw error;
  } finally {
    restart = () => {};
    clearTimeout(timer);
    window.removeEventListener('message', onMessage);
    unsubscribe();
  }
  void options.settled?.().then(() => connection.send({ type: 'settled' }));
  return engine;
}
