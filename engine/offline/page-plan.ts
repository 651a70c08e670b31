// What the IDE's service worker does with a request, as pure functions. Pages need the server's nonce and headers, so they are kept as whole
// answers; a project's page differs from another's in its id alone, so one page of a made-up project is the shell of all.
/** The id of the made-up project; its page is kept and serves every other one. */
export const SHELL_ID = 'offline-shell-of-projects';

const ICON = '/icon.svg';
/** The program for a project's tools and plugins, fetched as text. */
const EXTENSION_HOST = '/engine/extension-host.js';

/** What is kept besides files and the pages that the start page links to. */
export const PAGES: readonly string[] = ['/s', ICON, EXTENSION_HOST, `/p/${SHELL_ID}`, `/p/${SHELL_ID}/preview/1`];

export type FetchPlan =
  /** Not ours: as if there were no service worker. */
  | { do: 'nothing' }
  /** Kept for ever under this path. */
  | { do: 'file' }
  /** The server first; without it what is kept for the path `shell`, with `id` in the place of SHELL_ID. */
  | { do: 'page'; shell: string; id?: string };

export interface FetchFacts {
  method: string;
  mode: string;
  /** As in the URL. */
  path: string;
  sameOrigin: boolean;
}

/** The plan for one request. */
export function planFetch({ method, mode, path, sameOrigin }: FetchFacts): FetchPlan {
  if (!sameOrigin || method !== 'GET' || path.startsWith('/api/')) return { do: 'nothing' };
  if (path.startsWith('/_next/static/')) return { do: 'file' };
  if (path === ICON || path === EXTENSION_HOST) return { do: 'page', shell: path };
  if (mode !== 'navigate') return { do: 'nothing' };
  // Only what can stand in HTML and in a script's string as it is.
  const project = /^\/p\/([a-z0-9-]{1,64})(\/preview\/\d{1,5})?$/.exec(path);
  if (project) return { do: 'page', shell: project[2] ? `/p/${SHELL_ID}/preview/1` : `/p/${SHELL_ID}`, id: project[1] };
  return { do: 'page', shell: path };
}

/** The pages of templates that the start page links to. */
export function linkedPages(html: string): string[] {
  return [...new Set([...html.matchAll(/href="(\/new\/[\w-]+)"/g)].map(([, path]) => path))];
}

/** Whether a page with these scripts is of the build with these files, as far as anybody can tell. */
export function isOfBuild(scripts: readonly string[], files: readonly string[]): boolean {
  const own = scripts.filter((path) => path.startsWith('/_next/static/'));
  return own.length > 0 && own.every((path) => files.includes(path));
}

/** What `html` loads that is not in `files`: a page of another build than the list. */
export function strangeFiles(html: string, files: readonly string[]): string[] {
  const named = html.match(/\/_next\/static\/[\w./~%-]+\.(?:js|css)/g) ?? [];
  const known = new Set(files);
  return [...new Set(named)].filter((path) => !known.has(path));
}
