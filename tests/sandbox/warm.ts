// A browser that stays for several calls of the CLI: a loopback HTTP server that takes one run per request and streams back JSON lines.
// Where it listens, and the secret that a caller must show, are in a file that only this user can read.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { SandboxBrowser } from './browser.ts';
import { type Outcome, performRun, type RunOrder } from './perform.ts';

const recordFile = path.join(tmpdir(), `cloche-sandbox-${userInfo().uid}.json`);

interface WarmRecord {
  port: number;
  secret: string;
  pid: number;
}

type Line = { output: string } | { stderr: string } | { outcome: Outcome } | { error: string };

/** The record of a running warm browser, if there is one. */
export function findWarm(): WarmRecord | undefined {
  if (!existsSync(recordFile)) return undefined;
  const record = JSON.parse(readFileSync(recordFile, 'utf8')) as WarmRecord;
  try {
    process.kill(record.pid, 0);
    return record;
  } catch {
    rmSync(recordFile, { force: true });
    return undefined;
  }
}

/** Serves runs on `sandbox` until the process is told to end. */
export async function serveWarm(sandbox: SandboxBrowser): Promise<void> {
  const secret = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    serveOne(sandbox, secret, request, response).catch((error) =>
      response.end(`${JSON.stringify({ error: String(error) })}\n`),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const record: WarmRecord = { port: (server.address() as AddressInfo).port, secret, pid: process.pid };
  writeFileSync(recordFile, JSON.stringify(record), { mode: 0o600 });
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  rmSync(recordFile, { force: true });
  server.closeAllConnections();
  server.close();
}

async function serveOne(
  sandbox: SandboxBrowser,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers['x-secret'] !== secret) {
    response.writeHead(403).end();
    return;
  }
  const order = JSON.parse(Buffer.from(String(request.headers['x-order']), 'base64').toString()) as RunOrder;
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const write = (line: Line): void => void response.write(`${JSON.stringify(line)}\n`);
  const outcome = await performRun(sandbox, order, order.hasStdin ? request : undefined, (channel, bytes) =>
    write(channel === 'output' ? { output: bytes.toString('base64') } : { stderr: bytes.toString('base64') }),
  );
  write({ outcome });
  response.end();
}

/** Runs an order on a warm browser. */
export async function runWarm(
  record: WarmRecord,
  order: RunOrder,
  stdin: Readable | undefined,
  onOutput: (channel: 'output' | 'stderr', bytes: Buffer) => void,
): Promise<Outcome> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-secret': record.secret, 'x-order': Buffer.from(JSON.stringify(order)).toString('base64') };
    const request = httpRequest({ host: '127.0.0.1', port: record.port, method: 'POST', headers }, resolve);
    request.on('error', reject);
    request.flushHeaders();
    if (stdin) stdin.pipe(request);
    else request.end();
  });
  if (response.statusCode !== 200) throw new Error(`The warm browser answered ${response.statusCode}.`);
  for await (const text of createInterface({ input: response })) {
    const line = JSON.parse(text) as Line;
    if ('output' in line) onOutput('output', Buffer.from(line.output, 'base64'));
    else if ('stderr' in line) onOutput('stderr', Buffer.from(line.stderr, 'base64'));
    else if ('outcome' in line) return line.outcome;
    else throw new Error(line.error);
  }
  throw new Error('The warm browser hung up before the command had ended.');
}
