// Boots that go wrong: each must end in a reported error within its time, and the next attempt must work without a page reload.
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { buildTinyEngine } from './tiny-engine';

let sandbox: SandboxBrowser;

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ assets: await buildTinyEngine(), boot: false });
});

test.afterAll(() => sandbox?.close());

const boot = (hostUrl: string, timeoutMs: number, attempts = 1) =>
  sandbox.page.evaluate(
    async ([url, timeout, tries]) => {
      const faults: string[] = [];
      const started = performance.now();
      try {
        const engine = await window.cloche.bootEngine({
          hostUrl: url,
          timeoutMs: timeout,
          attempts: tries,
          onFault: (message) => faults.push(message),
        });
        const exists = await engine.exists('/home/project');
        engine.dispose();
        return { outcome: exists ? 'booted' : 'empty', faults, frames: document.querySelectorAll('iframe').length };
      } catch (error) {
        const durationMs = performance.now() - started;
        return {
          outcome: (error as Error).message,
          durationMs,
          faults,
          frames: document.querySelectorAll('iframe').length,
        };
      }
    },
    [hostUrl, timeoutMs, attempts] as const,
  );

test('a host that never answers is a timeout that says where it stood; then a good one boots', async () => {
  const hanging: (() => void)[] = [];
  sandbox.server.routes.set('/engine/host.html', (_request, response) => void hanging.push(() => response.end()));
  const url = `${sandbox.server.sandboxOrigin}/engine/host.html`;
  const failed = await boot(url, 600);
  expect(failed.outcome).toContain('did not boot within 0.6 s (at: frame)');
  expect(failed.frames).toBe(0);
  sandbox.server.routes.delete('/engine/host.html');
  for (const end of hanging) end();
  expect((await boot(url, 20_000)).outcome).toBe('booted');
});

test('a second attempt uses a new frame and succeeds', async () => {
  const url = `${sandbox.server.sandboxOrigin}/engine/host.html`;
  let requests = 0;
  sandbox.server.routes.set('/engine/dump.json', (_request, response) => {
    requests++;
    sandbox.server.routes.delete('/engine/dump.json');
    response.writeHead(503).end();
  });
  const result = await boot(url, 20_000, 2);
  expect([requests, result.outcome]).toEqual([1, 'booted']);
  expect(result.faults[0]).toContain('answered 503');
});

/** A boot with a frame that was in the page before. */
const bootEarly = (hostUrl: string, until: 'it has spoken' | 'nothing') =>
  sandbox.page.evaluate(
    async ([url, wait]) => {
      const frame = document.createElement('iframe');
      frame.allow = 'cross-origin-isolated';
      frame.src = url;
      const heard = new Promise<void>((resolve) =>
        addEventListener('message', ({ data, source }) => {
          if (source === frame.contentWindow && ['waiting', 'failed'].includes(data.cloche)) resolve();
        }),
      );
      document.body.append(frame);
      if (wait === 'it has spoken') await heard;
      const faults: string[] = [];
      const engine = await window.cloche.bootEngine({
        hostUrl: url,
        frame,
        timeoutMs: 20_000,
        onFault: (message) => faults.push(message),
      });
      const exists = await engine.exists('/home/project');
      const isUsed = frame.isConnected;
      const frames = document.querySelectorAll('iframe').length;
      engine.dispose();
      return { exists, isUsed, frames, left: document.querySelectorAll('iframe').length, faults };
    },
    [hostUrl, until] as const,
  );

test('a frame that has been in the page since long, or hardly, is used; one that failed before anybody listened is replaced', async () => {
  const url = `${sandbox.server.sandboxOrigin}/engine/host.html`;
  const used = { exists: true, isUsed: true, frames: 1, left: 0, faults: [] };
  expect(await bootEarly(url, 'it has spoken')).toEqual(used);
  expect(await bootEarly(url, 'nothing')).toEqual(used);
  sandbox.server.routes.set('/engine/dump.json', (_request, response) => {
    sandbox.server.routes.delete('/engine/dump.json');
    response.writeHead(503).end();
  });
  const replaced = await bootEarly(url, 'it has spoken');
  expect(replaced).toMatchObject({ exists: true, isUsed: false, frames: 1, left: 0 });
  expect(replaced.faults[0]).toContain('answered 503');
});

test('an embedder that the server does not name is refused', async () => {
  const url = `${sandbox.server.sandboxOrigin}/engine/host.html`;
  sandbox.server.routes.set('/engine/host-config.json', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ allowedOrigins: ['https://elsewhere.example'] }));
  });
  expect((await boot(url, 1500)).outcome).toContain('did not boot');
  sandbox.server.routes.delete('/engine/host-config.json');
});

test('a process worker that fails to boot is reported with its reason', async () => {
  const broken = await startSandboxBrowser({
    assets: await buildTinyEngine('throw new Error("no lib here")'),
    boot: false,
  });
  try {
    const outcome = await broken.page.evaluate(
      (url) =>
        window.cloche.bootEngine({ hostUrl: url, attempts: 1 }).then(
          () => 'booted',
          (error) => error.message,
        ),
      `${broken.server.sandboxOrigin}/engine/host.html`,
    );
    expect(outcome).toContain('no lib here');
  } finally {
    await broken.close();
  }
});
