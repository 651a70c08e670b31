// Writes values in V8's wire format. Arrays are written densely when they have no holes: V8 asks its hidden elements kind instead, so an
// array that once had holes differs in bytes, not in meaning.
import { writtenText } from '../modules/function-text';
import { detailsOf } from '../process/proxy-registry';
import { viewBytes } from './strings';
import { typedArrayName, typeTests } from './types';
import { ERROR_CLASSES, ERROR_TAG, REGEXP_FLAGS, TAG, VIEW_FLAG, VIEW_TAGS, WIRE_VERSION } from './wire-format';

export interface WireWriterHost {
  /** The error for what cannot be cloned. */
  cloneError(message: string): Error;
  writeHostObject(object: object): void;
  /** Id of shared memory; throws when it cannot be sent. */
  sharedBufferId(buffer: SharedArrayBuffer): number;
  /** True for objects that `writeHostObject` writes. */
  isHostObject?(object: object): boolean;
}

const encodeFloat = new DataView(new ArrayBuffer(8));
const LATIN1 = /^[\0-\xff]*$/;
const apply = Reflect.apply;
const ownKeys = Object.keys;
const hasOwn = Object.prototype.hasOwnProperty;
const isArray = Array.isArray;
const objectPrototype = Object.prototype;
const objectToString = Object.prototype.toString;
const functionToString = Function.prototype.toString;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const primitiveOf = {
  number: Number.prototype.valueOf,
  string: String.prototype.valueOf,
  boolean: Boolean.prototype.valueOf,
  bigint: BigInt.prototype.valueOf,
};
const dateTime = Date.prototype.getTime;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

/** Classes whose objects have internal state that no wire format carries. */
const UNCLONEABLE = [
  WeakRef,
  FinalizationRegistry,
  ...['DisposableStack', 'AsyncDisposableStack'].map((name) => (globalThis as Record<string, any>)[name]),
  ...['Instance', 'Table', 'Global', 'Tag', 'Exception'].map((name) => (globalThis.WebAssembly as any)?.[name]),
  ...Object.values(Object.getOwnPropertyDescriptors(Intl)).map((entry) => entry.value),
]
  .filter((value) => typeof value === 'function' && value.prototype)
  .map((value) => value.prototype as object)
  .concat(
    [[].values(), ''[Symbol.iterator](), ''.matchAll(/x/g)].map(
      (iterator) => Object.getPrototypeOf(iterator) as object,
    ),
  );

/** V8's NoSideEffectsToString for a value in a clone error. */
export function describeForClone(value: unknown): string {
  if (typeof value === 'symbol') return value.toString();
  if (typeof value === 'function')
    return detailsOf(value)
      ? 'function () { [native code] }'
      : shortened(writtenText(apply(functionToString, value, [])));
  if (typeTests.isSymbolObject(value)) return '[object Symbol]';
  if (detailsOf(value) || value === globalThis) return '#<Object>';
  const tag = apply(objectToString, value, []);
  for (let at = value as object | null; at !== null; at = Object.getPrototypeOf(at)) {
    const Class = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof Class !== 'function' || !Class.name) continue;
    // Iterators and generators have no class of their own.
    return Class === Object && / (Generator|.* Iterator)\]$/.test(tag) ? tag : `#<${Class.name}>`;
  }
  return tag;
}

/** A function's text in a message, as V8 shortens it. */
function shortened(text: string): string {
  return text.length > 128 ? `${text.slice(0, 111)}...<omitted>...${text.slice(-2)}` : text;
}

export class WireWriter {
  viewsAreHostObjects = false;
  private readonly host: WireWriterHost;
  private buffer = new Uint8Array(64);
  private length = 0;
  private readonly ids = new Map<object, number>();
  private nextId = 0;
  private readonly transferred = new Map<object, number>();

  constructor(host: WireWriterHost) {
    this.host = host;
  }

