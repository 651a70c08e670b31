// The host's half of Comlink 4.3's wire, as far as the WebContainer client speaks it: https://github.com/GoogleChromeLabs/comlink (src/protocol.ts).
// Only what a target owns can be reached, so a message cannot walk to a prototype.

/** Message types of the wire. */
const GET = 0;
const APPLY = 2;
const RELEASE = 5;

/** Value kinds of the wire. */
const RAW = 0;
const TRANSFERRED = 3;

type WireValue = { type: typeof RAW; value: unknown } | { type: typeof TRANSFERRED; name: string; value: unknown };

interface WireRequest {
  id: string;
  type: number;
  path?: string[];
  argumentList?: WireValue[];
}

/** What can be called or read from the other side. */
export type Target = ((...args: never[]) => unknown) | object;

/** A result that goes over as a reference, not as a copy. */
export class Reference {
  readonly target: Target;
  /** Called when the other side has let go. */
  readonly released: (() => void) | undefined;

  constructor(target: Target, released?: () => void) {
    this.target = target;
    this.released = released;
  }
}

/** A function of the other side, as it comes in arguments. */
export interface RemoteFunction {
  /** Resolves when the other side has run it. */
  call(...args: unknown[]): Promise<void>;
  release(): void;
}

/** Answers calls on `target` that come over `port`. Errors keep their `code`, which Comlink itself drops. */
export function expose({ target, released }: Reference, port: MessagePort): void {
  port.onmessage = async ({ data }: MessageEvent<WireRequest>) => {
    if (typeof data?.id !== 'string') return;
    let answer: [WireValue, Transferable[]];
    try {
      answer = toWire(await perform(target, data));
    } catch (error) {
      answer = [{ type: TRANSFERRED, name: 'throw', value: thrown(error) }, []];
    }
    port.postMessage({ ...answer[0], id: data.id }, answer[1]);
    if (data.type !== RELEASE) return;
    port.close();
    released?.();
  };
}

function perform(target: Target, { type, path = [], argumentList = [] }: WireRequest): unknown {
  let value: unknown = target;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`Cloche's WebContainer host has no "${path.join('.')}".`);
    value = (value as Record<string, unknown>)[name];
  }
  switch (type) {
    case GET:
      return value;
    case APPLY:
      if (typeof value !== 'function') throw new Error(`"${path.join('.')}" is not a function.`);
      return value(...argumentList.map(fromWire));
    case RELEASE:
      return undefined;
    default:
      throw new Error(`Cloche's WebContainer host does not answer Comlink messages of type ${type}.`);
  }
}

function toWire(value: unknown): [WireValue, Transferable[]] {
  if (value instanceof Reference) {
    const { port1, port2 } = new MessageChannel();
    expose(value, port1);
    return [{ type: TRANSFERRED, name: 'proxy', value: port2 }, [port2]];
  }
  return [{ type: RAW, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []];
}

function fromWire(wire: WireValue): unknown {
  if (wire.type === RAW) return wire.value;
  if (wire.name === 'proxy') return remote(wire.value as MessagePort);
  throw new Error(`An argument of the kind "${wire.name}" is not understood.`);
}

function remote(port: MessagePort): RemoteFunction {
  const pending = new Map<string, () => void>();
  let next = 1;
  port.onmessage = ({ data }: MessageEvent<{ id?: string }>) => {
    if (data.id === undefined) return;
    pending.get(data.id)?.();
    pending.delete(data.id);
  };
  const request = (message: object, transfer: Transferable[] = []): Promise<void> =>
    new Promise((resolve) => {
      const id = String(next++);
      pending.set(id, resolve);
      port.postMessage({ id, ...message }, transfer);
    });
  return {
    call(...args) {
      const transfer = args.filter((arg) => arg instanceof Uint8Array).map((arg) => arg.buffer as ArrayBuffer);
      const argumentList = args.map((value) => ({ type: RAW, value }));
      return request({ type: APPLY, path: [], argumentList }, transfer);
    },
    release: () => void request({ type: RELEASE, path: [] }).then(() => port.close()),
  };
}

function thrown(error: unknown): { isError: boolean; value: unknown } {
  if (!(error instanceof Error)) return { isError: false, value: error };
  const { name, message, stack } = error;
  const { code, path } = error as NodeJS.ErrnoException;
  return { isError: true, value: { name, message, stack, ...(code && { code }), ...(path && { path }) } };
}
