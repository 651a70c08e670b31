// The three origins as the IDE's pages learn them: the server knows the host names, the layout writes them into a meta element.
// Pages must not guess: host names are the deployment's choice.

/** Request header from proxy.ts to the layout, and the name of the meta element; both carry the JSON of SiteOrigins. */
export const SITE_ORIGINS_NAME = 'cloche-origins';

export interface SiteOrigins {
  /** Where the engine's host page is, e.g. `http://sandbox.cloche.localhost:3000`. */
  sandbox: string;
  /** Origin of previews with `*` where the id goes, e.g. `http://p-*.cloche.localhost:3000`. */
  preview: string;
  /** The server has service workers that keep all this working without it. */
  offline?: boolean;
}

/** The longest id that previewOrigin takes, whatever the deployment's pattern: a DNS label has 63 characters. */
export const MAX_PREVIEW_ID_LENGTH = 48;

/** What the meta element's content says; an Error when it says nothing usable. */
export function parseSiteOrigins(content: string | null | undefined): SiteOrigins {
  if (!content)
    throw new Error(`The page has no meta element "${SITE_ORIGINS_NAME}": it did not come through proxy.ts.`);
  const { sandbox, preview, offline } = JSON.parse(content) as Partial<SiteOrigins>;
  if (typeof sandbox !== 'string' || typeof preview !== 'string' || !preview.includes('*'))
    throw new Error(`The meta element "${SITE_ORIGINS_NAME}" names no origins: ${content}`);
  return { sandbox, preview, ...(offline ? { offline } : {}) };
}

/** URL of the engine's host page, for `bootEngine`. */
export function engineHostUrl(origins: SiteOrigins): string {
  return `${origins.sandbox}/engine/host.html`;
}

/** URL of the page that keeps the engine for offline work, for `keepEngine`. */
export function keepPageUrl(origins: SiteOrigins): string {
  return `${origins.sandbox}/engine/keep.html`;
}

/** URL of the page in which a model's programs run, for `startProgramFrame`. */
export function programPageUrl(origins: SiteOrigins): string {
  return `${origins.sandbox}/engine/program.html`;
}

/** A preview's id that nobody can guess. */
export function newPreviewId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether `id` can be a preview's name: lower-case letters, digits and inner hyphens, bounded so that it fits a DNS label. */
export function isPreviewId(id: string): boolean {
  return id.length <= MAX_PREVIEW_ID_LENGTH && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(id);
}

/** Origin of the preview called `id`. Throws an Error for an id that no host name can carry. */
export function previewOrigin(origins: SiteOrigins, id: string): string {
  if (!isPreviewId(id))
    throw new Error(`"${id}" cannot be a preview's id: lower-case letters, digits and hyphens only.`);
  return origins.preview.replace('*', id);
}
