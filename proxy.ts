// The gate in front of every request (there is no matcher on purpose): which origin is this, what does it serve, with which headers.
// The decisions are in lib/server/{hosts,route-host,page-headers}.ts; here they meet Next.
import { type NextRequest, NextResponse } from 'next/server';
import { typeInBrotli } from './lib/server/brotli-files';
import { readEmbedders } from './lib/server/embedders';
import { classifyHost, originsOf, protocolOf, readHostConfig } from './lib/server/hosts';
import { FORGET_COOKIES, hasLongCookies } from './lib/server/long-cookies';
import {
  API_POLICY,
  engineCacheControl,
  type HeaderList,
  hostPageHeaders,
  IDE_HEADERS,
  IDE_WORKER_HEADERS,
  idePolicy,
  type Origins,
  previewHeaders,
  programPageHeaders,
  sandboxHeaders,
  webContainerHostHeaders,
} from './lib/server/page-headers';
import { NPM_PATH, type Plan, routeHost } from './lib/server/route-host';
import { computerCookie } from './lib/std/computer-cookie';
import { SITE_ORIGINS_NAME, type SiteOrigins } from './lib/std/site-origins';

const hosts = readHostConfig(process.env);
const embedders = readEmbedders(process.env);
/** Where guests may fetch from, besides their registry: CSP sources. Servers there still have to allow it by CORS. */
const connectSources = process.env.CLOCHE_SANDBOX_CONNECT ?? 'https: wss:';
const isDev = process.env.NODE_ENV === 'development';
/** Development changes files under their names; a service worker would show old ones. */
const worksOffline = !isDev && process.env.CLOCHE_OFFLINE !== 'off';

/** Answers or forwards one request; see `routeHost` for what exists where. */
export function proxy(request: NextRequest): NextResponse {
  const host = request.headers.get('host') ?? '';
  const protocol = protocolOf(request.headers.get('x-forwarded-proto'), request.nextUrl.protocol);
  const origins = originsOf(host, protocol, hosts);
  const kind = classifyHost(host, hosts);
  const plan = routeHost(kind, {
    method: request.method,
    path: request.nextUrl.pathname,
    mode: request.headers.get('sec-fetch-mode'),
    accept: request.headers.get('accept'),
    asWorker: request.headers.get('service-worker') === 'script',
  });
  const ownHeaders =
    kind.kind === 'sandbox'
      ? sandboxHeaders(origins, connectSources)
      : kind.kind === 'preview'
        ? previewHeaders(origins, embedders)
        : { ...IDE_HEADERS, 'content-security-policy': API_POLICY };
  const response = carryOut(plan, request, { protocol, origins, ownHeaders });
  return hasLongCookies(request.headers) ? withHeaders(response, FORGET_COOKIES) : response;
}

interface Place {
  protocol: 'http' | 'https';
  origins: Origins;
  /** What every answer of this origin carries. */
  ownHeaders: HeaderList;
}

function carryOut(plan: Plan, request: NextRequest, { protocol, origins, ownHeaders }: Place): NextResponse {
  switch (plan.do) {
    case 'page':
      return idePage(request, origins);
    case 'asset':
      return builtFile(request, IDE_HEADERS);
    case 'api':
      return withHeaders(NextResponse.next(), { ...ownHeaders, 'content-security-policy': API_POLICY });
    case 'hostConfig':
      return NextResponse.json(hostConfig(origins), { headers: { ...ownHeaders, 'cache-control': 'no-store' } });
    case 'ideWorker':
      return worker(request, '/engine/ide/sw.js', IDE_WORKER_HEADERS);
    case 'offlineConfig':
      return script('clocheEngine', ownHeaders, {
        hostConfig: hostConfig(origins),
        pageHeaders: { ...hostPageHeaders(origins, connectSources), 'cache-control': 'no-cache' },
        programHeaders: { ...programPageHeaders(origins), 'cache-control': 'no-cache' },
        fileHeaders: ownHeaders,
      });
    case 'hostPage':
      return withHeaders(NextResponse.next(), {
        ...hostPageHeaders(origins, connectSources),
        'cache-control': 'no-cache',
      });
    case 'programPage':
      return withHeaders(NextResponse.next(), { ...programPageHeaders(origins), 'cache-control': 'no-cache' });
    case 'webContainerHost':
      return publicFile(request, plan.path, {
        ...webContainerHostHeaders(origins, connectSources, embedders),
        'cache-control': 'no-cache',
      });
    case 'engineFile':
      if (plan.path === '/engine/sw.js') return worker(request, plan.path, ownHeaders);
      return builtFile(request, { ...ownHeaders, 'cache-control': engineCacheControl(plan.path) });
    case 'previewConfig':
      return script('clochePreview', ownHeaders, {
        bridgeOrigins: [origins.ide, origins.sandbox],
        headers: ownHeaders,
      });
    case 'previewFile':
      return publicFile(request, plan.path, {
        ...ownHeaders,
        'cache-control': 'no-cache',
        'service-worker-allowed': '/',
      });
    case 'redirect': {
      const to = plan.to.startsWith('//')
        ? `${protocol}:${plan.to}${request.nextUrl.search}`
        : origins.sandbox + plan.to;
      return new NextResponse(null, {
        status: 307,
        headers: { ...ownHeaders, location: to, 'cache-control': 'no-store' },
      });
    }
    case 'refuse':
      return new NextResponse(`${plan.why}\n`, {
        status: plan.status,
        headers: {
          ...ownHeaders,
          ...(plan.status === 405 ? { allow: plan.allow } : {}),
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'no-store',
        },
      });
  }
}

/** What the engine's host page must know. */
function hostConfig(origins: Origins): object {
  return {
    allowedOrigins: [origins.ide],
    registry: origins.sandbox + NPM_PATH,
    embedders: [origins.ide, ...embedders],
    preview: origins.preview,
  };
}

/** A service worker of ours, or the one that ends it. */
function worker(request: NextRequest, path: string, headers: HeaderList): NextResponse {
  return publicFile(request, worksOffline ? path : '/engine/ide/off.js', { ...headers, 'cache-control': 'no-cache' });
}

/** A file of `public/` under another address. */
function publicFile(request: NextRequest, path: string, headers: HeaderList): NextResponse {
  const url = request.nextUrl.clone();
  url.pathname = path;
  url.search = '';
  return withHeaders(NextResponse.rewrite(url), headers);
}

/** A file under its own address; Next takes the smaller form of one for nothing that it knows. */
function builtFile(request: NextRequest, headers: HeaderList): NextResponse {
  const type = typeInBrotli(request.nextUrl.pathname);
  return withHeaders(NextResponse.next(), type === undefined ? headers : { ...headers, 'content-type': type });
}

/** A script that sets a global: service workers import it and have it later without us. */
function script(name: string, headers: HeaderList, value: object): NextResponse {
  return new NextResponse(`self.${name}=${JSON.stringify(value)};\n`, {
    headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

function idePage(request: NextRequest, origins: Origins): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const usesContainers = request.cookies.get(computerCookie)?.value === 'webcontainer';
  const policy = idePolicy(nonce, origins, { isDev, usesContainers });
  // Next takes the nonce for its own scripts from the request's policy.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  const told: SiteOrigins = { sandbox: origins.sandbox, preview: origins.preview, offline: worksOffline };
  headers.set(SITE_ORIGINS_NAME, JSON.stringify(told));
  return withHeaders(NextResponse.next({ request: { headers } }), {
    ...IDE_HEADERS,
    'content-security-policy': policy,
  });
}

function withHeaders(response: NextResponse, headers: HeaderList): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
