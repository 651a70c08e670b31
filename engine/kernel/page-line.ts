// The kernel's line to its page. The kernel starts before the page knows which project it will be: what is said meanwhile waits for the port.
import type { KernelPageMessage, PageMessage } from './page-protocol';

export interface PageLine {
  send(message: KernelPageMessage, transfer?: Transferable[]): void;
  /** The page's port, once; what was said before goes out, in order. */
  connect(port: MessagePort): void;
  /** Who takes the page's messages from now on, and first those that came before. */
  receiveWith(receive: (message: PageMessage) => void): void;
}

/** A line without a port yet. */
export function createPageLine(): PageLine {
  let port: MessagePort | undefined;
  let receive: ((message: PageMessage) => void) | undefined;
  const unsent: [KernelPageMessage, Transferable[]][] = [];
  const waiting: PageMessage[] = [];
  return {
    send(message, transfer = []) {
      if (port) port.postMessage(message, transfer);
      else unsent.push([message, transfer]);
    },
    connect(given) {
      port = given;
      for (const [message, transfer] of unsent.splice(0)) port.postMessage(message, transfer);
      port.onmessage = ({ data }: MessageEvent<PageMessage>) => {
        if (receive) receive(data);
        else waiting.push(data);
      };
    },
    receiveWith(given) {
      receive = given;
      for (const message of waiting.splice(0)) receive(message);
    },
  };
}
