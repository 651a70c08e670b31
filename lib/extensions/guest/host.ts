// The program in the sandbox's Node that holds one file of a project: its tools and its hooks. Whatever the file prints goes to standard error;
// standard output belongs to the protocol.
import type { CallOrigin, FromProgram, ToProgram } from '../protocol';
import { protocolVersion } from '../protocol';
import { type HeldFile, loadFile } from './load-file';
import { plainJson, resultOf } from './tool-result';
import { parseArguments } from './tool-shape';

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;

let key = '';
/** A line of its own, whatever a child process has left on the line before. */
const send = (message: FromProgram): void => void write(`\n${key} ${JSON.stringify(message)}\n`);

let held: HeldFile | undefined;
const aborts = new Map<number, AbortController>();
const asks = new Map<number, { resolve(): void; reject(error: Error): void }>();
let nextAsk = 1;

process.on('uncaughtException', (error) => send({ type: 'problem', message: wordsOf(error) }));
process.on('unhandledRejection', (error) => send({ type: 'problem', message: wordsOf(error) }));

function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error.message || error.name}` : String(error);
}

async function call(id: number, tool: string, args: unknown, origin: CallOrigin, workdir: string): Promise<void> {
  const stop = new AbortController();
  aborts.set(id, stop);
  try {
    const one = held?.tools.get(tool);
    if (one === undefined) throw new Error(`There is no tool ${tool} in this file.`);
    const input = await parseArguments(one, args);
    const result = await one.execute(input, {
      ...origin,
      directory: workdir,
      worktree: workdir,
      abort: stop.signal,
      metadata: ({ title, metadata }: { title?: unknown; metadata?: unknown } = {}) => {
        const given = plainJson(metadata) as Record<string, unknown> | undefined;
        send({
          type: 'update',
          id,
          ...(typeof title === 'string' ? { title } : {}),
          ...(given ? { metadata: given } : {}),
        });
      },
      ask: (request: object) =>
        new Promise<void>((resolve, reject) => {
          const askId = nextAsk++;
          asks.set(askId, { resolve, reject });
          send({ type: 'ask', id, askId, request: plainJson(request) ?? {} });
        }),
    });
    send({ type: 'result', id, value: resultOf(result) });
  } catch (error) {
    send({ type: 'failed', id, message: wordsOf(error) });
  } finally {
    aborts.delete(id);
  }
}

async function hook(id: number, name: string, input: unknown, output: unknown): Promise<void> {
  try {
    send({ type: 'result', id, value: await held!.runHook(name, input, output) });
  } catch (error) {
    send({ type: 'failed', id, message: wordsOf(error) });
  }
}

let directory = '';

function hear(message: ToProgram): void {
  switch (message.type) {
    case 'load':
      key = message.key;
      directory = message.workdir;
      loadFile(message, (text) => send({ type: 'problem', message: text })).then(
        (file) => {
          held = file;
          send({ type: 'loaded', version: protocolVersion, ...file.loaded });
        },
        (error: unknown) => send({ type: 'broken', message: wordsOf(error) }),
      );
      return;
    case 'call':
      return void call(message.id, message.tool, message.args, message.origin, directory);
    case 'hook':
      return void hook(message.id, message.name, message.input, message.output);
    case 'abort':
      return aborts.get(message.id)?.abort(new DOMException('Stopped', 'AbortError'));
    case 'answer': {
      const ask = asks.get(message.askId);
      asks.delete(message.askId);
      if (message.allowed) ask?.resolve();
      else ask?.reject(new Error(message.message ?? 'The person refused.'));
      return;
    }
    case 'end':
      return void (held?.dispose() ?? Promise.resolve()).finally(() => process.exit(0));
  }
}

const decoder = new TextDecoder();
let rest = '';
process.stdin.on('data', (bytes: Buffer) => {
  const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
  rest = lines.pop()!;
  for (const line of lines) if (line !== '') hear(JSON.parse(line) as ToProgram);
});
process.stdin.on('end', () => process.exit(0));
