// Previews in real Chromium: a guest's server in a frame on its own origin, through service worker, bridge and kernel.
import { expect, type FrameLocator, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';

const PORT = 3000;
let sandbox: SandboxBrowser;
let previewOrigin: string;

const SERVER = `
const http = require('node:http');
const crypto = require('node:crypto');
const version = process.argv[2];
const server = http.createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  switch (url.pathname) {
    case '/':
      response.setHeader('content-type', 'text/html');
      response.setHeader('set-cookie', ['seen=' + version + '; HttpOnly', 'theme=dark; Path=/']);
      response.end('<!doctype html><title>t</title><h1>page ' + version + '</h1><script src="/script.js"></script>');
      return;
    case '/script.js':
      response.setHeader('content-type', 'text/javascript');
      response.end('document.body.dataset.mode = document.compatMode;');
      return;
    case '/echo': {
      response.setHeader('x-method', request.method);
      response.setHeader('x-host', request.headers.host);
      request.pipe(response);
      return;
    }
    case '/cookies':
      response.end(String(request.headers.cookie));
      return;
    case '/redirect':
      response.writeHead(302, { location: 'http://localhost:${PORT}/echo' }).end();
      return;
    case '/stream':
      response.write('first ');
      setTimeout(() => response.end('second'), Number(url.searchParams.get('ms')));
      return;
    case '/big':
      response.end(Buffer.alloc(5_000_000, 'x'));
      return;
    default:
      response.writeHead(404).end('nothing');
  }
});
server.on('upgrade', (request, socket) => {
  const accept = crypto.createHash('sha1').update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
  // The page is gone before it has read the answer to its close.
  socket.on('error', () => {});
  socket.on('data', (frame) => {
    const length = frame[1] & 127;
    const mask = frame.subarray(2, 6);
    const payload = Buffer.from(frame.subarray(6, 6 + length).map((byte, i) => byte ^ mask[i & 3]));
    socket.write(Buffer.concat([Buffer.from([frame[0], length]), payload]));
  });
});
server.listen(${PORT}, () => console.log('up'));
`;

/** Starts the server in the sandbox; the returned function ends it. */
async function serve(version: string): Promise<() => Promise<void>> {
  await sandbox.page.evaluate(
    async ([source, argument]) => {
      const engine = window.cloche.engine!;
      await engine.write('/home/project/server.js', new TextEncoder().encode(source));
      const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
      const child = await engine.spawn({ command: 'node', args: ['server.js', argument], cwd: '/home/project', env });
      Object.assign(window, { server: child });
      const reader = child.output.getReader();
      const { value } = await reader.read();
      if (!value) throw new Error(`The server ended: ${await new Response(child.stderr).text()}`);
    },
    [SERVER, version] as const,
  );
  return () =>
    sandbox.page.evaluate(async () => {
      const { server } = window as unknown as { server: { kill(signal: string): void; exit: Promise<unknown> } };
      server.kill('SIGTERM');
      await server.exit;
    });
}

/** The visible frame, opened anew at `path`. */
async function show(path: string): Promise<FrameLocator> {
  await sandbox.page.evaluate((url) => {
    document.getElementById('preview')?.remove();
    const frame = document.createElement('iframe');
    frame.id = 'preview';
    frame.allow = 'cross-origin-isolated';
    frame.src = url;
    document.body.append(frame);
  }, previewOrigin + path);
  return sandbox.page.frameLocator('#preview');
}

/** Runs a script in the guest's page. */
async function inPage<Result>(script: string): Promise<Result> {
  const handle = await sandbox.page.locator('#preview').elementHandle();
  const frame = await handle!.contentFrame();
  return frame!.evaluate(`(async () => { ${script} })()`) as Promise<Result>;
}

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser();
  const { port } = new URL(sandbox.server.ideOrigin);
  previewOrigin = `http://p-test-${PORT}.cloche.localhost:${port}`;
  await sandbox.page.evaluate((serverPort) => {
    const url = (guestPort: number) => `http://p-test-${guestPort}.cloche.localhost:${serverPort}/`;
    window.cloche.connectPreviews(window.cloche.engine!, url);
  }, port);
});

