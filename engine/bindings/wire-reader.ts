// Reads V8's wire format, versions 13 to 15.
import { oneByteText, utf8Text, utf16Text } from './text-codec';
import { ERROR_CLASSES, ERROR_TAG, REGEXP_FLAGS, TAG, VIEW_FLAG, VIEW_TAGS, WIRE_VERSION } from './wire-format';

export interface WireReaderHost {
  readHostObject(): object;
  /** Shared memory by id; undefined when there is none. */
  sharedBuffer(id: number): SharedArrayBuffer | undefined;
}

export const CLONE_MESSAGE = 'Unable to deserialize cloned data.';
const fail = (): Error => new Error(CLONE_MESSAGE);

const VIEW_CLASSES = new Map<number, string>(Object.entries(VIEW_TAGS).map(([name, tag]) => [tag, name]));
const ERROR_NAMES = new Map<number, string>(Object.entries(ERROR_CLASSES).map(([name, tag]) => [tag, name]));
const errorTypes: Record<string, ErrorConstructor> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
} as unknown as Record<string, ErrorConstructor>;
const realm = globalThis as any;
const defineProperty = Object.defineProperty;

export class WireReader {
  version = 0;
  private readonly host: WireReaderHost;
  private readonly source: Uint8Array;
  private readonly view: DataView;
  private at = 0;
  private nextId = 0;
  private readonly objects: unknown[] = [];
  private readonly transferred = new Map<number, object>();

  constructor(source: Uint8Array, host: WireReaderHost) {
    this.source = source;
    this.view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    this.host = host;
  }

  /** False for data that is not of a version we know. */
  readHeader(): boolean {
    if (this.source[this.at] !== TAG.version) return false;
    this.at++;
    this.version = this.varint();
    return this.version <= WIRE_VERSION;
  }

