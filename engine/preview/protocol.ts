// What the parts of a preview's origin (service worker, bridge, boot page, pages) say to each other and to the IDE's page. What they say to the
// kernel is in engine/kernel/net/preview-protocol.ts.
import type { PreviewMessage } from '../kernel/net/preview-protocol';

/** Service worker → bridge, and page → service worker; carries the port on which the exchange goes on. */
export interface CallMessage {
  cloche: 'call';
  call: PreviewMessage;
}

/** Bridge → whoever holds the other end of a call's port: the IDE's page has not connected it (yet). */
export interface Unconnected {
  type: 'unconnected';
}

/** Bridge → IDE page, again whenever the bridge has (re)loaded. */
export interface BridgeReady {
  cloche: 'bridge-ready';
}

/** Bridge → IDE page, once the service worker answers for this origin without the server. */
export interface BridgeKept {
  cloche: 'bridge-kept';
}

/** IDE page → bridge; carries the kernel's port. */
export interface BridgeConnect {
  cloche: 'bridge-connect';
}

/** `self.clochePreview`, from `/__cloche/config.js`: what only the server knows. */
export interface PreviewConfig {
  /** The only origins whose pages may connect a bridge: the IDE's, and the sandbox's for pages that boot the engine by the WebContainer protocol. */
  bridgeOrigins: string[];
  /** Of every file below `/__cloche/`. */
  headers: Record<string, string>;
}

export const BRIDGE_PATH = '/__cloche/bridge.html';
export const CONFIG_PATH = '/__cloche/config.js';
export const WORKER_PATH = '/__cloche/sw.js';
export const SOCKET_SCRIPT_PATH = '/__cloche/ws.js';
