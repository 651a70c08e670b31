// MCP over the standard input and output of a process in the sandbox: one JSON message per line. What else it prints goes to the log, as its
// standard error does.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Process, ProcessEnd, Sandbox } from '../../sandbox/sandbox';
import { parseJson } from '../../std/json';
import { resolvePath } from '../../std/paths';
import { sleep } from '../../std/signals';
import { lineReader } from './line-reader';
import type { LocalServer } from './server-config';

const maxMessageBytes = 32 * 1024 * 1024;
const maxLogLineBytes = 1024 * 1024;
/** How long it may take to end by itself after its input was closed, and again after SIGTERM. */
const endGraceMs = 500;

/** A transport that starts the program when the client connects. `onLog`: lines that are no messages. `onEnd`: how it ended, in words. */
export function sandboxTransport(
  sandbox: Sandbox,
  server: LocalServer,
  { onLog, onEnd }: { onLog(line: string): void; onEnd(how: string): void },
): Transport {
  let child: Process | undefined;
  let writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  let isClosing = false;
  let over = false;
  const transport: Transport = {
    async start() {
      const [command, ...args] = server.command;
      child = await sandbox.spawn(command, args, {
        cwd: resolvePath(sandbox.workdir, server.cwd ?? '.'),
        env: { NO_COLOR: '1', ...server.environment },
      });
      writer = child.input.getWriter();
      writer.closed.catch(() => {});
      const messages = readLines(child.output, lineReader(hear, maxMessageBytes)).catch(async (error: unknown) => {
        onLog(`Ended by Cloche: ${String(error)}`);
        child?.kill('SIGKILL');
      });
      // A program whose words nobody reads any more would stand still in the middle of one.
      const log = readLines(child.stderr, lineReader(onLog, maxLogLineBytes, 'pieces')).catch(() => {});
      void child.exit.then(async (end) => {
        // A program that it started may hold the pipes open; nobody waits for that one.
        await Promise.race([Promise.all([messages, log]), sleep(endGraceMs)]);
        over = true;
        if (!isClosing) onEnd(wordsFor(end));
        transport.onclose?.();
      });
    },
    async send(message: JSONRPCMessage) {
      if (writer === undefined || over) throw new Error('Its process has ended.');
      await writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    },
    async close() {
      if (child === undefined || isClosing) return;
      isClosing = true;
      const { exit } = child;
      await Promise.race([writer?.close().catch(() => {}), sleep(endGraceMs)]);
      if (await endsWithin(exit, endGraceMs)) return;
      child.kill('SIGTERM');
      if (await endsWithin(exit, endGraceMs)) return;
      child.kill('SIGKILL');
      await exit;
    },
  };

  function hear(line: string): void {
    if (line.trim() === '') return;
    const json = parseJson(line);
    const isMessage = json.ok && typeof json.value === 'object' && json.value !== null && 'jsonrpc' in json.value;
    if (isMessage) transport.onmessage?.(json.value as JSONRPCMessage);
    else onLog(line);
  }
  return transport;
}

async function readLines(stream: ReadableStream<Uint8Array>, feed: (bytes: Uint8Array) => void): Promise<void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    feed(value);
  }
}

function endsWithin(exit: Promise<ProcessEnd>, ms: number): Promise<boolean> {
  return Promise.race([exit.then(() => true), sleep(ms).then(() => false)]);
}

function wordsFor(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return `Its process ended with exit code ${end.code}.`;
    case 'signalled':
      return `Its process was ended by ${end.signal}.`;
    case 'crashed':
      return `Its process crashed: ${end.message}.`;
  }
}
