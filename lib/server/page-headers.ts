// The security headers of each origin, as plain data. They are decided per request in proxy.ts, not in next.config.ts, because host names are
// known only then. Cross-origin isolation needs COEP on everything that a page, a worker or a frame loads.
import type { originsOf } from './hosts';

export type Origins = ReturnType<typeof originsOf>;
export type HeaderList = Record<string, string>;

/** What no page of ours needs; frames get what their `allow` attribute says of the rest. */
const PERMISSIONS =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()';

const BASE: HeaderList = {
  'x-content-type-options': 'nosniff',
  'permissions-policy': PERMISSIONS,
};

/** On everything of the IDE's origin. */
export const IDE_HEADERS: HeaderList = {
  ...BASE,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  // The engine's host page reads its embedder's origin from the referrer where the browser has no ancestorOrigins.
  'referrer-policy': 'strict-origin',
};

export interface IdePageKind {
  /** Adds what Next's hot reloading needs. */
  isDev: boolean;
  /** The person has chosen WebContainers: adds frames of StackBlitz's hosts. */
  usesContainers: boolean;
}

/** StackBlitz's host page, and the hosts of its previews. */
const CONTAINER_FRAMES = 'https://stackblitz.com https://*.webcontainer.io https://*.webcontainer-api.io';

/** The IDE's pages: scripts by nonce only. */
export function idePolicy(nonce: string, origins: Origins, { isDev, usesContainers }: IdePageKind): string {
  return policy({
    'default-src': "'self'",
    'script-src': `'self' 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'${isDev ? " 'unsafe-eval'" : ''}`,
    'worker-src': "'self' blob:",
    // Monaco and xterm write style elements and attributes.
    'style-src': "'self' 'unsafe-inline'",
    // No https: here. An image URL in a model's answer would carry secrets out, and COEP blocks only after the request.
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob: data:",
    'font-src': "'self' data:",
    'connect-src': `'self' blob: data:${isDev ? ' ws: wss:' : ''}`,
    'frame-src': `${origins.sandbox} ${origins.previewSource}${usesContainers ? ` ${CONTAINER_FRAMES}` : ''}`,
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  });
}

/** Answers of `/api`: even when a browser is made to show one as a page, it is inert. */
export const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/**
 * Everything of the sandbox's origin. Workers obey the policy of their own script, so the engine's files carry it too: guests may evaluate code
 * and fetch from where `connectSources` allows (CSP sources), and there is nothing here to show or to submit to.
 */
export function sandboxHeaders(origins: Origins, connectSources: string): HeaderList {
  return {
    ...BASE,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'content-security-policy': policy({ ...guestDirectives(connectSources), 'frame-ancestors': origins.ide }),
  };
}

function guestDirectives(connectSources: string): Record<string, string> {
  return {
    'default-src': "'none'",
    'script-src': "'self' blob: 'unsafe-eval' 'wasm-unsafe-eval'",
    'worker-src': "'self' blob:",
    'connect-src': `'self' blob: data: ${connectSources}`,
    'base-uri': "'none'",
    'form-action': "'none'",
  };
}

/** The host page on top: the IDE may frame it, and the `sandbox` directive keeps it from navigating the top page or opening others. */
export function hostPageHeaders(origins: Origins, connectSources: string): HeaderList {
  const headers = sandboxHeaders(origins, connectSources);
  return {
    ...headers,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': `${headers['content-security-policy']}; sandbox allow-scripts allow-same-origin`,
  };
}

/**
 * The page in which a model's programs run. The `sandbox` directive gives it an origin that nobody else has and that owns nothing; it may load nothing, ask
 * nobody and store nothing. What it does is evaluate code, in a worker that inherits all this.
 */
export function programPageHeaders(origins: Origins): HeaderList {
  return {
    ...BASE,
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'unsafe-inline' 'unsafe-eval'",
      'worker-src': 'blob:',
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': origins.ide,
      sandbox: 'allow-scripts',
    }),
  };
}

/** The page that the WebContainer client frames: besides the IDE also `embedders` may do so, and it holds the bridges of its previews itself. */
export function webContainerHostHeaders(
  origins: Origins,
  connectSources: string,
  embedders: readonly string[],
): HeaderList {
  return {
    ...sandboxHeaders(origins, connectSources),
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': policy({
      ...guestDirectives(connectSources),
      'frame-src': origins.previewSource,
      'frame-ancestors': [origins.ide, ...embedders].join(' '),
      sandbox: 'allow-scripts allow-same-origin',
    }),
  };
}

/** What we serve on preview origins (service worker, bridge, boot page). The guest's own pages come from the service worker, with its headers. */
export function previewHeaders(origins: Origins, embedders: readonly string[]): HeaderList {
  return {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'credentialless',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'strict-origin',
    'content-security-policy': policy({
      'default-src': "'none'",
      'script-src': "'self'",
      'worker-src': "'self'",
      'connect-src': "'self'",
      'style-src': "'unsafe-inline'",
      'base-uri': "'none'",
      'form-action': "'none'",
      // A guest's page may frame another page of its own; the sandbox's host page holds bridges for the WebContainer client.
      'frame-ancestors': [origins.ide, "'self'", origins.sandbox, ...embedders].join(' '),
    }),
  };
}

/** The IDE's service worker obeys the policy of its own script: it imports and fetches from here, nothing else. */
export const IDE_WORKER_HEADERS: HeaderList = {
  ...IDE_HEADERS,
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  'cache-control': 'no-cache',
};

/** How long a file of `public/engine` may be kept: for ever when its name carries its content's hash. */
export function engineCacheControl(path: string): string {
  return /\.[0-9a-f]{12}\.[a-z]+(?:\.br)?$/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function policy(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
