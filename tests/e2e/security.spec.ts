// Three origins, three levels of trust: what each serves, and what hostile code gets when it tries, from a process and from a preview.
import { fileURLToPath } from 'node:url';
import { expect, type Frame, type Page, test } from '@playwright/test';
import { build } from 'esbuild';
import { attack, SECRET, SECRET_DATABASE } from './attack';
import { ask, IDE, originOf, PREVIEW, SANDBOX } from './hosts';

test.describe('what each name serves', () => {
  test('pages of the IDE are isolated, and run scripts by a nonce that is never the same', async ({ baseURL }) => {
    const nonces = new Set<string>();
    for (const path of ['/', '/p/some-project', '/p/next.js', '/not/a/page']) {
      const { headers, body } = await ask(baseURL!, IDE, path);
      expect(headers['cross-origin-opener-policy'], path).toBe('same-origin');
      expect(headers['cross-origin-embedder-policy'], path).toBe('require-corp');
      expect(headers['cross-origin-resource-policy'], path).toBe('same-origin');
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      const policy = headers['content-security-policy'] as string;
      expect(policy, path).toMatch(/frame-ancestors 'none'/);
      expect(policy, path).not.toMatch(/script-src[^;]*('unsafe-eval'|'unsafe-inline'|https?:)/);
      expect(policy, path).not.toMatch(/img-src[^;]*https?:/);
      const nonce = /'nonce-([^']+)'/.exec(policy)![1];
      nonces.add(nonce);
      const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
      expect(scripts.length, path).toBeGreaterThan(0);
      for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    }
    expect(nonces.size).toBe(4);
  });

  test('what pages load is isolated too', async ({ baseURL }) => {
    const { body } = await ask(baseURL!, IDE, '/');
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(body)![1];
    const { status, headers } = await ask(baseURL!, IDE, script);
    expect(status).toBe(200);
    expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
    expect(headers['cache-control']).toContain('immutable');
  });

  test('no answer sets a cookie', async ({ baseURL }) => {
    for (const [host, path] of [
      [IDE, '/'],
      [IDE, '/api/models'],
      [SANDBOX, '/engine/host.html'],
      [PREVIEW, '/'],
    ])
      expect((await ask(baseURL!, host, path)).headers['set-cookie'], host + path).toBeUndefined();
  });

  test('other names lead to the IDE or nowhere', async ({ baseURL }) => {
    const redirect = await ask(baseURL!, 'localhost', '/p/x?y=1');
    expect([redirect.status, redirect.headers.location]).toEqual([307, `${originOf(baseURL!, IDE)}/p/x?y=1`]);
    for (const host of ['example.org', 'x.cloche.localhost', 'cloche.localhost.example.org'])
      expect((await ask(baseURL!, host, '/')).status, host).toBe(421);
    expect((await ask(baseURL!, 'localhost', '/api/chat', { method: 'POST', body: '{}' })).status).toBe(421);
  });

  test('the sandbox has the engine and nothing of the IDE; the IDE has nothing of the engine', async ({ baseURL }) => {
    const page = await ask(baseURL!, SANDBOX, '/engine/host.html');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${originOf(baseURL!, IDE)}`);
    const config = await ask(baseURL!, SANDBOX, '/engine/host-config.json');
    expect(JSON.parse(config.body)).toMatchObject({ allowedOrigins: [originOf(baseURL!, IDE)] });
    const manifest = JSON.parse((await ask(baseURL!, SANDBOX, '/engine/manifest.json')).body);
    const kernel = await ask(baseURL!, SANDBOX, `/engine/${manifest.kernel}`);
    expect(kernel.headers['cache-control']).toContain('immutable');
    for (const path of [
      '/p/x',
      '/api/chat',
      '/api/fetch',
      '/api/models',
      '/_next/static/x.js',
      '/icon.svg',
      '/engine/preview/sw.js',
    ])
      expect((await ask(baseURL!, SANDBOX, path)).status, path).toBe(404);
    for (const path of ['/engine/host.html', '/engine/manifest.json', `/engine/${manifest.kernel}`])
      expect((await ask(baseURL!, IDE, path)).status, path).toBe(404);
  });

  test('a preview has no API and no pages', async ({ baseURL }) => {
    for (const path of [
      '/api/chat',
      '/api/fetch',
      '/api/models',
      '/api/npm/is-number',
      '/_next/static/x.js',
      '/engine/host.html',
    ])
      for (const method of ['GET', 'POST'])
        expect((await ask(baseURL!, PREVIEW, path, { method })).status, `${method} ${path}`).toBe(404);
  });

  test('the API takes no request that another site made a browser send', async ({ baseURL }) => {
    const json = { 'content-type': 'application/json' };
    const post = (headers: Record<string, string>) =>
      ask(baseURL!, IDE, '/api/chat', { method: 'POST', headers, body: '{}' }).then(({ status }) => status);
    expect(await post({ ...json, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await post({ ...json, 'sec-fetch-site': 'same-site', origin: originOf(baseURL!, SANDBOX) })).toBe(403);
    expect(await post({ ...json, origin: originOf(baseURL!, PREVIEW) })).toBe(403);
    expect(await post({ ...json, origin: 'null' })).toBe(403);
    expect(await post(json)).toBe(403);
    expect(await post({ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' })).toBe(415);
    // The opposite, so that the refusals above are of these headers: an own request gets as far as its content.
    expect(await post({ ...json, 'sec-fetch-site': 'same-origin', origin: originOf(baseURL!, IDE) })).toBe(400);
  });
});

test.describe('hostile code', () => {
  let client: string;
  test.beforeAll(async () => {
    const result = await build({
      entryPoints: [fileURLToPath(new URL('../sandbox/page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2023',
    });
    client = result.outputFiles[0].text;
  });

  /** The IDE's start page with secrets, an engine, and a list of what the server answered to the API. */
  async function openIde(page: Page, baseURL: string) {
    const answers: { url: string; status: number }[] = [];
    page.context().on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/api/'))
        answers.push({ url: response.url(), status: response.status() });
    });
    await page.goto('/');
    await page.evaluate(
      async ([secret, name]) => {
        localStorage.setItem('secret', secret);
        sessionStorage.setItem('secret', secret);
        // biome-ignore lint/suspicious/noDocumentCookie: the way that a page sets one.
        document.cookie = `secret=${secret}; path=/`;
        await new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onupgradeneeded = () => opening.result.createObjectStore(secret);
          opening.onsuccess = () => resolve();
          opening.onerror = () => reject(opening.error);
        });
      },
      [SECRET, SECRET_DATABASE],
    );
    await page.evaluate(client);
    await page.evaluate((url) => window.cloche.boot(url, 45_000), `${originOf(baseURL, SANDBOX)}/engine/host.html`);
    return answers;
  }

  /** Nothing was learned, nothing was done: whatever an attempt says, it is not the secret, and the API took no request. */
  function expectNothingGained(results: Record<string, string>, answers: { url: string; status: number }[]): void {
    for (const [name, got] of Object.entries(results)) expect(got, name).not.toContain(SECRET);
    for (const name of [
      'read the API',
      'read a page',
      'post to the API',
      'scripts of the IDE',
      'parent document',
      'top storage',
      'sibling frames',
      'popup',
      'frame the IDE',
      'frame the engine',
    ])
      expect(results[name], name).toMatch(/^refused: /);
    // A body that cannot be read is no answer; a blind request may leave, and the server must have refused it.
    expect(results['read the API without CORS']).toMatch(/^(refused: .*|)$/s);
    expect(results['the API by this origin']).toMatch(/^(refused: .*|404)$/s);
    expect(results.indexedDB).toMatch(/^(refused: .*|empty)$/s);
    for (const { url, status } of answers)
      if (new URL(url).pathname === '/api/chat') expect(status, url).toBeGreaterThanOrEqual(400);
  }

  const attackText = (baseURL: string): string =>
    `(${attack})(${JSON.stringify(originOf(baseURL, IDE))}, ${JSON.stringify(originOf(baseURL, SANDBOX))})`;

  test('the IDE’s page and the sandbox’s frame share memory; the frame is sandboxed', async ({ page, baseURL }) => {
    await openIde(page, baseURL!);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const host = frameAt(page, originOf(baseURL!, SANDBOX));
    expect(await host.evaluate(() => [crossOriginIsolated, location.origin])).toEqual([
      true,
      originOf(baseURL!, SANDBOX),
    ]);
  });

  test('from inside a process', async ({ page, baseURL }) => {
    const answers = await openIde(page, baseURL!);
    const script = `${attackText(baseURL!)}.then((results) => console.log(JSON.stringify(results)))`;
    const output = await page.evaluate(async (program) => {
      const child = await window.cloche.engine!.spawn({
        command: 'node',
        args: ['-e', program],
        cwd: '/home/project',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
      });
      void child.input.close().catch(() => {});
      const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();
      const [out, error] = await Promise.all([read(child.output), read(child.stderr)]);
      return { out, error };
    }, script);
    expect(output.out, output.error).toMatch(/^\{/);
    expectNothingGained(JSON.parse(output.out), answers);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('from the engine’s own workers, past everything that Node puts in between', async ({ page, baseURL }) => {
    const answers = await openIde(page, baseURL!);
    const workers = page.workers().filter((worker) => worker.url().startsWith(originOf(baseURL!, SANDBOX)));
    expect(workers.length).toBeGreaterThan(0);
    const results = (await workers[0].evaluate(attackText(baseURL!))) as Record<string, string>;
    expectNothingGained(results, answers);
    // Here the policy of the origin itself says no, before anything leaves.
    expect(results['post blindly']).toMatch(/^refused: /);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  test('from the sandbox’s frame, as if a guest had taken over the host page', async ({ page, baseURL }) => {
    await openIde(page, baseURL!);
    const host = frameAt(page, originOf(baseURL!, SANDBOX));
    const tried = await host.evaluate(() => {
      const tries: [string, () => unknown][] = [
        ['top', () => window.top!.location.assign('about:blank#taken')],
        ['parent', () => window.parent.document.title],
        ['storage', () => window.parent.localStorage.length],
        ['popup', () => window.open('about:blank')!.document.title],
      ];
      return tries.map(([name, action]) => {
        try {
          action();
          return `${name} worked`;
        } catch {
          return `${name} refused`;
        }
      });
    });
    expect(tried.slice(1)).toEqual(['parent refused', 'storage refused', 'popup refused']);
    await page.waitForTimeout(300);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(page.context().pages()).toHaveLength(1);
  });

  test('from a preview', async ({ page, baseURL }) => {
    const answers = await openIde(page, baseURL!);
    const preview = originOf(baseURL!, PREVIEW);
    // The page that a guest's server would send; the service worker adds these headers to it.
    await page.context().route(`${preview}/evil`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'cross-origin-embedder-policy': 'credentialless',
          'cross-origin-resource-policy': 'cross-origin',
          'cross-origin-opener-policy': 'same-origin',
        },
        body: '<!doctype html><title>evil</title><body>hello</body>',
      }),
    );
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.setAttribute(
        'sandbox',
        'allow-scripts allow-same-origin allow-forms allow-popups allow-modals allow-downloads',
      );
      frame.allow = 'cross-origin-isolated';
      frame.src = `${url}/evil`;
      document.body.append(frame);
      return new Promise((resolve) => {
        frame.onload = resolve;
      });
    }, preview);
    const frame = frameAt(page, preview);
    const results = (await frame.evaluate(attackText(baseURL!))) as Record<string, string>;
    expectNothingGained(results, answers);
    // In a tab of its own no frame holds the page back: a form's post goes out, with the cookies of a same-site page, and the API refuses it.
    const tab = await page.context().newPage();
    await tab.goto(`${preview}/evil`);
    const [response] = await Promise.all([
      tab.waitForResponse((candidate) => candidate.url().endsWith('/api/chat')),
      tab.evaluate(
        (ide) => {
          const form = document.createElement('form');
          form.method = 'post';
          form.action = `${ide}/api/chat`;
          form.enctype = 'text/plain';
          form.innerHTML = `<input name='{"messages":[],"x":"' value='"}'>`;
          document.body.append(form);
          form.submit();
        },
        originOf(baseURL!, IDE),
      ),
    ]);
    expect(response.status()).toBe(403);
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

function frameAt(page: Page, origin: string): Frame {
  const frame = page.frames().find((candidate) => candidate.url().startsWith(`${origin}/`));
  if (!frame) throw new Error(`no frame at ${origin}: ${page.frames().map((candidate) => candidate.url())}`);
  return frame;
}
