// messaging: MessageChannel between the two ends in one process, structuredClone, and the seams of worker_threads. Values are cloned by the
// browser's own algorithm; objects that Node clones by its own protocol throw by name instead of arriving empty.
import { unsupported } from '../process/dump';
import type { Binding, LiveHandle, ProcessEnvironment } from '../process/environment';

interface Transferred {
  transfer?: Transferable[];
}

/** Clones as structuredClone does, with Node's error class and a named error for what only Node's protocol could clone. */
function cloner(environment: ProcessEnvironment): (value: unknown, options?: Transferred | Transferable[]) => unknown {
  const { browser, privateSymbols, perContext } = environment;
  return (value, options) => {
    const transfer = Array.isArray(options) ? options : (options?.transfer ?? []);
    if (
      value !== null &&
      typeof value === 'object' &&
      (value as any)[privateSymbols.transfer_mode_private_symbol] !== undefined
    ) {
      throw unsupported(`structuredClone of ${value.constructor?.name ?? 'this object'}`);
    }
    try {
      return browser.structuredClone(value, { transfer });
    } catch (error) {
      if (error instanceof browser.DOMException) throw new perContext.DOMException(error.message, error.name);
      throw error;
    }
  };
}

export const messaging: Binding = (environment) => {
  const { loop, symbols, perContext } = environment;
  const clone = cloner(environment);
  const construct = Symbol('construct');

  class MessagePort implements LiveHandle {
    #peer: MessagePort | undefined;
    #queue: unknown[] = [];
    #receiving = false;
    #referenced = false;
    #closed = false;
    #scheduled = false;

    constructor(token?: symbol) {
      if (token !== construct)
        throw Object.assign(new TypeError('Constructor cannot be called'), { code: 'ERR_CONSTRUCT_CALL_INVALID' });
      (this as any)[symbols.oninit]?.();
    }

    static connect(left: MessagePort, right: MessagePort): void {
      left.#peer = right;
      right.#peer = left;
    }

    static take(port: MessagePort): unknown {
      return port.#queue.length > 0 ? port.#queue.shift() : symbols.no_message_symbol;
    }

    static stop(port: MessagePort): void {
      port.#receiving = false;
    }

    static drain(port: MessagePort): void {
      while (port.#queue.length > 0 && !port.#closed) port.#emit(port.#queue.shift());
    }

    static is(value: unknown): value is MessagePort {
      return value !== null && typeof value === 'object' && #queue in value;
    }

    postMessage(...args: [unknown, (Transferred | Transferable[])?]): boolean | undefined {
      if ((args as unknown[]).length === 0)
        throw Object.assign(new TypeError('Not enough arguments'), { code: 'ERR_MISSING_ARGS' });
      const data = clone(args[0], args[1]);
      const peer = this.#peer;
      if (!peer || peer.#closed) return undefined;
      peer.#queue.push(data);
      peer.#schedule();
      return true;
    }

    start(): void {
      this.#receiving = true;
      this.#schedule();
    }

    drain(): void {
      MessagePort.drain(this);
    }

    #schedule(): void {
      if (this.#scheduled || !this.#receiving || this.#queue.length === 0) return;
      this.#scheduled = true;
      loop.enqueue(() => {
        this.#scheduled = false;
        if (!this.#receiving || this.#closed || this.#queue.length === 0) return;
        // The rest first: a listener that throws must not hold it up.
        const data = this.#queue.shift();
        this.#schedule();
        this.#emit(data);
      });
    }

    #emit(data: unknown): void {
      perContext.emitMessage.call(this, data, [], 'message');
    }

    close(): void {
      const ends = [this, this.#peer];
      for (const end of ends) {
        if (!end || end.#closed) continue;
        const finish = (): void => {
          // What was sent before the close still arrives.
          if (end !== this && end.#receiving) MessagePort.drain(end);
          end.#closed = true;
          end.unref();
          (end as any)[symbols.handle_onclose]?.();
        };
        loop.enqueue(finish);
      }
    }

    ref(): void {
      if (this.#closed || this.#referenced) return;
      this.#referenced = true;
      loop.addHandle(this);
    }

    unref(): void {
      this.#referenced = false;
      loop.removeHandle(this);
    }

    hasRef(): boolean {
      return this.#referenced;
    }
  }

  class MessageChannel {
    readonly port1 = new MessagePort(construct);
    readonly port2 = new MessagePort(construct);

    constructor() {
      MessagePort.connect(this.port1, this.port2);
    }
  }

  return Object.assign(environment.dumped('messaging'), {
    MessagePort,
    MessageChannel,
    structuredClone: clone,
    receiveMessageOnPort(port: unknown) {
      if (!MessagePort.is(port)) return undefined;
      return MessagePort.take(port);
    },
    stopMessagePort: (port: unknown) => MessagePort.is(port) && MessagePort.stop(port),
    drainMessagePort: (port: unknown) => MessagePort.is(port) && MessagePort.drain(port),
    checkMessagePort: (port: unknown) => MessagePort.is(port),
    setDeserializerCreateObjectFunction() {},
    exposeLazyDOMExceptionProperty(target: object) {
      Object.defineProperty(target, 'DOMException', {
        configurable: true,
        writable: true,
        enumerable: false,
        value: perContext.DOMException,
      });
    },
    DOMException: perContext.DOMException,
  });
};