  transferArrayBuffer(id: number, buffer: object): void {
    this.transferred.set(id, buffer);
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.at >= this.source.length) throw fail();
      const byte = this.source[this.at++];
      if (shift < 32) value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value % 0x1_0000_0000;
    }
  }

  bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (this.at >= this.source.length) throw fail();
      const byte = this.source[this.at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value & 0xffffffffffffffffn;
    }
  }

  double(): number {
    return this.view.getFloat64(this.skip(8), true);
  }

  /** Passes over `count` bytes and returns where they begin. */
  skip(count: number): number {
    const start = this.at;
    if (!(count >= 0) || start + count > this.source.length) throw fail();
    this.at += count;
    return start;
  }

  private tag(): number {
    let tag = TAG.padding as number;
    while (tag === TAG.padding) {
      if (this.at >= this.source.length) throw fail();
      tag = this.source[this.at++];
    }
    return tag;
  }

  private peek(): number {
    while (this.source[this.at] === TAG.padding) this.at++;
    return this.at < this.source.length ? this.source[this.at] : -1;
  }

  private take(tag: number): boolean {
    if (this.peek() !== tag) return false;
    this.at++;
    return true;
  }

  private add<T>(object: T): T {
    this.objects[this.nextId++] = object;
    return object;
  }

  readValue(): unknown {
    const value = this.value();
    // Views follow the buffer that they are of.
    return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer ? this.perhapsView(value) : value;
  }

  private perhapsView(buffer: ArrayBufferLike): unknown {
    if (!this.take(TAG.view)) return buffer;
    const name = VIEW_CLASSES.get(this.source[this.skip(1)]);
    const View = name === undefined ? undefined : realm[name];
    if (!View) throw fail();
    const offset = this.varint();
    const size = this.varint();
    const flags = this.version >= 14 || this.version === 0 ? this.varint() : 0;
    const width = View.BYTES_PER_ELEMENT ?? 1;
    if (offset % width !== 0 || size % width !== 0 || offset + size > buffer.byteLength) throw fail();
    return this.add(
      flags & VIEW_FLAG.lengthTracking ? new View(buffer, offset) : new View(buffer, offset, size / width),
    );
  }

  private value(): unknown {
    const tag = this.tag();
    switch (tag) {
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.int32: {
        const zigzag = this.varint();
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
      case TAG.uint32:
        return this.varint();
      case TAG.double:
        return this.double();
      case TAG.bigInt:
        return this.bigInt();
      case TAG.utf8String:
      case TAG.oneByteString:
      case TAG.twoByteString:
        return this.stringOf(tag);
      case TAG.reference: {
        const id = this.varint();
        if (!(id in this.objects)) throw fail();
        return this.objects[id];
      }
      case TAG.object:
        return this.properties(this.add({}), TAG.endObject);
      case TAG.sparseArray: {
        const length = this.varint();
        const array: unknown[] = [];
        array.length = length;
        this.properties(this.add(array), TAG.endSparseArray);
        this.varint();
        return array;
      }
      case TAG.denseArray:
        return this.denseArray();
      case TAG.date:
        return this.add(new Date(this.double()));
      case TAG.trueObject:
        return this.add(Object(true));
      case TAG.falseObject:
        return this.add(Object(false));
      case TAG.numberObject:
        return this.add(Object(this.double()));
      case TAG.bigIntObject:
        return this.add(Object(this.bigInt()));
      case TAG.stringObject:
        return this.add(Object(this.stringOf(this.tag())));
      case TAG.regExp: {
        const source = this.stringOf(this.tag());
        const bits = this.varint();
        const flags = [...REGEXP_FLAGS].filter((flag, index) => bits & (1 << index) && flag !== 'l').join('');
        return this.add(new RegExp(source, flags));
      }
      case TAG.map:
        return this.map();
      case TAG.set:
        return this.set();
      case TAG.arrayBuffer:
      case TAG.resizableArrayBuffer:
        return this.arrayBuffer(tag === TAG.resizableArrayBuffer);
      case TAG.transferredArrayBuffer: {
        const buffer = this.transferred.get(this.varint());
        if (!buffer) throw fail();
        return this.add(buffer);
      }
      case TAG.sharedArrayBuffer: {
        const buffer = this.host.sharedBuffer(this.varint());
        if (!buffer) throw fail();
        return this.add(buffer);
      }
      case TAG.error:
        return this.error();
      case TAG.hostObject: {
        const id = this.nextId++;
        const object = this.host.readHostObject();
        this.objects[id] = object;
        return object;
      }
      default:
        throw fail();
    }
  }

  private stringOf(tag: number): string {
    const size = this.varint();
    const start = this.skip(size);
    switch (tag) {
      case TAG.oneByteString:
        return oneByteText(this.source, start, start + size, 0xff);
      case TAG.twoByteString:
        return utf16Text(this.source, start, start + size);
      case TAG.utf8String:
        return utf8Text(this.source, start, start + size);
      default:
        throw fail();
    }
  }

  private bigInt(): bigint {
    const bits = this.varint();
    const size = bits >>> 1;
    const start = this.skip(size);
    let value = 0n;
    for (let index = size - 1; index >= 0; index--) value = (value << 8n) | BigInt(this.source[start + index]);
    return bits & 1 ? -value : value;
  }

  /** Reads keys and values into `target` until `end`, then checks their number. */
  private properties<T extends object>(target: T, end: number): T {
    let count = 0;
    for (; !this.take(end); count++) {
      const key = this.readValue();
      if (typeof key !== 'string' && typeof key !== 'number') throw fail();
      const value = this.readValue();
      defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    }
    if (this.varint() !== count) throw fail();
    return target;
  }

  private denseArray(): unknown[] {
    const length = this.varint();
    if (length > this.source.length - this.at) throw fail();
    const array: unknown[] = this.add(new Array(length));
    for (let index = 0; index < length; index++) if (!this.take(TAG.hole)) array[index] = this.readValue();
    this.properties(array, TAG.endDenseArray);
    this.varint();
    return array;
  }

  private map(): Map<unknown, unknown> {
    const map = this.add(new Map());
    let count = 0;
    for (; !this.take(TAG.endMap); count += 2) {
      const key = this.readValue();
      map.set(key, this.readValue());
    }
    if (this.varint() !== count) throw fail();
    return map;
  }

  private set(): Set<unknown> {
    const set = this.add(new Set());
    let count = 0;
    for (; !this.take(TAG.endSet); count++) set.add(this.readValue());
    if (this.varint() !== count) throw fail();
    return set;
  }

  private arrayBuffer(resizable: boolean): ArrayBuffer {
    const size = this.varint();
    const maximum = resizable ? this.varint() : size;
    const start = this.skip(size);
    const buffer = resizable ? new (ArrayBuffer as any)(size, { maxByteLength: maximum }) : new ArrayBuffer(size);
    new Uint8Array(buffer).set(this.source.subarray(start, start + size));
    return this.add(buffer);
  }

  private error(): Error {
    const id = this.nextId++;
    let name = 'Error';
    const found: { message?: string; stack?: string; cause?: unknown } = {};
    const error = new Error();
    this.objects[id] = error;
    for (let tag = this.tag(); tag !== ERROR_TAG.end; tag = this.tag()) {
      if (tag === ERROR_TAG.message) found.message = this.stringOf(this.tag());
      else if (tag === ERROR_TAG.stack) found.stack = this.stringOf(this.tag());
      else if (tag === ERROR_TAG.cause) found.cause = this.readValue();
      else if (ERROR_NAMES.has(tag)) name = ERROR_NAMES.get(tag) as string;
      else throw fail();
    }
    if (name !== 'Error') Object.setPrototypeOf(error, errorTypes[name].prototype);
    const hidden = { writable: true, enumerable: false, configurable: true };
    if (found.message !== undefined) defineProperty(error, 'message', { ...hidden, value: found.message });
    if ('cause' in found) defineProperty(error, 'cause', { ...hidden, value: found.cause });
    defineProperty(error, 'stack', { ...hidden, value: found.stack });
    return error;
  }
}
