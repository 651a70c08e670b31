// The development server asks itself for the pages that a person comes to next, one after the other, as a browser would ask: by the IDE's host name.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { warmPages } from './warm-pages';

const open: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.closeAllConnections();
});

async function serverWith(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  open.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

test('each page is asked for when the one before has come whole, by the host of the IDE', async () => {
  const asked: string[] = [];
  let isBusy = false;
  const port = await serverWith((request, response) => {
    expect(isBusy).toBe(false);
    isBusy = true;
    asked.push(`${request.method} ${request.headers.host}${request.url}`);
    response.write('half');
    setTimeout(() => {
      isBusy = false;
      response.end('whole');
    }, 20);
  });
  await warmPages('ide.localhost', port);
  const host = `ide.localhost:${port}`;
  expect(asked).toEqual([`GET ${host}/`, `GET ${host}/new/node`, `GET ${host}/p/warm`, `GET ${host}/api/models`]);
});

test('a page that fails is made all the same, and the next one is asked for', async () => {
  let asked = 0;
  const port = await serverWith((_, response) => {
    asked++;
    response.writeHead(500).end();
  });
  await warmPages('ide.localhost', port);
  expect(asked).toBe(4);
});

test('a server that is not there, or goes away, is asked no more, and nobody is troubled', async () => {
  let asked = 0;
  const port = await serverWith((_, response) => {
    if (++asked === 2) response.destroy();
    else response.end();
  });
  await warmPages('ide.localhost', port);
  expect(asked).toBe(2);
  const gone = open.pop()!;
  await new Promise((closed) => gone.close(closed).closeAllConnections());
  await expect(warmPages('ide.localhost', port)).resolves.toBeUndefined();
});
