// The memory of a WASI program: little-endian structures and byte ranges. Views are made anew when the memory has grown; a range outside
// is a RangeError, which the caller reports as EOVERFLOW.

export class GuestMemory {
  private readonly memory: WebAssembly.Memory;
  private view: DataView;
  private all: Uint8Array;

  constructor(memory: WebAssembly.Memory) {
    this.memory = memory;
    this.view = new DataView(memory.buffer);
    this.all = new Uint8Array(memory.buffer);
  }

  /** A DataView over the whole memory as it is now. */
  get data(): DataView {
    // A shared memory's old buffer stays valid but short; the buffer object changes with every growth.
    if (this.view.buffer !== this.memory.buffer) {
      this.view = new DataView(this.memory.buffer);
      this.all = new Uint8Array(this.memory.buffer);
    }
    return this.view;
  }

  /** A view of `length` bytes at `address`; throws a RangeError when it is not inside. */
  bytes(address: number, length: number): Uint8Array {
    const { byteLength } = this.data;
    const start = address >>> 0;
    const count = length >>> 0;
    if (start + count > byteLength) throw new RangeError('outside of the memory');
    return this.all.subarray(start, start + count);
  }

  text(address: number, length: number): string {
    // Copied: TextDecoder refuses shared memory.
    return new TextDecoder().decode(this.bytes(address, length).slice());
  }

  u8(address: number): number {
    return this.data.getUint8(address >>> 0);
  }

  u16(address: number): number {
    return this.data.getUint16(address >>> 0, true);
  }

  u32(address: number): number {
    return this.data.getUint32(address >>> 0, true);
  }

  u64(address: number): bigint {
    return this.data.getBigUint64(address >>> 0, true);
  }

  setU8(address: number, value: number): void {
    this.data.setUint8(address >>> 0, value);
  }

  setU16(address: number, value: number): void {
    this.data.setUint16(address >>> 0, value, true);
  }

  setU32(address: number, value: number): void {
    this.data.setUint32(address >>> 0, value, true);
  }

  setU64(address: number, value: bigint | number): void {
    this.data.setBigUint64(address >>> 0, BigInt.asUintN(64, BigInt(value)), true);
  }

  /** The byte ranges of an array of `{address, length}` pairs (iovec, ciovec). */
  ranges(address: number, count: number): Uint8Array[] {
    const out: Uint8Array[] = [];
    for (let index = 0; index < count >>> 0; index++) {
      const at = (address >>> 0) + index * 8;
      out.push(this.bytes(this.u32(at), this.u32(at + 4)));
    }
    return out;
  }
}
