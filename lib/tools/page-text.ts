// A page's HTML as text for a model. It is parsed into a document that runs and loads nothing; what a person would not see is removed
// before anything is read, because text that only a model sees is how pages give orders to models.

/** Makes an inert document; in browsers `DOMParser`. */
export type ParseHtml = (html: string) => Document;

/** The browser's own parser. */
export const parseInBrowser: ParseHtml = (html) => new DOMParser().parseFromString(html, 'text/html');

const removed =
  'script, style, noscript, template, iframe, frame, object, embed, svg, canvas, video, audio, head > meta, link, [hidden], [aria-hidden="true"], input[type="hidden"], dialog:not([open])';
const invisible =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?:\.0+)?(?:px|em|rem|%|pt)?)\s*(?:!important\s*)?(?:;|$)/i;
const blocks = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CAPTION DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TR UL'.split(
    ' ',
  ),
);

/** Parses and cleans: no scripts, nothing hidden, absolute links. `url` is where the page came from. */
export function readPage(html: string, url: string, parse: ParseHtml): { title: string; body: HTMLElement } {
  const document = parse(html);
  const { body } = document;
  const title = (document.querySelector('title')?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  if (body === null) return { title, body: document.createElement('body') };
  const declared = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  const base = URL.parse(declared, url)?.href ?? url;
  for (const element of Array.from(body.querySelectorAll(removed))) element.remove();
  for (const element of Array.from(body.querySelectorAll('[style]')))
    if (invisible.test(element.getAttribute('style') ?? '')) element.remove();
  for (const link of Array.from(body.querySelectorAll('a[href]'))) resolve(link, 'href', base, /^(?:https?|mailto):$/);
  for (const image of Array.from(body.querySelectorAll('img'))) {
    resolve(image, 'src', base, /^https?:$/);
    if (!image.hasAttribute('src')) image.replaceWith(document.createTextNode(image.getAttribute('alt') ?? ''));
  }
  shortenGaps(body);
  return { title, body };
}

/** Longer runs of white space say nothing, and the converter's expressions take the square of their length: a page could stop ours. */
const maxGap = 100;

/** Across elements: a run may be made of many. */
function shortenGaps(body: HTMLElement): void {
  let gap = 0;
  for (let node: Node | null = body; node !== null; node = following(node, body)) {
    if (node.nodeType !== 3) continue;
    const text = (node as Text).data;
    let kept = '';
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      gap = isGap(text.charCodeAt(at)) ? gap + 1 : 0;
      if (gap <= maxGap) continue;
      kept += text.slice(from, at);
      from = at + 1;
    }
    if (from > 0) (node as Text).data = kept + text.slice(from);
  }
}

/** What `\s` stands for. */
const isGap = (unit: number): boolean =>
  unit === 32 || (unit >= 9 && unit <= 13) || (unit >= 128 && /\s/.test(String.fromCharCode(unit)));

/** In the order of the text; null after the last one below `root`. Not recursive: the depth of a page is a stranger's choice. */
function following(node: Node, root: Node): Node | null {
  if (node.firstChild !== null) return node.firstChild;
  let at: Node | null = node;
  while (at !== null && at !== root && at.nextSibling === null) at = at.parentNode;
  return at === null || at === root ? null : at.nextSibling;
}

function resolve(element: Element, attribute: string, base: string, protocols: RegExp): void {
  const target = URL.parse(element.getAttribute(attribute) ?? '', base);
  if (target !== null && protocols.test(target.protocol)) element.setAttribute(attribute, target.href);
  else element.removeAttribute(attribute);
}

/** What a person reads, block by block. */
export function pageToText(body: HTMLElement): string {
  const lines: string[] = [];
  let line = '';
  let node: Node | null = body;
  const newline = () => {
    lines.push(line);
    line = '';
  };
  // Not recursive: the depth of a page is a stranger's choice.
  while (node !== null) {
    if (node.nodeType === 3)
      line += (node as Text).data.replace(isIn(node, 'PRE') ? /\r/g : /\s+/g, (gap) => (gap === '\r' ? '' : ' '));
    else if (blocks.has(node.nodeName)) newline();
    else if (node.nodeName === 'TD' || node.nodeName === 'TH') line += '\t';
    if (node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== body && node.nextSibling === null) {
      node = node.parentNode;
      if (node !== null && blocks.has(node.nodeName)) newline();
    }
    node = node === body || node === null ? null : node.nextSibling;
  }
  newline();
  return tidy(lines.join('\n'));
}

function isIn(node: Node, name: string): boolean {
  for (let parent = node.parentNode; parent !== null; parent = parent.parentNode)
    if (parent.nodeName === name) return true;
  return false;
}

/** GitHub's Markdown. Loads the converter when it is first needed. */
export async function pageToMarkdown(body: HTMLElement): Promise<string> {
  const { convertPage } = await import('./page-markdown');
  return tidy(convertPage(body));
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
