// v8.Serializer and v8.Deserializer over our own implementation of V8's wire format, with node_serdes.cc's errors.
import type { Binding } from '../process/environment';
import { asNodeBuffer } from './buffer';
import { nodeError } from './node-error';
import { viewBytes } from './strings';
import { CLONE_MESSAGE, WireReader } from './wire-reader';
import { describeForClone, WireWriter } from './wire-writer';

interface HostWriter {
  _writeHostObject?(object: object): unknown;
  _getDataCloneError(message: string): Error;
  _getSharedArrayBufferId?(buffer: SharedArrayBuffer): number;
}

interface HostReader {
  buffer: Uint8Array;
  _readHostObject?(): object;
  _getSharedArrayBuffer?(id: number): SharedArrayBuffer;
}

export const serdes: Binding = ({ dumped }) => {
  class Serializer {
    readonly #writer: WireWriter;

    constructor() {
      const host = this as unknown as HostWriter;
      this.#writer = new WireWriter({
        cloneError: (message) => host._getDataCloneError(message),
        writeHostObject: (object) => {
          if (typeof host._writeHostObject !== 'function') {
            throw host._getDataCloneError(`${describeForClone(object)} could not be cloned.`);
          }
          host._writeHostObject(object);
        },
        sharedBufferId: (buffer) => {
          if (typeof host._getSharedArrayBufferId !== 'function')
            throw host._getDataCloneError(`${describeForClone(buffer)} could not be cloned.`);
          return host._getSharedArrayBufferId(buffer);
        },
      });
    }

    writeHeader(): void {
      this.#writer.writeHeader();
    }
    writeValue(value: unknown): boolean {
      this.#writer.writeValue(value);
      return true;
    }
    releaseBuffer(): Uint8Array {
      return asNodeBuffer(this.#writer.release());
    }
    transferArrayBuffer(id: number, buffer: ArrayBuffer): void {
      this.#writer.transferArrayBuffer(id, buffer);
    }
    writeUint32(value: number): void {
      this.#writer.varint(value >>> 0);
    }
    writeUint64(high: number, low: number): void {
      this.#writer.bigVarint((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
    }
    writeDouble(value: number): void {
      this.#writer.double(Number(value));
    }
    writeRawBytes(source: ArrayBufferView | ArrayBuffer): void {
      if (!ArrayBuffer.isView(source) && !(source instanceof ArrayBuffer)) {
        throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'source must be a TypedArray or a DataView');
      }
      this.#writer.bytes(viewBytes(source));
    }
    _setTreatArrayBufferViewsAsHostObjects(mode: unknown): void {
      this.#writer.viewsAreHostObjects = Boolean(mode);
    }
  }

  class Deserializer {
    readonly #reader: WireReader;
    buffer!: Uint8Array;

    constructor(source: ArrayBufferView) {
      if (!ArrayBuffer.isView(source)) {
        throw nodeError(TypeError, 'ERR_INVALID_ARG_TYPE', 'buffer must be a TypedArray or a DataView');
      }
      this.buffer = source as Uint8Array;
      const host = this as unknown as HostReader;
      this.#reader = new WireReader(viewBytes(source), {
        readHostObject: () => {
          if (typeof host._readHostObject !== 'function') throw new Error(CLONE_MESSAGE);
          const object = host._readHostObject();
          if (typeof object !== 'object' || object === null) {
            throw nodeError(TypeError, 'ERR_INVALID_RETURN_VALUE', 'readHostObject must return an object');
          }
          return object;
        },
        sharedBuffer: (id) => host._getSharedArrayBuffer?.(id),
      });
    }

    readHeader(): boolean {
      if (this.#reader.readHeader()) return true;
      throw new Error('Unable to deserialize cloned data due to invalid or unsupported version.');
    }
    readValue(): unknown {
      return this.#reader.readValue();
    }
    getWireFormatVersion(): number {
      return this.#reader.version;
    }
    transferArrayBuffer(id: number, buffer: ArrayBuffer): void {
      this.#reader.transferArrayBuffer(id, buffer);
    }
    readUint32(): number {
      return this.#guard('ReadUint32() failed', () => this.#reader.varint());
    }
    readUint64(): [high: number, low: number] {
      const value = this.#guard('ReadUint64() failed', () => this.#reader.bigVarint());
      return [Number(value >> 32n), Number(value & 0xffffffffn)];
    }
    readDouble(): number {
      return this.#guard('ReadDouble() failed', () => this.#reader.double());
    }
    /** Offset of the next `length` bytes in `buffer`. */
    _readRawBytes(length: number): number {
      return this.#guard('ReadRawBytes() failed', () => this.#reader.skip(Number(length)));
    }
    #guard<T>(message: string, read: () => T): T {
      try {
        return read();
      } catch {
        throw new Error(message);
      }
    }
  }

  return Object.assign(dumped('serdes'), { Serializer, Deserializer });
};