  private reserve(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.buffer.length) {
      const larger = new Uint8Array(Math.max(this.length, this.buffer.length * 2));
      larger.set(this.buffer);
      this.buffer = larger;
    }
    return at;
  }

  private byte(value: number): void {
    const at = this.reserve(1);
    this.buffer[at] = value;
  }

  varint(value: number): void {
    while (value >= 128) {
      this.byte((value % 128) | 128);
      value = Math.floor(value / 128);
    }
    this.byte(value);
  }

  bigVarint(value: bigint): void {
    while (value >= 128n) {
      this.byte(Number(value & 127n) | 128);
      value >>= 7n;
    }
    this.byte(Number(value));
  }

  double(value: number): void {
    encodeFloat.setFloat64(0, value, true);
    const at = this.reserve(8);
    for (let index = 0; index < 8; index++) this.buffer[at + index] = encodeFloat.getUint8(index);
  }

  bytes(source: Uint8Array): void {
    const at = this.reserve(source.length);
    this.buffer.set(source, at);
  }

  writeHeader(): void {
    this.byte(TAG.version);
    this.byte(WIRE_VERSION);
  }

  /** What was written; the writer is empty afterwards. */
  release(): Uint8Array<ArrayBuffer> {
    const bytes = this.buffer.slice(0, this.length);
    this.buffer = new Uint8Array(64);
    this.length = 0;
    return bytes;
  }

  transferArrayBuffer(id: number, buffer: object): void {
    this.transferred.set(buffer, id);
  }

  writeValue(value: unknown): void {
    switch (typeof value) {
      case 'undefined':
        this.byte(TAG.undefined);
        break;
      case 'boolean':
        this.byte(value ? TAG.true : TAG.false);
        break;
      case 'number':
        this.number(value);
        break;
      case 'bigint':
        this.byte(TAG.bigInt);
        this.bigInt(value);
        break;
      case 'string':
        this.string(value);
        break;
      case 'object':
        if (value === null) this.byte(TAG.null);
        else this.object(value);
        break;
      default:
        throw this.uncloneable(value);
    }
  }

  private uncloneable(value: unknown): Error {
    return this.host.cloneError(`${describeForClone(value)} could not be cloned.`);
  }

  private number(value: number): void {
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.byte(TAG.int32);
      // Zig-zag: small negative numbers stay short.
      this.varint(((value << 1) ^ (value >> 31)) >>> 0);
      return;
    }
    this.byte(TAG.double);
    this.double(value);
  }

  private bigInt(value: bigint): void {
    let rest = value < 0n ? -value : value;
    const words: bigint[] = [];
    for (; rest > 0n; rest >>= 64n) words.push(rest & 0xffffffffffffffffn);
    this.varint((words.length * 8 * 2) | (value < 0n ? 1 : 0));
    for (const word of words) {
      encodeFloat.setBigUint64(0, word, true);
      for (let index = 0; index < 8; index++) this.byte(encodeFloat.getUint8(index));
    }
  }

  private string(text: string): void {
    if (LATIN1.test(text)) {
      this.byte(TAG.oneByteString);
      this.varint(text.length);
      const at = this.reserve(text.length);
      for (let index = 0; index < text.length; index++) this.buffer[at + index] = text.charCodeAt(index);
      return;
    }
    const size = text.length * 2;
    let width = 1;
    for (let rest = size; rest >= 128; rest = Math.floor(rest / 128)) width++;
    // The units are aligned to two bytes.
    if ((this.length + 1 + width) % 2 === 1) this.byte(TAG.padding);
    this.byte(TAG.twoByteString);
    this.varint(size);
    const at = this.reserve(size);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      this.buffer[at + index * 2] = unit & 255;
      this.buffer[at + index * 2 + 1] = unit >> 8;
    }
  }

  private object(value: object): void {
    const isView = ArrayBuffer.isView(value);
    // A view's buffer comes before the view itself and gets its id first.
    if (isView && !this.viewsAreHostObjects && !this.ids.has(value)) this.receiver(value.buffer);
    this.receiver(value);
  }

  private receiver(value: object): void {
    const known = this.ids.get(value);
    if (known !== undefined) {
      this.byte(TAG.reference);
      this.varint(known);
      return;
    }
    this.ids.set(value, this.nextId++);
    if (ArrayBuffer.isView(value)) {
      if (this.viewsAreHostObjects) this.hostObject(value);
      else this.view(value);
    } else if (detailsOf(value)) throw this.uncloneable(value);
    else if (this.host.isHostObject?.(value)) this.hostObject(value);
    else if (isArray(value)) this.array(value);
    else if (isPlain(value)) this.properties(value);
    else if (typeTests.isDate(value)) {
      this.byte(TAG.date);
      this.double(apply(dateTime, value, []));
    } else if (typeTests.isMap(value)) this.map(value as Map<unknown, unknown>);
    else if (typeTests.isSet(value)) this.set(value as Set<unknown>);
    else if (typeTests.isRegExp(value)) this.regExp(value as RegExp);
    else if (typeTests.isArrayBuffer(value)) this.arrayBuffer(value as ArrayBuffer);
    else if (typeTests.isSharedArrayBuffer(value)) {
      const id = this.host.sharedBufferId(value as SharedArrayBuffer);
      this.byte(TAG.sharedArrayBuffer);
      this.varint(id);
    } else if (typeTests.isNativeError(value)) this.error(value as Error);
    else if (typeTests.isBoxedPrimitive(value)) this.boxed(value);
    else if (isUncloneable(value)) throw this.uncloneable(value);
    else this.properties(value);
  }

  private hostObject(value: object): void {
    this.byte(TAG.hostObject);
    this.host.writeHostObject(value);
  }

  /** Writes own enumerable string properties as key and value; returns how many. */
  private ownProperties(value: object, keys: string[]): number {
    let count = 0;
    for (const key of keys) {
      // A getter may have removed it meanwhile.
      if (count > 0 && !apply(isEnumerable, value, [key])) continue;
      const index = Number(key) >>> 0;
      if (String(index) === key && index !== 0xffffffff) this.number(index);
      else this.string(key);
      this.writeValue((value as Record<string, unknown>)[key]);
      count++;
    }
    return count;
  }

  private properties(value: object): void {
    this.byte(TAG.object);
    const count = this.ownProperties(value, ownKeys(value));
    this.byte(TAG.endObject);
    this.varint(count);
  }

  private array(value: unknown[]): void {
    const length = value.length;
    const keys = ownKeys(value);
    const dense = keys.length >= length && (length === 0 || keys[length - 1] === String(length - 1));
    if (!dense) {
      this.byte(TAG.sparseArray);
      this.varint(length);
      const count = this.ownProperties(value, keys);
      this.byte(TAG.endSparseArray);
      this.varint(count);
      this.varint(length);
      return;
    }
    this.byte(TAG.denseArray);
    this.varint(length);
    for (let index = 0; index < length; index++) {
      if (index in value || apply(hasOwn, value, [index])) this.writeValue(value[index]);
      else this.byte(TAG.hole);
    }
    const count = this.ownProperties(value, keys.slice(length));
    this.byte(TAG.endDenseArray);
    this.varint(count);
    this.varint(length);
  }

  private map(value: Map<unknown, unknown>): void {
    const entries: unknown[] = [];
    apply(mapForEach, value, [(item: unknown, key: unknown) => void entries.push(key, item)]);
    this.byte(TAG.map);
    for (const entry of entries) this.writeValue(entry);
    this.byte(TAG.endMap);
    this.varint(entries.length);
  }

  private set(value: Set<unknown>): void {
    const entries: unknown[] = [];
    apply(setForEach, value, [(item: unknown) => void entries.push(item)]);
    this.byte(TAG.set);
    for (const entry of entries) this.writeValue(entry);
    this.byte(TAG.endSet);
    this.varint(entries.length);
  }

  private regExp(value: RegExp): void {
    let flags = 0;
    for (const flag of value.flags) flags |= 1 << REGEXP_FLAGS.indexOf(flag);
    this.byte(TAG.regExp);
    this.string(value.source);
    this.varint(flags);
  }

  private arrayBuffer(value: ArrayBuffer): void {
    const id = this.transferred.get(value);
    if (id !== undefined) {
      this.byte(TAG.transferredArrayBuffer);
      this.varint(id);
      return;
    }
    if ((value as { detached?: boolean }).detached)
      throw this.host.cloneError('An ArrayBuffer is detached and could not be cloned.');
    const { resizable, maxByteLength } = value as ArrayBuffer & { resizable?: boolean; maxByteLength: number };
    this.byte(resizable ? TAG.resizableArrayBuffer : TAG.arrayBuffer);
    this.varint(value.byteLength);
    if (resizable) this.varint(maxByteLength);
    this.bytes(new Uint8Array(value));
  }

  private view(value: ArrayBufferView): void {
    const buffer = value.buffer as ArrayBuffer & { resizable?: boolean; growable?: boolean };
    const resizable = Boolean(buffer.resizable ?? buffer.growable);
    const tracking = resizable && isLengthTracking(value);
    this.byte(TAG.view);
    this.byte(VIEW_TAGS[typedArrayName(value) ?? 'DataView']);
    this.varint(value.byteOffset);
    this.varint(tracking ? 0 : value.byteLength);
    this.varint((resizable ? VIEW_FLAG.resizable : 0) | (tracking ? VIEW_FLAG.lengthTracking : 0));
  }

  private error(value: Error): void {
    const own = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name);
    this.byte(TAG.error);
    const tag = ERROR_CLASSES[String(value.name)];
    if (tag !== undefined) this.byte(tag);
    if (own('message')) {
      this.byte(ERROR_TAG.message);
      this.string(String(value.message));
    }
    const { stack } = value;
    if (typeof stack === 'string') {
      this.byte(ERROR_TAG.stack);
      this.string(stack);
    }
    if (own('cause')) {
      this.byte(ERROR_TAG.cause);
      this.writeValue(value.cause);
    }
    this.byte(ERROR_TAG.end);
  }

  private boxed(value: object): void {
    if (typeTests.isBooleanObject(value)) {
      this.byte(apply(primitiveOf.boolean, value, []) ? TAG.trueObject : TAG.falseObject);
    } else if (typeTests.isNumberObject(value)) {
      this.byte(TAG.numberObject);
      this.double(apply(primitiveOf.number, value, []));
    } else if (typeTests.isBigIntObject(value)) {
      this.byte(TAG.bigIntObject);
      this.bigInt(apply(primitiveOf.bigint, value, []));
    } else if (typeTests.isStringObject(value)) {
      this.byte(TAG.stringObject);
      this.string(apply(primitiveOf.string, value, []));
    } else throw this.uncloneable(value);
  }
}

/** An ordinary object that no class test has to be tried on. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === objectPrototype && apply(objectToString, value, []) === '[object Object]';
}

const UNCLONEABLE_KINDS = [
  'isPromise',
  'isWeakMap',
  'isWeakSet',
  'isArgumentsObject',
  'isGeneratorObject',
  'isMapIterator',
  'isSetIterator',
  'isModuleNamespaceObject',
] as const;

function isUncloneable(value: object): boolean {
  if (UNCLONEABLE_KINDS.some((kind) => typeTests[kind](value)) || value === globalThis) return true;
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at))
    if (UNCLONEABLE.includes(at)) return true;
  return false;
}

/** A view of a resizable buffer follows its length when the view ends where the buffer ends; V8 keeps a bit that cannot be read. */
function isLengthTracking(view: ArrayBufferView): boolean {
  const bytes = viewBytes(view);
  return bytes.byteOffset + bytes.byteLength === view.buffer.byteLength;
}
