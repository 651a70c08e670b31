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
  return { title, body };
}

function resolve(element: Element, attribute: string, base: string, protocols: RegExp): void {
  const target = URL.parse(element.getAttribute(attribute) ?? '', base);
  if (target !== null && protocols.test(target.protocol)) element.setAttribute(attribute, target.href);
  else element.removeAttribute(attribute);
}

/** What a person reads, block by block. */
export function pageToText(body: HTMLElement): string {
  let text = '';
  let node: Node | null = body;
  const newline = () => {
    text = `${text.replace(/ +$/, '')}\n`;
  };
  // Not recursive: the depth of a page is a stranger's choice.
  while (node !== null) {
    if (node.nodeType === 3)
      text += (node as Text).data.replace(isIn(node, 'PRE') ? /\r/g : /\s+/g, (gap) => (gap === '\r' ? '' : ' '));
    else if (blocks.has(node.nodeName)) newline();
    else if (node.nodeName === 'TD' || node.nodeName === 'TH') text += '\t';
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
  return tidy(text.replace(/\n[ \t]+(?=\n)/g, '\n'));
}

function isIn(node: Node, name: string): boolean {
  for (let parent = node.parentNode; parent !== null; parent = parent.parentNode)
    if (parent.nodeName === name) return true;
  return false;
}

/** GitHub's Markdown. Loads the converter when it is first needed. */
export async function pageToMarkdown(body: HTMLElement): Promise<string> {
  const { createConverter } = await import('./page-markdown');
  return tidy(createConverter().turndown(body));
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
