// The WebSocket of a guest's page. A service worker never sees WebSocket connections, so those to the guest's own server go over a port to the
// kernel, which speaks RFC 6455 to it; all others stay the browser's. Injected before every other script of the page.
import type { SocketAnswer, SocketMessage } from '../kernel/net/preview-protocol';
import type { CallMessage, Unconnected } from './protocol';

const NativeWebSocket = globalThis.WebSocket;

/** The address that a page means, or undefined when it is not the guest's. Throws what the browser's constructor throws. */
function guestUrl(given: string | URL): URL | undefined {
  let url: URL;
  try {
    url = new URL(given, location.href);
  } catch {
    throw new DOMException(`The URL '${given}' is invalid.`, 'SyntaxError');
  }
  if (url.protocol === 'http:') url.protocol = 'ws:';
  if (url.protocol === 'https:') url.protocol = 'wss:';
  const isOwn = url.host === location.host;
  const isLocal = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])$/.test(url.hostname);
  if (!isOwn && !isLocal) return undefined;
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:')
    throw new DOMException(`The URL's scheme must be 'http', 'https', 'ws', or 'wss'.`, 'SyntaxError');
  if (url.hash) throw new DOMException(`The URL contains a fragment identifier ('${url.hash}').`, 'SyntaxError');
  return url;
}

/** 0 is the preview's own. */
function portOf(url: URL): number {
  return url.host === location.host ? 0 : Number(url.port || (url.protocol === 'wss:' ? 443 : 80));
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;
/** Stands for a close frame without a code (RFC 6455 7.4.1). */
const NO_CODE = 1005;

class GuestSocket extends EventTarget {
  readonly url: string;
  readonly extensions = '';
  protocol = '';
  readyState = CONNECTING;
  bufferedAmount = 0;
  binaryType: BinaryType = 'blob';
  readonly #port: MessagePort;

  constructor(url: URL, protocols: string[]) {
    super();
    this.url = url.href;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<SocketAnswer | Unconnected>) => this.#receive(data);
    const message: CallMessage = {
      cloche: 'call',
      call: { type: 'socket', port: portOf(url), path: url.pathname + url.search, protocols },
    };
    const { controller } = navigator.serviceWorker;
    if (controller) controller.postMessage(message, [port2]);
    else queueMicrotask(() => this.#end(1006, '', false));
    // The server must hear that the page is gone; the browser tells nobody when it drops a port.
    addEventListener('pagehide', () => this.#command({ type: 'close', code: 1001, reason: '' }));
  }

  #command(command: SocketMessage, transfer: Transferable[] = []): void {
    if (this.readyState !== CLOSED) this.#port.postMessage(command, transfer);
  }

  #receive(event: SocketAnswer | Unconnected): void {
    switch (event.type) {
      case 'unconnected':
        return this.#end(1006, '', false);
      case 'open':
        if (this.readyState !== CONNECTING) return;
        this.readyState = OPEN;
        this.protocol = event.protocol;
        this.dispatchEvent(new Event('open'));
        return;
      case 'message': {
        if (this.readyState !== OPEN) return;
        const data = typeof event.payload === 'string' ? event.payload : this.#binary(event.payload);
        this.dispatchEvent(new MessageEvent('message', { data, origin: new URL(this.url).origin }));
        return;
      }
      case 'sent':
        this.bufferedAmount -= event.bytes;
        return;
      case 'closed':
        return this.#end(event.code, event.reason, event.wasClean);
    }
  }

  #binary(payload: Uint8Array): ArrayBuffer | Blob {
    const buffer = payload.slice().buffer as ArrayBuffer;
    return this.binaryType === 'arraybuffer' ? buffer : new Blob([buffer]);
  }

  #end(code: number, reason: string, wasClean: boolean): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#port.close();
    if (!wasClean) this.dispatchEvent(new Event('error'));
    this.dispatchEvent(new CloseEvent('close', { code, reason, wasClean }));
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (this.readyState === CONNECTING) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError');
    if (data instanceof Blob) {
      this.bufferedAmount += data.size;
      void data
        .arrayBuffer()
        .then((buffer) => this.#command({ type: 'send', payload: new Uint8Array(buffer) }, [buffer]));
      return;
    }
    if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) {
      const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : viewOf(data);
      this.bufferedAmount += bytes.length;
      const copy = bytes.slice();
      this.#command({ type: 'send', payload: copy }, [copy.buffer]);
      return;
    }
    const text = String(data);
    this.bufferedAmount += new TextEncoder().encode(text).length;
    this.#command({ type: 'send', payload: text });
  }

  close(code?: number, reason = ''): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999))
      throw new DOMException(
        `The close code must be either 1000, or between 3000 and 4999. ${code} is neither.`,
        'InvalidAccessError',
      );
    if (new TextEncoder().encode(reason).length > 123)
      throw new DOMException('The close reason must not be greater than 123 UTF-8 bytes.', 'SyntaxError');
    if (this.readyState >= CLOSING) return;
    this.readyState = CLOSING;
    this.#command({ type: 'close', code: code ?? NO_CODE, reason });
  }
}

function viewOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
}

for (const name of ['open', 'message', 'error', 'close']) {
  const listeners = new WeakMap<GuestSocket, (event: Event) => unknown>();
  Object.defineProperty(GuestSocket.prototype, `on${name}`, {
    configurable: true,
    enumerable: true,
    get(this: GuestSocket) {
      return listeners.get(this) ?? null;
    },
    set(this: GuestSocket, listener: unknown) {
      if (!listeners.has(this)) this.addEventListener(name, (event) => listeners.get(this)?.call(this, event));
      if (typeof listener === 'function') listeners.set(this, listener as (event: Event) => unknown);
      else listeners.set(this, () => {});
    },
  });
}

const states = { CONNECTING, OPEN, CLOSING, CLOSED };
Object.assign(GuestSocket.prototype, states);
// Either class passes `instanceof WebSocket`.
Object.setPrototypeOf(GuestSocket.prototype, NativeWebSocket.prototype);

globalThis.WebSocket = new Proxy(NativeWebSocket, {
  construct(target, [given, protocols = []]: [string | URL, (string | string[])?], newTarget) {
    const url = guestUrl(given);
    if (!url) return Reflect.construct(target, [given, protocols], newTarget);
    return new GuestSocket(url, typeof protocols === 'string' ? [protocols] : [...protocols]);
  },
});
