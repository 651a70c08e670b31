// Messages between a preview's service worker, its pages and the kernel. The service worker has one port to the kernel; every request and every
// WebSocket brings a port of its own, so nothing needs numbers and a service worker that is stopped takes nothing with it.

export type HeaderPairs = [string, string][];

/** Service worker → kernel, on the preview's port; each carries the port that the exchange goes on with. */
export type PreviewMessage =
  /** `port` 0 is the preview's own; another port is another server of the same sandbox. */
  | { type: 'request'; port: number; method: string; path: string; headers: HeaderPairs; hasBody: boolean }
  | { type: 'socket'; port: number; path: string; protocols: string[] };

/** Service worker → kernel, on a request's port. */
export type RequestMessage =
  | { type: 'body'; bytes: Uint8Array }
  | { type: 'bodyEnd' }
  /** The page wants one more chunk. */
  | { type: 'pull' }
  | { type: 'cancel' };

/** Kernel → service worker, on a request's port. */
export type AnswerMessage =
  /** At once: the kernel lives. */
  | { type: 'accepted' }
  /** The server takes one more chunk of the request's body. */
  | { type: 'wantBody' }
  | { type: 'head'; status: number; reason: string; headers: HeaderPairs; hasBody: boolean }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'end' }
  /** No answer, or not all of it. */
  | { type: 'failed'; status: number; title: string; text: string };

/** Page → kernel, on a WebSocket's port. */
export type SocketMessage =
  | { type: 'send'; payload: string | Uint8Array }
  | { type: 'close'; code: number; reason: string };

/** Kernel → page, on a WebSocket's port. */
export type SocketAnswer =
  | { type: 'open'; protocol: string }
  | { type: 'message'; payload: string | Uint8Array }
  /** So many payload bytes have been written. */
  | { type: 'sent'; bytes: number }
  | { type: 'closed'; code: number; reason: string; wasClean: boolean };
