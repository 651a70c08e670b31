// Values as messages, by Node's rules: V8's wire format for what JavaScript owns, Node's own protocol (kClone, kTransfer, kDeserialize) for
// objects marked with a transfer mode, references for what is shared or immutable.
import type { ProcessEnvironment } from '../process/environment';
import { blobHandleBytes, blobHandleFrom, isBlobHandle } from './blob';
import { isNative, REVIVES, TRAVELS, type Travelling, travellers } from './native-objects';
import { nodeError } from './node-error';
import { typeTests } from './types';
import { WireReader } from './wire-reader';
import { WireWriter } from './wire-writer';

/** A value on its way. `buffers` and the ports among `hosts` have left their sender. */
export interface Message {
  bytes: Uint8Array<ArrayBuffer>;
  buffers: ArrayBuffer[];
  shared: SharedArrayBuffer[];
  hosts: HostPart[];
}

/** An object that the bytes only mention by number. */
export type HostPart =
  | { kind: 'script'; info: string; data: Message }
  | { kind: 'native'; binding: string; data: Message }
  | { kind: 'blob'; parts: Uint8Array[] }
  | { kind: 'wasm'; value: WebAssembly.Module | WebAssembly.Memory }
  | { kind: 'port'; port: unknown };

/** What the messaging binding knows of its ports. */
export interface PortSide {
  isPort(value: unknown): boolean;
  /** Takes a port away from its object; what it returns travels in the message. */
  detach(port: object): unknown;
  attach(port: unknown): object;
}

interface ScriptClone {
  data: unknown;
  deserializeInfo: string;
}

const KIND = { transferable: 1, cloneable: 2 } as const;
const NEEDS_TRANSFER = 'Object that needs transfer was found in message but not listed in transferList';
const UNCLONEABLE_TYPE = 'Cannot clone object of unsupported type.';
const UNTRANSFERABLE_TYPE = 'Cannot transfer object of unsupported type.';
const wasmModule = globalThis.WebAssembly?.Module;
const wasmMemory = globalThis.WebAssembly?.Memory;

export interface MessageCloner {
  /** Throws a DataCloneError; nothing has been transferred then. `source` is the port that posts. */
  serialize(value: unknown, transferList: unknown[], source?: object): Message;
  deserialize(message: Message): { value: unknown; ports: object[] };
  setCreateObject(create: (info: string) => any): void;
}