test.afterAll(() => sandbox?.close());

test('a page with its scripts, in standards mode', async () => {
  const stop = await serve('one');
  const frame = await show('/');
  await expect(frame.locator('h1')).toHaveText('page one');
  await expect(frame.locator('body')).toHaveAttribute('data-mode', 'CSS1Compat');
  await stop();
});

test('the preview says that the server has stopped, and shows the next one by itself', async () => {
  const frame = await show('/');
  await expect(frame.locator('h1')).toHaveText(`Nothing listens on port ${PORT}`);
  await serve('two');
  await expect(frame.locator('h1')).toHaveText('page two');
});

test('methods, bodies, cookies and redirects', async () => {
  const answers = await inPage(`
    const posted = await fetch('/echo', { method: 'POST', body: 'ů'.repeat(100000) });
    const text = await posted.text();
    const redirected = await fetch('/redirect');
    const missing = await fetch('/missing');
    return [posted.headers.get('x-method'), posted.headers.get('x-host'), text === 'ů'.repeat(100000),
      redirected.status, redirected.headers.get('x-method'), missing.status, await (await fetch('/cookies')).text()];`);
  expect(answers).toEqual(['POST', `localhost:${PORT}`, true, 200, 'GET', 404, 'seen=two; theme=dark']);
});

test('a response streams, and a large one arrives whole', async () => {
  const answers = await inPage(`
    const started = performance.now();
    const reader = (await fetch('/stream?ms=1500')).body.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    const early = performance.now() - started < 1200;
    const rest = new TextDecoder().decode((await reader.read()).value);
    return [first, early, rest, (await (await fetch('/big')).arrayBuffer()).byteLength];`);
  expect(answers).toEqual(['first ', true, 'second', 5_000_000]);
});

test('a service worker that was stopped starts again without anybody noticing', async () => {
  const session = await sandbox.page.context().newCDPSession(sandbox.page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await session.detach();
  expect(await inPage(`return (await fetch('/echo', { method: 'POST', body: 'again' })).text();`)).toBe('again');
});

test('reload', async () => {
  await inPage('location.reload()').catch(() => {});
  await expect(sandbox.page.frameLocator('#preview').locator('h1')).toHaveText('page two');
});

test('a WebSocket reaches the server', async () => {
  const answers = await inPage(`
    const socket = new WebSocket('ws://' + location.host + '/socket');
    socket.binaryType = 'arraybuffer';
    const next = (type) => new Promise((resolve) => socket.addEventListener(type, resolve, { once: true }));
    await next('open');
    socket.send('ů');
    const text = (await next('message')).data;
    socket.send(new Uint8Array([1, 2, 3]));
    const bytes = [...new Uint8Array((await next('message')).data)];
    socket.close(3001, 'enough');
    const { code, reason, wasClean } = await next('close');
    return [socket instanceof WebSocket, text, bytes, code, reason, wasClean, socket.readyState];`);
  expect(answers).toEqual([true, 'ů', [1, 2, 3], 3001, 'enough', true, 3]);
});

test('only the IDE may connect a bridge', async () => {
  const refused = await inPage<string>(`
    const frame = document.createElement('iframe');
    frame.src = '/__cloche/bridge.html';
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    const { port1, port2 } = new MessageChannel();
    frame.contentWindow.postMessage({ cloche: 'bridge-connect' }, '*', [port2]);
    const stolen = await Promise.race([
      new Promise((resolve) => (port1.onmessage = () => resolve('stolen'))),
      fetch('/echo', { method: 'POST', body: 'mine' }).then((response) => response.text()),
    ]);
    frame.remove();
    return stolen;`);
  expect(refused).toBe('mine');
});
