// messaging: MessageChannel, MessagePort, BroadcastChannel and structuredClone with Node's clone protocol. Ports work within a process and, once
// sent through another one, between threads (port-core.ts).

import { currentFrame } from '../modules/context-frame';
import type { Binding, LiveHandle, ProcessEnvironment } from '../process/environment';
import { AsyncScopes } from './async-scopes';
import { BroadcastGroups } from './broadcast-groups';
import { type Message, type MessageCloner, messageCloner } from './message-clone';
import { nodeError } from './node-error';
import { type BrowserPort, PortQueue, useChannelClass } from './port-queue';

/** What worker threads need of messaging. */
export interface ThreadPorts {
  /** A MessagePort object around an end that was made outside. */
  attach(core: PortQueue): object;
}

const threadPorts = new WeakMap<object, ThreadPorts>();

/** The ports of an environment; loads the messaging binding. */
export function threadPortsOf(environment: ProcessEnvironment): ThreadPorts {
  if (!threadPorts.has(environment)) environment.internalBinding('messaging');
  return threadPorts.get(environment) as ThreadPorts;
}

/** `options` of postMessage: a list, or an object with one. */
function transferListOf(options: any): unknown[] {
  if (options === undefined || options === null) return [];
  const invalid = (name: string): Error =>
    nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', `Optional ${name} argument must be an iterable`);
  if (typeof options !== 'object') throw invalid('transferList');
  if (typeof options[Symbol.iterator] === 'function') return [...options];
  const { transfer } = options;
  if (transfer === undefined) return [];
  if (typeof transfer !== 'object' || typeof transfer?.[Symbol.iterator] !== 'function')
    throw invalid('options.transfer');
  return [...transfer];
}

