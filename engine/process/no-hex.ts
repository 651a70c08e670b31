// Imported before everything else: libraries in this bundle choose at load whether they use `Uint8Array.fromHex`, which is taken away from programs
// later (trim-intrinsics.ts) and so from them. Buffer's own code keeps what it uses.

/** `Uint8Array.prototype.toHex` where the browser has it. */
export const nativeToHex = (Uint8Array.prototype as { toHex?(): string }).toHex;

Reflect.deleteProperty(Uint8Array, 'fromHex');
Reflect.deleteProperty(Uint8Array.prototype, 'toHex');
