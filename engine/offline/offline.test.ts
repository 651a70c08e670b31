// What the service workers decide and check, without a browser.
import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { isOfBuild, linkedPages, planFetch, SHELL_ID, strangeFiles } from './page-plan';
import { type FileCache, fillCache, takeVerified } from './verified-files';
import { createServerWait } from './within';

describe('the plan for a request of the IDE', () => {
  const plan = (path: string, more = {}) =>
    planFetch({ method: 'GET', mode: 'navigate', path, sameOrigin: true, ...more });

  test('pages: each under its path, projects under one shell', () => {
    expect(plan('/')).toEqual({ do: 'page', shell: '/' });
    expect(plan('/new/node')).toEqual({ do: 'page', shell: '/new/node' });
    expect(plan('/p/abc123')).toEqual({ do: 'page', shell: `/p/${SHELL_ID}`, id: 'abc123' });
    expect(plan('/p/abc123/preview/3000')).toEqual({ do: 'page', shell: `/p/${SHELL_ID}/preview/1`, id: 'abc123' });
  });

  test('an id that could be more than text gets no shell', () => {
    for (const path of ['/p/%22%3E%3Cscript%3E', "/p/a'b", '/p/A<b', '/p/a"', `/p/${'a'.repeat(65)}`, '/p/a/b'])
      expect(plan(path), path).toEqual({ do: 'page', shell: path });
  });

  test('files of the build for ever; the API, other sites, writes and fetches of pages never', () => {
    expect(plan('/_next/static/chunks/a.js', { mode: 'no-cors' })).toEqual({ do: 'file' });
    expect(plan('/icon.svg', { mode: 'no-cors' })).toEqual({ do: 'page', shell: '/icon.svg' });
    expect(plan('/engine/extension-host.js', { mode: 'cors' })).toEqual({
      do: 'page',
      shell: '/engine/extension-host.js',
    });
    for (const facts of [
      { path: '/api/chat' },
      { path: '/api/models', mode: 'cors' },
      { path: '/', method: 'POST' },
      { path: '/', mode: 'cors' },
      { path: '/_next/static/a.js', sameOrigin: false },
      { path: '/sw.js', mode: 'same-origin' },
    ])
      expect(plan(facts.path, facts), JSON.stringify(facts)).toEqual({ do: 'nothing' });
  });

  test('templates are found on the start page; a page of another build is noticed', () => {
    expect(
      linkedPages('<a href="/new/node">x</a><a href="/new/node">y</a><a href="/new/express"><a href="/p/x">'),
    ).toEqual(['/new/node', '/new/express']);
    expect(isOfBuild(['/_next/static/a.js', '/x.js'], ['/_next/static/a.js'])).toBe(true);
    expect(isOfBuild(['/_next/static/a.js', '/_next/static/old.js'], ['/_next/static/a.js'])).toBe(false);
    expect(isOfBuild([], ['/_next/static/a.js'])).toBe(false);
    const html = `<script src="/_next/static/chunks/a.js"></script><script>f(["/_next/static/chunks/b.css","static"])</script>`;
    expect(strangeFiles(html, ['/_next/static/chunks/a.js'])).toEqual(['/_next/static/chunks/b.css']);
    expect(strangeFiles(html, ['/_next/static/chunks/a.js', '/_next/static/chunks/b.css'])).toEqual([]);
  });
});

describe('files in a cache that guests write to', () => {
  const body = 'the engine';
  const sha256 = createHash('sha256').update(body).digest('base64');
  const files = { '/engine/a.js': { sha256, type: 'text/javascript' } };
  const cacheOf = (entries: Record<string, string>): FileCache => ({
    match: async (path) => (entries[String(path)] === undefined ? undefined : new Response(entries[String(path)])),
    put: async (path, response) => {
      entries[String(path)] = await response.text();
    },
  });

  test('only the build’s bytes come out', async () => {
    const bytes = await takeVerified(cacheOf({ '/engine/a.js': body }), files, '/engine/a.js');
    expect(new TextDecoder().decode(bytes)).toBe(body);
    expect(await takeVerified(cacheOf({ '/engine/a.js': 'evil' }), files, '/engine/a.js')).toBeUndefined();
    expect(await takeVerified(cacheOf({ '/engine/b.js': body }), files, '/engine/b.js')).toBeUndefined();
    expect(await takeVerified(cacheOf({}), files, '/engine/a.js')).toBeUndefined();
  });

  test('what was changed is fetched again; another build’s file is refused by name', async () => {
    const entries: Record<string, string> = { '/engine/a.js': 'evil' };
    await fillCache(cacheOf(entries), files, async () => new Response(body));
    expect(entries).toEqual({ '/engine/a.js': body });
    await fillCache(cacheOf(entries), files, async () => Promise.reject(new Error('it is there already')));
    const filling = fillCache(cacheOf({}), files, async () => new Response('newer'));
    await expect(filling).rejects.toThrow(/\/engine\/a\.js is not the file .*another build/);
    await expect(fillCache(cacheOf({}), files, async () => new Response('', { status: 404 }))).rejects.toThrow(/404/);
  });
});

test('no server: refused, too late, or a proxy that says so', async () => {
  const answerInTime = createServerWait();
  expect(await answerInTime(Promise.reject(new TypeError('refused')))).toBeUndefined();
  expect(await createServerWait(5)(new Promise(() => {}))).toBeUndefined();
  expect(await answerInTime(Promise.resolve(new Response('', { status: 502 })))).toBeUndefined();
  expect((await answerInTime(Promise.resolve(new Response('', { status: 404 }))))?.status).toBe(404);
});

test('after one that came too late the next wait is short, until one is in time', async () => {
  vi.useFakeTimers();
  try {
    const answerInTime = createServerWait(4000, 300);
    const after = (ms: number) => new Promise<Response>((resolve) => setTimeout(resolve, ms, new Response('')));
    const given = async (ms: number) => {
      const waiting = answerInTime(after(ms));
      await vi.advanceTimersByTimeAsync(ms + 1);
      return (await waiting) !== undefined;
    };
    expect([await given(3000), await given(5000), await given(1000), await given(100), await given(3000)]).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
  } finally {
    vi.useRealTimers();
  }
});
