import { expect, test } from 'vitest';
import type { HostKind } from './hosts';
import { routeHost } from './route-host';

const get = (host: HostKind, path: string, more = {}) =>
  routeHost(host, { method: 'GET', path, mode: null, accept: null, ...more });
const ide: HostKind = { kind: 'ide' };
const sandbox: HostKind = { kind: 'sandbox' };
const preview: HostKind = { kind: 'preview', id: 'a' };

test('the IDE has pages and the API, never the engine', () => {
  expect(get(ide, '/')).toEqual({ do: 'page' });
  expect(get(ide, '/github/vercel/next.js')).toEqual({ do: 'page' });
  expect(get(ide, '/_next/static/a.js')).toEqual({ do: 'asset' });
  expect(get(ide, '/api/chat')).toEqual({ do: 'api' });
  // A text that it hands to a foreign computer; the headers make it inert here.
  expect(get(ide, '/engine/extension-host.js')).toEqual({ do: 'engineFile', path: '/engine/extension-host.js' });
  expect(get(ide, '/engine/agent.js')).toEqual({ do: 'engineFile', path: '/engine/agent.js' });
  for (const path of ['/engine', '/engine/host.html', '/engine/host.js', '/engine/preview/sw.js'])
    expect(get(ide, path)).toMatchObject({ do: 'refuse', status: 404 });
});

test('the engine has no second spelling on the IDE’s origin, and what no path can be is refused before Next trips over it', () => {
  for (const path of [
    '/%65ngine/host.html',
    '/engine%2fhost.html',
    '/%65ngine%2Fkernel.8d14f386c3b1.js',
    '/x%2f..%2fengine/host.html',
    '/_next/..%2fengine%2fhost.html',
    '/_next%5c..%5cengine%5chost.html',
    '/%2fengine/host.html',
    '/p/%00',
    '/p/%E0%A4%A',
    '/%',
  ])
    expect(get(ide, path), path).toMatchObject({ do: 'refuse', status: 404 });
  for (const path of ['/api/npm/%E0%A4%A', '/api/npm/..%2fmodels', '/api/npm/x%5c..'])
    expect(get(sandbox, path), path).toMatchObject({ do: 'refuse', status: 404 });
  expect(get(ide, '/%61pi/models')).toEqual({ do: 'api' });
  expect(get(ide, '/p/caf%C3%A9')).toEqual({ do: 'page' });
  expect(get(sandbox, '/api/npm/@types%2fnode')).toEqual({ do: 'api' });
});

test('the sandbox has the engine and the registry, nothing else', () => {
  expect(get(sandbox, '/')).toEqual({ do: 'redirect', to: '/engine/host.html' });
  expect(get(sandbox, '/engine/host.html')).toEqual({ do: 'hostPage' });
  expect(get(sandbox, '/engine/host-config.json')).toEqual({ do: 'hostConfig' });
  expect(get(sandbox, '/headless')).toEqual({ do: 'webContainerHost', path: '/engine/webcontainer-host.html' });
  expect(get(sandbox, '/engine/kernel.8d14f386c3b1.js').do).toBe('engineFile');
  expect(get(sandbox, '/api/npm/is-number')).toEqual({ do: 'api' });
  for (const path of [
    '/p/x',
    '/api/chat',
    '/api/models',
    '/api/fetch',
    '/api/npm',
    '/_next/static/a.js',
    '/favicon.ico',
    '/engine/preview/sw.js',
    '/engine/../api/chat',
    '/engine/%2e%2e/x',
    '/__cloche/sw.js',
  ])
    expect(get(sandbox, path), path).toMatchObject({ do: 'refuse', status: 404 });
  expect(get(sandbox, '/engine/host.html', { method: 'POST' })).toMatchObject({ status: 404 });
});

test('a preview has its own files, and the boot page for navigations only', () => {
  expect(get(preview, '/__cloche/sw.js')).toEqual({ do: 'previewFile', path: '/engine/preview/sw.js' });
  expect(get(preview, '/__cloche/config.js')).toEqual({ do: 'previewConfig' });
  const boot = { do: 'previewFile', path: '/engine/preview/boot.html' };
  expect(get(preview, '/api/chat', { mode: 'navigate' })).toEqual(boot);
  expect(get(preview, '/x', { accept: 'text/html,*/*' })).toEqual(boot);
  for (const request of [
    { path: '/api/chat', mode: 'cors' },
    { path: '/api/chat', mode: 'navigate', method: 'POST' },
    { path: '/__cloche/host.html', mode: 'navigate' },
    { path: '/__cloche/../sw.js', mode: 'navigate' },
    { path: '/main.js', mode: 'no-cors' },
    { path: '/api/npm/is-number', mode: 'cors' },
    { path: '/api/fetch', mode: 'cors', method: 'POST' },
    { path: '/_next/static/a.js', mode: 'no-cors' },
  ])
    expect(get(preview, request.path, request), request.path).toMatchObject({ do: 'refuse', status: 404 });
});

test('a service worker is one of three scripts, whatever else an origin serves', () => {
  const asWorker = { asWorker: true };
  expect(get(ide, '/sw.js', asWorker)).toEqual({ do: 'ideWorker' });
  expect(get(sandbox, '/engine/sw.js', asWorker)).toEqual({ do: 'engineFile', path: '/engine/sw.js' });
  expect(get(preview, '/__cloche/sw.js', asWorker)).toMatchObject({ do: 'previewFile' });
  for (const [host, path] of [
    [ide, '/api/npm/evil'],
    [ide, '/_next/static/a.js'],
    [sandbox, '/engine/kernel.8d14f386c3b1.js'],
    [sandbox, '/engine/offline.js'],
    [sandbox, '/api/npm/evil/-/evil-1.0.0.tgz'],
    [preview, '/__cloche/ws.js'],
    [preview, '/evil.js'],
  ] as const)
    expect(get(host, path, asWorker), path).toMatchObject({ do: 'refuse', status: 404 });
});

test('what service workers import is where they look', () => {
  expect(get(ide, '/api/offline')).toEqual({ do: 'api' });
  expect(get(sandbox, '/engine/offline.js')).toEqual({ do: 'offlineConfig' });
  expect(get(sandbox, '/engine/keep.html')).toEqual({ do: 'hostPage' });
  expect(get(sandbox, '/engine/program.html')).toEqual({ do: 'programPage' });
  expect(get(ide, '/engine/program.html')).toMatchObject({ do: 'refuse' });
  expect(get(sandbox, '/sw.js')).toMatchObject({ do: 'refuse' });
  expect(get(ide, '/engine/ide/sw.js')).toMatchObject({ do: 'refuse' });
  expect(get(sandbox, '/engine/ide/sw.js')).toMatchObject({ do: 'refuse' });
});

test('other names lead to the IDE when they read, and get nothing when they write', () => {
  const host: HostKind = { kind: 'redirect', host: 'cloche.localhost:3000' };
  expect(get(host, '/p/x')).toEqual({ do: 'redirect', to: '//cloche.localhost:3000/p/x' });
  expect(get(host, '/api/chat', { method: 'POST' })).toMatchObject({ do: 'refuse', status: 421 });
  expect(get({ kind: 'unknown' }, '/')).toMatchObject({ do: 'refuse', status: 421 });
});
