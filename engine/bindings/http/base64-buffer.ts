// Stands in for `node:buffer` where undici's llhttp module is bundled for a worker: all it wants of Buffer is to decode base64. That waits until somebody
// parses HTTP; and as an import, bytes would be copied into an object by their indices, 50,000 properties in every worker that starts.

/** The one function of Buffer that `undici/lib/llhttp/llhttp-wasm.js` calls. */
export const Buffer = { from: (base64: string): { base64: string } => ({ base64 }) };
