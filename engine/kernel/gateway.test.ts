// The gateway over real rings: a guest's bytes in, HTTP/1.1 bytes out, with fetch replaced.
import { afterEach, describe, expect, it } from 'vitest';
import { formatIpc, openIpc } from '../ipc/ipc';
import { createSharedMemory } from '../memory/memory';
import { serveGateway } from './gateway';
import { REGISTRY_HOSTS } from './net/destinations';
import { type KernelStream, openKernelStream } from './net/kernel-stream';
import { SECURE_PREFACE } from './net/secure-preface';

const config = {
  npmProxy: 'http://sandbox.test/api/npm/',
  registryHosts: REGISTRY_HOSTS,
  ownHosts: ['cloche.example.org'],
};
const noTree = { retain() {}, release() {}, typeOf: () => 1 as const, rdevOf: () => 0 };
let guest: KernelStream | undefined;

interface Asked {
  url: string;
  init: RequestInit;
}

/** A connection to `host`; returns the guest's end and what was fetched. */
function connect(host: string, answer: (asked: Asked) => Response | Promise<Response>, port = 443) {
  const memory = createSharedMemory(4096);
  formatIpc(memory);
  const ipc = openIpc(memory, noTree, 0, 1);
  const pair = ipc.tableOf(0).openPair() as [number, number];
  const stream = openKernelStream(ipc, pair[1]);
  guest = stream;
  const asked: Asked[] = [];
  const fetchOutside = (async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer({ url, init });
  }) as typeof fetch;
  const done = serveGateway(openKernelStream(ipc, pair[0]), { host, port }, config, fetchOutside);
  return { stream, asked, done };
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

async function readAll(stream: KernelStream): Promise<string> {
  let text = '';
  for (let chunk = await stream.read(); chunk; chunk = await stream.read())
    text += Buffer.from(chunk).toString('latin1');
  return text;
}

afterEach(() => guest?.close());

describe('serveGateway', () => {
  it('fetches over https after the preface, cut anywhere, and answers in chunks', async () => {
    const { stream, asked } = connect(
      'example.com',
      () => new Response('hello', { headers: { 'content-type': 'text/plain' } }),
    );
    const request = `${SECURE_PREFACE}GET /a?b HTTP/1.1\r\nHost: example.com\r\nAccept: x\r\nConnection: close\r\n\r\n`;
    for (const character of request) await stream.write(bytes(character));
    expect(await readAll(stream)).toBe(
      'HTTP/1.1 200 Status\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    );
    expect(asked[0].url).toBe('https://example.com/a?b');
    expect([...(asked[0].init.headers as Headers)]).toEqual([['accept', 'x']]);
    expect(asked[0].init).toMatchObject({ credentials: 'omit', method: 'GET', referrerPolicy: 'no-referrer' });
  });

  it('keeps the connection for pipelined requests with bodies', async () => {
    const { stream, asked } = connect(
      'example.com',
      async ({ init }) => {
        const text = await ((init.body as Blob | undefined)?.text() ?? '');
        return new Response(text, { headers: { 'content-length': String(text.length) } });
      },
      80,
    );
    await stream.write(
      bytes(
        'POST /1 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcPUT /2 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n1\r\nz\r\n0\r\n\r\nHEAD /3 HTTP/1.0\r\n\r\n',
      ),
    );
    const answer = await readAll(stream);
    expect(answer.match(/HTTP\/1.1 200/g)?.length).toBe(3);
    expect(answer).toMatch(/abcHTTP[\s\S]*xyzHTTP[\s\S]*connection: close\r\n\r\n$/);
    expect(asked.map(({ url }) => url)).toEqual([
      'http://example.com/1',
      'http://example.com/2',
      'http://example.com/3',
    ]);
  });

  it('sends the registry through the proxy and says which registry is meant', async () => {
    const { stream, asked } = connect('registry.npmjs.org', () => new Response('{}'));
    await stream.write(bytes(`${SECURE_PREFACE}GET /@a%2fb?write=true HTTP/1.1\r\nConnection: close\r\n\r\n`));
    await readAll(stream);
    expect(asked[0].url).toBe('http://sandbox.test/api/npm/@a%2fb?write=true');
    expect((asked[0].init.headers as Headers).get('x-registry-name')).toBe('https://registry.npmjs.org/');
  });

  it.each([
    [
      'the IDE by a full URL',
      'GET http://cloche.example.org/ HTTP/1.1\r\nConnection: close\r\n\r\n',
      '403',
      'part of this IDE',
    ],
    [
      'loopback by a full URL',
      'GET http://127.0.0.1:8080/ HTTP/1.1\r\nConnection: close\r\n\r\n',
      '403',
      'private address',
    ],
    ['WebSockets', 'GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', '501', 'no WebSocket'],
    ['what is no HTTP', 'SSH-2.0-OpenSSH\r\n', '400', 'cannot be read'],
  ])('refuses %s', async (_name, request, status, why) => {
    const { stream, asked } = connect('example.com', () => new Response('never'), 80);
    await stream.write(bytes(request));
    const answer = await readAll(stream);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(why);
    expect(asked).toEqual([]);
  });

  it('says why when fetch fails, and goes on', async () => {
    let first = true;
    const { stream } = connect('example.com', () => {
      if (!first) return new Response('fine');
      first = false;
      throw new TypeError('Failed to fetch');
    });
    await stream.write(bytes('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nConnection: close\r\n\r\n'));
    const answer = await readAll(stream);
    expect(answer).toMatch(/^HTTP\/1.1 502 Bad Gateway[\s\S]*CORS[\s\S]*HTTP\/1.1 200/);
  });

  it('tells npm in its own way that our server is gone', async () => {
    const { stream } = connect('registry.npmjs.org', () => Promise.reject(new TypeError('Failed to fetch')));
    await stream.write(bytes('GET /is-number HTTP/1.1\r\nConnection: close\r\n\r\n'));
    const answer = await readAll(stream);
    expect(answer).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\ncontent-type: application\/json\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]).error).toMatch(/server does not answer.*try again/);
  });

  it('hangs up on a TLS handshake, and gives up a fetch when the guest is gone', async () => {
    const tls = connect('example.com', () => new Response('never'));
    await tls.stream.write(Uint8Array.from([0x16, 3, 1]));
    expect(await readAll(tls.stream)).toBe('');

    let aborted = false;
    const hanging = connect(
      'example.com',
      ({ init }) =>
        new Promise((_resolve, reject) => {
          init.signal?.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          });
        }),
    );
    await hanging.stream.write(bytes('GET / HTTP/1.1\r\n\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    hanging.stream.close();
    await hanging.done;
    expect(aborted).toBe(true);
  });

  it('passes on a large body with back-pressure', async () => {
    const { stream } = connect(
      'example.com',
      () => new Response(new Uint8Array(1_000_000).fill(65), { headers: { 'content-length': '1000000' } }),
    );
    await stream.write(bytes('GET / HTTP/1.1\r\nConnection: close\r\n\r\n'));
    const answer = await readAll(stream);
    expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(1_000_000);
  });
});
