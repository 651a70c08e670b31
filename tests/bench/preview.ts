// One request of a previewed page to the server in the sandbox, against the same request of the same browser to the same program in real Node.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Contest } from './contest.ts';
import { NODE } from './programs.ts';
import type { Stage } from './stage.ts';

const GUEST_PORT = 3456;
const REQUESTS = 40;
const SERVER = `const server = require('node:http').createServer((request, response) => {
  response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/plain');
  response.end(request.url === '/' ? '<!doctype html><h1>bench</h1>' : 'x'.repeat(1000));
});
server.listen(Number(process.argv[2]), () => console.log('port ' + server.address().port));`;

/** A 1 kB answer, one request after the other. */
export async function preview({ browser, folder, atEnd }: Stage): Promise<Contest> {
  writeFileSync(path.join(folder, 'server.cjs'), SERVER);
  const native = spawn(NODE, ['server.cjs', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(async () => void native.kill());
  const nativeContext = await browser.page.context().browser()!.newContext();
  atEnd(() => nativeContext.close());
  const nativePage = await nativeContext.newPage();
  await nativePage.goto(`http://127.0.0.1:${await portOf(native)}/`);

  const { port } = new URL(browser.server.ideOrigin);
  const previewOrigin = `http://p-bench-${GUEST_PORT}.cloche.localhost:${port}`;
  await browser.page.evaluate(startGuest, { source: SERVER, guestPort: GUEST_PORT, serverPort: port });
  atEnd(() => browser.page.evaluate(() => (window as any).benchServer.kill('SIGKILL')));
  await browser.page.evaluate((url) => {
    const frame = document.createElement('iframe');
    frame.id = 'bench-preview';
    frame.allow = 'cross-origin-isolated';
    frame.src = url;
    document.body.append(frame);
  }, `${previewOrigin}/`);
  atEnd(() => browser.page.evaluate(() => document.getElementById('bench-preview')?.remove()));
  await browser.page
    .frameLocator('#bench-preview')
    .locator('h1')
    .filter({ hasText: 'bench' })
    .waitFor({ timeout: 30_000 });
  const frame = await (await browser.page.locator('#bench-preview').elementHandle())!.contentFrame();
  return {
    contestants: {
      cloche: async () => ({ '': await frame!.evaluate(medianRequest, REQUESTS) }),
      node: async () => ({ '': await nativePage.evaluate(medianRequest, REQUESTS) }),
    },
    rounds: 7,
    warmUps: 1,
    targets: { '': { most: 6 } },
    notes: { '': `a run is the median of ${REQUESTS} requests for 1 kB, one after the other` },
  };
}

async function medianRequest(count: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const text = await (await fetch(`/data?${index}`, { cache: 'no-store' })).text();
    times.push(performance.now() - started);
    if (text.length !== 1000) throw new Error(`the answer has ${text.length} characters`);
  }
  return times.sort((a, b) => a - b)[count >> 1];
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server of real Node ended with ${code}`)));
    child.stdout!.on('data', (bytes) => {
      const found = /port (\d+)/.exec(String(bytes));
      if (found) resolve(Number(found[1]));
    });
  });
}

async function startGuest(order: { source: string; guestPort: number; serverPort: string }): Promise<void> {
  const { source, guestPort, serverPort } = order;
  const engine = window.cloche.engine!;
  window.cloche.connectPreviews(engine, (port) => `http://p-bench-${port}.cloche.localhost:${serverPort}/`);
  await engine.write('/tmp/bench-server.cjs', new TextEncoder().encode(source));
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
  const server = await engine.spawn({
    command: 'node',
    args: ['/tmp/bench-server.cjs', String(guestPort)],
    cwd: '/tmp',
    env,
  });
  Object.assign(window, { benchServer: server });
  const { value } = await server.output.getReader().read();
  if (!value) throw new Error(`the server in the sandbox ended: ${await new Response(server.stderr).text()}`);
}
