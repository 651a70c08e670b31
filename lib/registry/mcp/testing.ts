// For tests: a sandbox whose files are in memory and whose processes are this machine's, and a small server whose behaviour each test writes.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { createMemorySandbox } from '../../sandbox/memory';
import type { ProcessEnd, Sandbox } from '../../sandbox/sandbox';
import type { AskQuestions } from '../../tools/question';
import { defaultTimeouts, type LocalServer } from './server-config';
import { createMcpServers, type McpServers, type McpServersOptions } from './servers';
import { storedSignIns } from './sign-in-store';

/** `workdir`: a real directory of this machine. */
export async function processSandbox(workdir: string): Promise<Sandbox> {
  const memory = await createMemorySandbox({ workdir });
  return {
    ...memory,
    async spawn(command, args, options = {}) {
      const child = spawn(command, args, { cwd: options.cwd, env: options.env as NodeJS.ProcessEnv });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      const exit = new Promise<ProcessEnd>((resolve) => {
        child.once('exit', (code, signal) =>
          resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }),
        );
      });
      child.stdin.on('error', () => {});
      return {
        pid: child.pid!,
        output: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
        stderr: Readable.toWeb(child.stderr) as ReadableStream<Uint8Array>,
        input: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        exit,
        resize: () => {},
        kill: (signal = 'SIGTERM') => void child.kill(signal as NodeJS.Signals),
      };
    },
  };
}

/** A server of the sandbox named `name`. */
export function local(name: string, command: [string, ...string[]], more: Partial<LocalServer> = {}): LocalServer {
  return { kind: 'local', name, command, environment: {}, enabled: true, timeouts: defaultTimeouts, ...more };
}

/**
 * A server in a few lines: `answers` is the source of an object, method → (params, {send, ask}) => result. What is not in it is answered with
 * an empty result; `initialize` offers everything.
 */
export function smallServer(name: string, answers: string, more: Partial<LocalServer> = {}): LocalServer {
  return local(name, [process.execPath, '-e', smallServerSource(answers)], more);
}

function smallServerSource(answers: string): string {
  return `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let nextId = 1000; const asked = new Map();
const ask = (method, params) => new Promise((resolve) => { const id = nextId++; asked.set(id, resolve); send({ id, method, params }); });
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, serverInfo: { name: 'small', version: '1' }, capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} } }),
  'tools/list': () => ({ tools: [] }), 'resources/list': () => ({ resources: [] }), 'resources/templates/list': () => ({ resourceTemplates: [] }), 'prompts/list': () => ({ prompts: [] }),
  ...(${answers}),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) return asked.get(message.id)?.(message.result ?? message.error);
  if (message.id === undefined) return void answers[message.method]?.(message.params, { send, ask });
  try { send({ id: message.id, result: (await answers[message.method]?.(message.params, { send, ask, id: message.id })) ?? {} }); }
  catch (error) { send({ id: message.id, error: { code: error.code ?? -32603, message: error.message, data: error.data } }); }
}).on('close', () => process.exit(0));
`;
}

const open: McpServers[] = [];

/** Servers that \`closeAll\` ends after the test. Without \`trusted\` all are. */
export async function started(
  configs: LocalServer[],
  more: Partial<McpServersOptions> & { workdir?: string } = {},
): Promise<McpServers> {
  const { workdir = process.cwd(), ...options } = more;
  const servers = createMcpServers({
    sandbox: await processSandbox(workdir),
    fetch: () => Promise.reject(new Error('no network in this test')),
    signIns: storedSignIns(memoryStorage()),
    allowed: memoryStorage(),
    retryDelayMs: 20,
    ...options,
  });
  open.push(servers);
  servers.want(configs.map((config) => ({ config, trusted: true })));
  await vi.waitUntil(() => servers.states().every(({ status }) => status.kind !== 'connecting'), { timeout: 30_000 });
  return servers;
}

/** Ends all servers of the test. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((servers) => servers.close()));
}

/** Nobody answers. */
export const nobody: AskQuestions = () => Promise.resolve({ kind: 'unanswered' });

/** What remembers allowed definitions, empty. */
export function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
