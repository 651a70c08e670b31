// The webfetch tool: one page of the web as text. Each host is asked about, also where a redirect leads to another one, and what comes back
// is framed as somebody else's words.
import { z } from 'zod';
import { byteLength } from '../std/bound-text';
import { decodeText } from '../std/text-file';
import type { FetchedPage, FetchPage } from './fetch-page';
import { foreignCut, framed } from './foreign-text';
import { mediaKind } from './media-kind';
import { keepArticle } from './page-article';
import { type ParseHtml, pageToMarkdown, pageToText, readPage } from './page-text';
import { type Tool, type ToolContext, ToolError, type ToolResult } from './tool';
import { webfetchPrompt } from './webfetch.prompt';

const defaultTimeoutMs = 30_000;
const maxTimeoutMs = 120_000;
const maxRedirects = 5;
const keptMs = 15 * 60_000;
const maxKeptPages = 30;
const maxKeptBytes = 16 * 1024 * 1024;
const errorChars = 2000;

const input = z.object({
  url: z.string().min(1).max(4000).describe('An absolute URL'),
  format: z.enum(['markdown', 'text', 'html', 'article']).optional().describe('What to show it as'),
  timeoutMs: z.number().int().positive().max(maxTimeoutMs).optional().describe('How long it may take, in ms'),
});

type Format = NonNullable<z.infer<typeof input>['format']>;
type Page = Extract<FetchedPage, { kind: 'page' }>;

export interface WebFetchOptions {
  fetchPage: FetchPage;
  parseHtml: ParseHtml;
  nowMs?(): number;
}

/** A webfetch tool with a memory of its own: a page that was fetched a moment ago is not fetched again. */
export function webfetchTool(options: WebFetchOptions): Tool<z.infer<typeof input>> {
  const recall = createPageMemory(options.nowMs ?? Date.now);
  return {
    name: 'webfetch',
    kind: 'net',
    description: webfetchPrompt.description,
    input,
    example: { url: 'https://nodejs.org/api/fs.html', format: 'markdown' },
    async execute({ url: address, format = 'markdown', timeoutMs = defaultTimeoutMs }, context) {
      let url = acceptedUrl(address);
      for (let left = maxRedirects; ; left--) {
        await askFor(url, context);
        const { href } = url;
        const page =
          recall.get(href) ??
          (await options.fetchPage({ url: href, accept: accepts[format], timeoutMs, signal: context.signal }));
        if (page.kind === 'page') {
          if (page.status < 400) recall.keep(href, page);
          return shown(page, format, options);
        }
        if (left === 0) throw new ToolError(webfetchPrompt.tooManyRedirects(url.host));
        url = acceptedUrl(page.to);
      }
    },
  };
}

const accepts: Record<Format, string> = {
  markdown: 'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.1',
  text: 'text/plain, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.1',
  html: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1',
  article: 'text/html, application/xhtml+xml;q=0.9, text/markdown;q=0.8, */*;q=0.1',
};

/** Refuses what no permission could make right, before the person is asked. */
function acceptedUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ToolError(webfetchPrompt.notAbsolute(address));
  if (url.username || url.password) throw new ToolError(webfetchPrompt.password);
  if (/^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)\.?$/.test(url.hostname))
    throw new ToolError(webfetchPrompt.inside(url.host));
  url.hash = '';
  return url;
}

/** The fact is the place without its query; the title shows all of it, because a query can carry things away. */
async function askFor(url: URL, context: ToolContext): Promise<void> {
  const title = placeOf(url.href);
  context.update({ title });
  await context.ask({
    permission: 'webfetch',
    patterns: [`https://${url.host}${url.pathname}`],
    always: [`https://${url.host}/*`],
    title: `Fetch ${title}`,
    meta: { url: url.href },
  });
}