export function messageCloner(environment: ProcessEnvironment, ports: PortSide): MessageCloner {
  const { privateSymbols, symbols, perContext, browser } = environment;
  const mode = privateSymbols.transfer_mode_private_symbol;
  let createObject: (info: string) => any = (info) => {
    throw new Error(`Unknown deserialize spec ${info}`);
  };
  const cloneError = (message: string): Error => new perContext.DOMException(message, 'DataCloneError');
  const modeOf = (object: object): number | undefined => (object as any)[mode];
  const isWasm = (object: object): boolean =>
    (wasmModule !== undefined && object instanceof wasmModule) ||
    (wasmMemory !== undefined && object instanceof wasmMemory);
  const isHost = (object: object): boolean =>
    modeOf(object) !== undefined ||
    isNative(object) ||
    ports.isPort(object) ||
    isBlobHandle(object) ||
    isWasm(object) ||
    travellers.has(object);

  /** The list, checked, in order. What its objects bring along goes to `nested`: asking them twice would make new ports. */
  const checkedList = (list: unknown[], source: object | undefined, nested: Map<object, unknown[]>): object[] => {
    const out = new Set<object>();
    for (const item of list) {
      if (typeof item !== 'object' || item === null) {
        throw nodeError(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
      }
      const isBuffer = typeTests.isArrayBuffer(item);
      const isPort = ports.isPort(item);
      if (out.has(item)) {
        const name = isBuffer ? 'ArrayBuffer' : isPort ? 'MessagePort' : (item.constructor?.name ?? 'Object');
        throw cloneError(`Transfer list contains duplicate ${name}`);
      }
      if (item === source) throw cloneError('Transfer list contains source port');
      const refused = (item as any)[privateSymbols.untransferable_object_private_symbol] !== undefined;
      if (refused || (isBuffer && (item as { detached?: boolean }).detached)) throw cloneError(UNTRANSFERABLE_TYPE);
      if (!isBuffer && !isPort) {
        if (!((modeOf(item) ?? 0) & KIND.transferable)) {
          if (modeOf(item) !== undefined) throw cloneError(UNTRANSFERABLE_TYPE);
          throw nodeError(TypeError, 'ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
        }
      }
      out.add(item);
      const brings = (item as any)[symbols.messaging_transfer_list_symbol]?.();
      if (brings) nested.set(item, brings);
    }
    return [...out];
  };

  const serialize = (value: unknown, transferList: unknown[], source?: object): Message => {
    const nested = new Map<object, unknown[]>();
    const listed = checkedList(transferList, source, nested);
    const buffers = listed.filter((item) => typeTests.isArrayBuffer(item)) as ArrayBuffer[];
    const hosts = new Map<object, number>();
    const shared: SharedArrayBuffer[] = [];
    const numberOf = <T>(list: T[], item: T): number => {
      const index = list.indexOf(item);
      return index >= 0 ? index : list.push(item) - 1;
    };
    const write = (root: unknown): Uint8Array<ArrayBuffer> => {
      const writer = new WireWriter({
        cloneError,
        isHostObject: isHost,
        sharedBufferId: (buffer) => numberOf(shared, buffer),
        writeHostObject(object) {
          if (!hosts.has(object)) hosts.set(object, hosts.size);
          checkHost(object, listed);
          writer.varint(hosts.get(object) as number);
        },
      });
      for (const [id, buffer] of buffers.entries()) writer.transferArrayBuffer(id, buffer);
      writer.writeHeader();
      writer.writeValue(root);
      return writer.release();
    };
    const bytes = write(value);
    // What is transferred counts as found even where the value does not mention it.
    for (const item of listed) if (!typeTests.isArrayBuffer(item) && !hosts.has(item)) hosts.set(item, hosts.size);
    const parts: HostPart[] = Array.from(hosts.keys(), (object) => hostPart(object, listed, nested));
    return { bytes, buffers: buffers.map((buffer) => moved(buffer)), shared, hosts: parts };
  };

  const moved = (buffer: ArrayBuffer): ArrayBuffer => browser.structuredClone(buffer, { transfer: [buffer] });

  /** Throws when a host object may not travel as it would. */
  const checkHost = (object: object, listed: object[]): void => {
    if (isBlobHandle(object)) return;
    if (isWasm(object)) {
      if (wasmMemory && object instanceof wasmMemory && !typeTests.isSharedArrayBuffer(object.buffer)) {
        throw cloneError('#<Memory> could not be cloned.');
      }
      return;
    }
    const isListed = listed.includes(object);
    if (ports.isPort(object)) {
      if (!isListed) throw cloneError(NEEDS_TRANSFER);
      return;
    }
    if (travellers.has(object)) return;
    if (isNative(object) && modeOf(object) === undefined) {
      if ((object as any)[TRAVELS]) return;
      throw cloneError(isListed ? UNTRANSFERABLE_TYPE : UNCLONEABLE_TYPE);
    }
    const flags = modeOf(object) ?? 0;
    if (isListed || flags & KIND.cloneable) return;
    throw cloneError(flags & KIND.transferable ? NEEDS_TRANSFER : UNCLONEABLE_TYPE);
  };

  const hostPart = (object: any, listed: object[], nested: Map<object, unknown[]>): HostPart => {
    if (isBlobHandle(object)) return { kind: 'blob', parts: blobHandleBytes(object) };
    if (isWasm(object)) return { kind: 'wasm', value: object };
    if (ports.isPort(object)) return { kind: 'port', port: ports.detach(object) };
    const hidden = travellers.get(object);
    if (hidden || (isNative(object) && modeOf(object) === undefined)) {
      const { binding, data }: Travelling = hidden ? hidden() : object[TRAVELS]();
      return { kind: 'native', binding, data: serialize(data, []) };
    }
    const method = listed.includes(object) ? symbols.messaging_transfer_symbol : symbols.messaging_clone_symbol;
    const { data, deserializeInfo }: ScriptClone = object[method]();
    return { kind: 'script', info: deserializeInfo, data: serialize(data, nested.get(object) ?? []) };
  };

  const deserialize = (message: Message): { value: unknown; ports: object[] } => {
    const received: object[] = [];
    const objects = new Map<number, object>();
    const revive = (index: number): object => {
      const known = objects.get(index);
      if (known) return known;
      const part = message.hosts[index];
      if (!part) throw cloneError('Unable to deserialize cloned data.');
      const object = reviveHost(part, received);
      objects.set(index, object);
      return object;
    };
    const reader: WireReader = new WireReader(message.bytes, {
      readHostObject: () => revive(reader.varint()),
      sharedBuffer: (id) => message.shared[id],
    });
    for (const [id, buffer] of message.buffers.entries()) reader.transferArrayBuffer(id, buffer);
    // All ports arrive, also those that the value does not mention.
    for (const [index, part] of message.hosts.entries()) if (part.kind === 'port') revive(index);
    reader.readHeader();
    return { value: reader.readValue(), ports: received };
  };

  const reviveHost = (part: HostPart, received: object[]): object => {
    switch (part.kind) {
      case 'blob':
        return blobHandleFrom(part.parts);
      case 'native':
        return environment.internalBinding(part.binding)[REVIVES](deserialize(part.data).value);
      case 'wasm':
        return part.value;
      case 'port': {
        const port = ports.attach(part.port);
        received.push(port);
        return port;
      }
      case 'script': {
        const object = createObject(part.info);
        object[symbols.messaging_deserialize_symbol](deserialize(part.data).value);
        return object;
      }
    }
  };

  return { serialize, deserialize, setCreateObject: (create) => void (createObject = create) };
}