export const messaging: Binding = (environment) => {
  const { loop, symbols, perContext, browser } = environment;
  const construct = Symbol('construct');
  const scopes = AsyncScopes.of(environment);
  const broadcasts = new BroadcastGroups(environment);
  useChannelClass(browser.MessageChannel as unknown as new () => { port1: BrowserPort; port2: BrowserPort });
  let cloner!: MessageCloner;

  /** libuv closes handles at the end of an iteration: what is enqueued from the next one's start comes after the immediates of this one. */
  const afterImmediates = (frame: unknown, callback: () => void): void =>
    loop.enqueueIn(frame, () => loop.enqueue(callback));

  // A base class: lib puts NodeEventTarget above it later.
  class MessagePort implements LiveHandle {
    #core: PortQueue | undefined;
    #receiving = false;
    #referenced = false;
    #scheduled = false;
    /** The async context that the port was made in, and that its callbacks run in. */
    readonly #frame = currentFrame();
    readonly #ids = scopes.begin(this, 'MESSAGEPORT');

    constructor(token?: symbol, core?: PortQueue) {
      if (token !== construct) throw nodeError(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
      const port = core as PortQueue;
      this.#core = port;
      port.onArrival = () => this.#schedule();
      port.onPartnerClose = () => afterImmediates(this.#frame, () => this.#finish(port, true));
      (this as any)[symbols.oninit]?.();
    }

    static is(value: unknown): value is MessagePort {
      return value !== null && typeof value === 'object' && #core in value;
    }

    /** Takes the core away: the object is closed afterwards, without an event. */
    static detach(port: MessagePort): PortQueue {
      const core = port.#core;
      if (!core)
        throw new perContext.DOMException('MessagePort in transfer list is already detached', 'DataCloneError');
      port.unref();
      port.#core = undefined;
      core.onArrival = undefined;
      core.onPartnerClose = undefined;
      return core;
    }

    static take(port: MessagePort): unknown {
      const message = port.#core?.takeNow();
      return message ? cloner.deserialize(message).value : symbols.no_message_symbol;
    }

    static stop(port: MessagePort): void {
      port.#receiving = false;
    }

    static drain(port: MessagePort): void {
      port.#core?.collectNow();
      while (port.#core && port.#core.queue.length > 0) port.#emitNext();
    }

    postMessage(...args: [unknown?, unknown?]): boolean | undefined {
      if (args.length === 0) {
        throw nodeError(TypeError, 'ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage');
      }
      const transferList = transferListOf(args[1]);
      // What is transferred leaves also through a closed port.
      const message = cloner.serialize(args[0], transferList, this);
      const core = this.#core;
      if (!core) return undefined;
      return core.send(message, () => cloner.serialize(args[0], transferList, this)) || undefined;
    }

    start(): void {
      this.#receiving = true;
      this.#schedule();
    }

    /** One message per turn of the loop, so that ticks and microtasks run between them. */
    #schedule(): void {
      if (this.#scheduled || !this.#receiving || !this.#core || this.#core.queue.length === 0) return;
      this.#scheduled = true;
      loop.enqueueIn(this.#frame, () => {
        this.#scheduled = false;
        if (!this.#receiving || !this.#core || this.#core.queue.length === 0) return;
        // A listener that throws must not hold up the rest.
        try {
          scopes.run(this.#ids, () => this.#emitNext());
        } finally {
          this.#schedule();
        }
      });
    }

    #emitNext(): void {
      const message = this.#core?.queue.shift() as Message;
      let received: { value: unknown; ports: object[] };
      try {
        received = cloner.deserialize(message);
      } catch (error) {
        perContext.emitMessage.call(this, error, [], 'messageerror');
        return;
      }
      perContext.emitMessage.call(this, received.value, received.ports, 'message');
    }

    /** Ends this side of a closing channel: what was sent before the close still arrives. */
    #finish(core: PortQueue, byPartner: boolean): void {
      if (this.#core !== core) return;
      if (byPartner && this.#receiving) drain(this);
      if (this.#core !== core) return;
      this.unref();
      this.#core = undefined;
      core.closed = true;
      scopes.end(this.#ids);
      (this as any)[symbols.handle_onclose]?.();
    }

    close(): void {
      const core = this.#core;
      if (!core || core.closed) return;
      afterImmediates(this.#frame, () => this.#finish(core, false));
      core.close();
    }

    ref(): void {
      if (!this.#core || this.#referenced) return;
      this.#referenced = true;
      loop.addHandle(this);
    }

    unref(): void {
      if (!this.#referenced) return;
      this.#referenced = false;
      loop.removeHandle(this);
    }

    /** Undefined once it is closed. */
    hasRef(): boolean {
      return (this.#core ? this.#referenced : undefined) as boolean;
    }
  }

  // What only this file calls, and what a port has from C++'s HandleWrap, is not on the class that programs see.
  const { is, detach, take, stop, drain } = MessagePort;
  for (const name of ['is', 'detach', 'take', 'stop', 'drain']) Reflect.deleteProperty(MessagePort, name);
  const inherited: object = {};
  for (const name of ['close', 'ref', 'unref', 'hasRef']) {
    const method = Object.getOwnPropertyDescriptor(MessagePort.prototype, name) as PropertyDescriptor;
    Object.defineProperty(inherited, name, { ...method, enumerable: true });
    Reflect.deleteProperty(MessagePort.prototype, name);
  }
  Object.setPrototypeOf(MessagePort.prototype, inherited);

  cloner = messageCloner(environment, {
    isPort: is,
    detach: (port) => detach(port as MessagePort),
    attach: (core) => new MessagePort(construct, core as PortQueue),
  });
  threadPorts.set(environment, {
    attach: (core) => new MessagePort(construct, core),
  });

  class MessageChannel {
    readonly port1: MessagePort;
    readonly port2: MessagePort;

    constructor() {
      const [left, right] = PortQueue.pair();
      this.port1 = new MessagePort(construct, left);
      this.port2 = new MessagePort(construct, right);
    }
  }

  const portArgument = (port: unknown): MessagePort => {
    if (is(port)) return port;
    throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  };

  return Object.assign(environment.dumped('messaging'), {
    MessagePort,
    MessageChannel,
    structuredClone: (value: unknown, options?: unknown) =>
      cloner.deserialize(cloner.serialize(value, transferListOf(options))).value,
    receiveMessageOnPort: (port: unknown) => take(portArgument(port)),
    stopMessagePort: (port: unknown) => is(port) && stop(port),
    drainMessagePort: (port: unknown) => is(port) && drain(port),
    checkMessagePort: (port: unknown) => is(port),
    setDeserializerCreateObjectFunction: (create: (info: string) => any) => cloner.setCreateObject(create),
    /** A port whose messages go to the other ports of that name in this process. */
    broadcastChannel(name: string) {
      const core = new PortQueue();
      broadcasts.join(name, core);
      return new MessagePort(construct, core);
    },
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
