// Stands in for `node:buffer` where undici's llhttp module is bundled for a worker: all it wants of Buffer is to decode base64.
import { decodeBase64 } from '../strings';

/** The one function of Buffer that `undici/lib/llhttp/llhttp-wasm.js` calls. */
export const Buffer = { from: (base64: string): Uint8Array => decodeBase64(base64) };
