// For tests: the very script that runs programs in a page's worker, in a thread of Node. What only the browser gives (no network, no origin) is tested
// there, in tests/e2e/execute.spec.ts.
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { ExecuteOptions } from './execute';
import type { ProgramPort } from './program-host';

const likeAPage = `
const { parentPort } = require('node:worker_threads');
globalThis.addEventListener = (type, listener) => {
  if (type === 'message') parentPort.once('message', ({ data, port }) => listener({ data, ports: [port] }));
};
`;

let guest: Promise<string> | undefined;

async function guestScript(): Promise<string> {
  const entry = fileURLToPath(new URL('../../engine/program/guest.worker.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
  });
  return outputFiles[0]!.text;
}

/** A thread per program. */
export const threadPlace: ExecuteOptions['startPlace'] = async () => {
  guest ??= guestScript();
  const worker = new Worker(likeAPage + (await guest), { eval: true, stdout: true, stderr: true });
  worker.on('error', () => {});
  return {
    start(data) {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ data, port: port2 }, [port2]);
      return port1 as unknown as ProgramPort;
    },
    end: () => void worker.terminate(),
  };
};
