// The main text of a page, without what stands around it on every page of the site. What the author marked as such counts first; else the place that
// holds most of the text that is no link. One pass, not recursive: the depth of a page is a stranger's choice.

const around = new Set(['NAV', 'ASIDE', 'FOOTER', 'MENU', 'BUTTON', 'SELECT']);
const aroundRoles = new Set('navigation banner contentinfo complementary search dialog alertdialog menu'.split(' '));
const containers = new Set('BODY DIV SECTION ARTICLE MAIN TD CENTER FORM'.split(' '));
/** Less is no text that somebody would look for. */
const minChars = 200;
/** Of all text of the page. */
const minShare = 0.4;

interface Container {
  element: Element;
  /** Characters that are no links, all that it holds. */
  total: number;
  /** Those that stand in it directly, and half of those one level deeper. */
  own: number;
}

/** Leaves nothing else in the page, and says whether it did: not where no text stands out. *Contract:* the page is clean (page-text.ts). */
export function keepArticle(body: HTMLElement): boolean {
  const found = measured(body);
  const all = found.find((one) => one.element === body)?.total ?? 0;
  const isMuch = ({ total }: Container, of = all) => total >= minChars && total >= of * minShare;
  const main = found.find((one) => isMain(one.element) && isMuch(one));
  const articles = found.filter((one) => one.element.nodeName === 'ARTICLE');
  const chosen =
    articles.find((one) => isMuch(one, main?.total ?? all) && (main === undefined || contains(main, one))) ??
    main ??
    found
      .filter((one) => isMuch(one))
      .reduce<Container | undefined>((a, b) => (a && a.own >= b.own ? a : b), undefined);
  if (chosen === undefined || chosen.element === body) return false;
  for (const element of Array.from(chosen.element.querySelectorAll('*'))) if (isAround(element)) element.remove();
  while (body.firstChild !== null) body.removeChild(body.firstChild);
  body.appendChild(chosen.element);
  return true;
}

/** The containers outside of what stands around, each with its text. */
function measured(body: HTMLElement): Container[] {
  const found: Container[] = [];
  const stack: Container[] = [];
  let skipped = 0;
  let links = 0;
  const enter = (element: Element) => {
    if (element.nodeName === 'A') links++;
    if (isAround(element)) skipped++;
    if (containers.has(element.nodeName)) stack.push({ element, total: 0, own: 0 });
  };
  const leave = (element: Element) => {
    if (containers.has(element.nodeName)) {
      const ended = stack.pop()!;
      if (skipped === 0) found.push(ended);
      const outer = stack.at(-1);
      if (outer !== undefined && skipped === 0) outer.total += ended.total;
    }
    if (element.nodeName === 'A') links--;
    if (isAround(element)) skipped--;
  };
  let node: Node | null = body;
  while (node !== null) {
    if (node.nodeType === 1) enter(node as Element);
    else if (node.nodeType === 3 && skipped === 0 && links === 0) {
      const chars = (node as Text).data.replace(/\s+/g, ' ').trim().length;
      const nearest = stack.at(-1)!;
      nearest.total += chars;
      nearest.own += chars;
      const outer = stack.at(-2);
      if (outer !== undefined) outer.own += chars / 2;
    }
    if (node.firstChild !== null) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node !== body && node.nextSibling === null) {
      if (node.nodeType === 1) leave(node as Element);
      node = node.parentNode;
    }
    if (node === null) break;
    if (node.nodeType === 1) leave(node as Element);
    node = node === body ? null : node.nextSibling;
  }
  return found;
}

function isAround(element: Element): boolean {
  return around.has(element.nodeName) || aroundRoles.has(element.getAttribute('role') ?? '');
}

function isMain(element: Element): boolean {
  return element.nodeName === 'MAIN' || element.getAttribute('role') === 'main';
}

function contains(outer: Container, inner: Container): boolean {
  for (let at: Element | null = inner.element; at !== null; at = at.parentElement)
    if (at === outer.element) return true;
  return false;
}
