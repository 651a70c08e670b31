// What every relay relies on: keys stay with the host that they were given to, and whoever reads a body learns why it ends.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendFollowing, sendOutgoing } from './outgoing';
import { readOutgoingBody } from './outgoing-body';

const servers: Server[] = [];
const origins: string[] = [];
let got: IncomingHttpHeaders = {};

beforeAll(async () => {
  for (let index = 0; index < 2; index++) {
    const server = createServer((request, response) => {
      got = request.headers;
      if (request.url === '/away') response.writeHead(307, { location: `${origins[1]}/end` }).end();
      else if (request.url === '/near') response.writeHead(307, { location: '/end' }).end();
      else if (request.url === '/stalls') response.writeHead(200).write('x');
      else response.end('end');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const request = (path: string) => ({
  url: new URL(path, origins[0]),
  method: 'GET' as const,
  headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/plain' },
  trust: () => 'trusted' as const,
  idleTimeoutMs: 300,
});

test('keys go along to the same origin and to no other', async () => {
  (await sendOutgoing(request('/near'))).resume();
  expect(got).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'k' });
  (await sendOutgoing(request('/away'))).resume();
  expect(got).toMatchObject({ accept: 'text/plain' });
  expect(Object.keys(got)).not.toEqual(expect.arrayContaining(['authorization']));
  expect(JSON.stringify(got)).not.toMatch(/Bearer|a=b|x-api-key/);
});

test('a redirect can be handed back, and every hop is asked about', async () => {
  const { answer, redirect } = await sendFollowing({ ...request('/away'), follow: () => undefined });
  expect(redirect?.href).toBe(`${origins[1]}/end`);
  expect(answer.destroyed).toBe(true);
  const trust = (url: URL) => (url.origin === origins[0] ? ('trusted' as const) : ('public' as const));
  await expect(sendOutgoing({ ...request('/away'), trust })).rejects.toThrow('it is not https');
});

test('the reader of a body that stalls learns that it was silent', async () => {
  const answer = await sendOutgoing(request('/stalls'));
  const options = { maxBytes: 10, what: 'it', signal: new AbortController().signal };
  await expect(readOutgoingBody(answer, options)).rejects.toThrow('was silent for 0.3 s');
});
