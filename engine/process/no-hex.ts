// Imported before everything else: libraries in this bundle choose at load whether they use `Uint8Array.fromHex`, which is taken away from programs
// later (trim-intrinsics.ts) and so from them.
Reflect.deleteProperty(Uint8Array, 'fromHex');
Reflect.deleteProperty(Uint8Array.prototype, 'toHex');
