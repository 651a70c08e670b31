// The WebAssembly of hash-wasm's digests. The package publishes it as text within its scripts, whose factories compile it asynchronously; crypto's
// hashes are synchronous, so we ship the bytes alone.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The bytes of one digest's module; `root` is the repository. Throws an Error that says what to do when the package is absent or another one. */
export function digestCode(root: string, name: string): Uint8Array<ArrayBuffer> {
  const file = path.join(root, 'node_modules/hash-wasm/dist', `${name}.umd.min.js`);
  if (!existsSync(file)) throw new Error(`${file} is not there: hash-wasm is not installed. Run "npm ci".`);
  const code = new RegExp(`name:"${name}",data:"([A-Za-z0-9+/=]+)"`).exec(readFileSync(file, 'utf8'))?.[1];
  if (code === undefined) throw new Error(`${file} does not hold its WebAssembly as hash-wasm 4.12.0 did.`);
  return new Uint8Array(Buffer.from(code, 'base64'));
}