async function shown(page: Page, format: Format, options: WebFetchOptions): Promise<ToolResult> {
  const { bytes, status } = page;
  const place = placeOf(page.url);
  const type = page.type.split(';')[0]!.trim().toLowerCase() || 'unknown type';
  const meta = { url: page.url, type, bytes: bytes.length, status };
  // What it calls itself may be wrong; what it begins with is not. The session decodes it, or tells why it can't be shown.
  const media = mediaKind(bytes);
  if (status < 400 && (media?.mediaType !== undefined || media?.sound !== undefined))
    return {
      title: place,
      output: webfetchPrompt.media(page.url, media.words, bytes.length),
      meta,
      media: [
        {
          bytes,
          mediaType: media.mediaType ?? media.sound!,
          name: new URL(page.url).pathname.split('/').at(-1) || place,
        },
      ],
    };
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)$/.test(type);
  if (!isText(type, bytes)) throw new ToolError(webfetchPrompt.noText(place, type, bytes.length));
  const source = decode(page);
  const { text, title, remark } =
    isHtml && format !== 'html'
      ? await readable(source, page.url, format, options)
      : { text: source, title: '', remark: undefined };
  if (status >= 400)
    throw new ToolError(
      `${webfetchPrompt.failed(place, status)}\n${framed(`${page.url} (${type}).`, text.slice(0, errorChars), webfetchPrompt.empty)}`,
    );
  const what = [
    type,
    `${byteLength(text)} bytes as ${remark ?? (isHtml ? format : 'text')}`,
    ...(title ? [JSON.stringify(title)] : []),
  ];
  return {
    title: place,
    output: framed(`${page.url} (${what.join(', ')}).`, text, webfetchPrompt.empty),
    cut: foreignCut,
    value: () => text,
    meta: {
      ...meta,
      ...(title ? { title } : {}),
    },
  };
}

/** Every element costs time of the page's, and nobody reads so much. */
const maxPageChars = 2_000_000;

/** `remark`: what it is, where that is not what was wanted. */
async function readable(
  source: string,
  url: string,
  format: Exclude<Format, 'html'>,
  { parseHtml }: WebFetchOptions,
): Promise<{ title: string; text: string; remark: string | undefined }> {
  const { title, body } = readPage(source.slice(0, maxPageChars), url, parseHtml);
  const isWhole = format !== 'article' || !keepArticle(body);
  const text = format === 'text' ? pageToText(body) : await pageToMarkdown(body);
  const left = source.length - maxPageChars;
  return {
    title,
    text: left > 0 ? `${text}\n\n[${left} more characters of the page were not converted; format html has them]` : text,
    remark: format === 'article' && isWhole ? webfetchPrompt.noArticle : undefined,
  };
}

function isText(type: string, bytes: Uint8Array): boolean {
  if (
    /^text\/|[/+](?:json|xml|yaml|toml)$|\/(?:javascript|ecmascript|graphql|sql|x-(?:sh|yaml|ndjson|javascript))$|ndjson$/.test(
      type,
    )
  )
    return true;
  // Many servers know no type for a file; its bytes tell.
  return /^(?:unknown type|application\/octet-stream)$/.test(type) && decodeText(bytes).kind === 'text';
}

/** By byte order mark, the site's word, the page's own word, else UTF-8. */
function decode({ bytes, type }: Page): string {
  const declared =
    /charset\s*=\s*["']?([\w-]+)/i.exec(type)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 2048)))?.[1];
  const mark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
          ? 'utf-8'
          : undefined;
  for (const label of [mark, declared, 'utf-8'])
    try {
      if (label !== undefined) return new TextDecoder(label).decode(bytes);
    } catch {
      // No encoding of this name: the next best.
    }
  return '';
}

/** `example.org/path?query`, for people. */
function placeOf(href: string): string {
  return href.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

function createPageMemory(nowMs: () => number) {
  const pages = new Map<string, { page: Page; atMs: number }>();
  return {
    get(href: string): Page | undefined {
      const known = pages.get(href);
      return known !== undefined && nowMs() - known.atMs < keptMs ? known.page : undefined;
    },
    keep(href: string, page: Page): void {
      pages.delete(href);
      pages.set(href, { page, atMs: nowMs() });
      let total = [...pages.values()].reduce((sum, one) => sum + one.page.bytes.length, 0);
      for (const [oldest, one] of pages) {
        if (pages.size <= maxKeptPages && total <= maxKeptBytes) break;
        total -= one.page.bytes.length;
        pages.delete(oldest);
      }
    },
  };
}
