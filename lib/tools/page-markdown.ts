// Turndown with the rules that GitHub's Markdown has and CommonMark has not. Tables that only lay a page out become plain blocks.
import Turndown from 'turndown';
import { trimEnd } from '../std/trim-end';

const maxSpan = 20;

/** The Markdown of a page's inert, cleaned body, which is not changed. It may begin and end with white space. */
export function convertPage(body: HTMLElement): string {
  const converter = createConverter();
  let markdown = '';
  // Taken before the converter cuts off the end of it, which costs the square of the white space in it.
  converter.addRule('page', {
    filter: 'body',
    replacement(content) {
      markdown = content;
      return '';
    },
  });
  const page = body.ownerDocument.createElement('div');
  page.appendChild(body.cloneNode(true));
  converter.turndown(page);
  return markdown;
}

function createConverter(): Turndown {
  const converter = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  const layouts = new WeakMap<Element, boolean>();
  const isLayout = (inside: Node): boolean => {
    const table = closest(inside, 'TABLE');
    if (table === undefined) return true;
    let known = layouts.get(table);
    if (known === undefined) {
      known =
        table.getAttribute('role') === 'presentation' ||
        table.querySelectorAll('table, pre, ul, ol, h1, h2, h3, blockquote').length > 0 ||
        !Array.from(table.querySelectorAll('tr')).some((row) => row.children.length > 1);
      layouts.set(table, known);
    }
    return known;
  };
  converter.addRule('struck', { filter: ['del', 's'], replacement: (content) => (content ? `~~${content}~~` : '') });
  converter.addRule('checkbox', {
    filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
    replacement: (_content, node) => ((node as Element).hasAttribute('checked') ? '[x] ' : '[ ] '),
  });
  converter.addRule('code', {
    filter: 'pre',
    replacement(_content, node) {
      const element = node as Element;
      const text = trimEnd((element.textContent ?? '').replace(/\r/g, ''), '\n');
      const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
      const fence = '`'.repeat(longest + 1);
      return `\n\n${fence}${languageOf(element)}\n${text}\n${fence}\n\n`;
    },
  });
  converter.addRule('cell', {
    filter: ['th', 'td'],
    replacement(content, node) {
      if (isLayout(node)) return `\n\n${content.trim()}\n\n`;
      const cell = content
        .trim()
        .replace(/\|/g, '\\|')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' ');
      const span = Number((node as Element).getAttribute('colspan') ?? 1);
      return ` ${cell} |${'  |'.repeat(Math.min(maxSpan, Math.max(1, span || 1)) - 1)}`;
    },
  });
  converter.addRule('row', {
    filter: 'tr',
    replacement(content, node) {
      if (isLayout(node)) return content;
      const table = closest(node, 'TABLE');
      const row = `\n|${content}`;
      if (table?.querySelector('tr') !== node) return row;
      const columns = content.replace(/\\\|/g, '').split('|').length - 1;
      return `${row}\n|${' --- |'.repeat(columns)}`;
    },
  });
  converter.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  converter.addRule('caption', { filter: 'caption', replacement: (content) => `${content.trim()}\n` });
  converter.addRule('table', {
    filter: 'table',
    replacement: (content, node) =>
      isLayout(node)
        ? content
        : `\n\n${content
            .trim()
            .replace(/\n+/g, '\n')
            .replace(/^([^|\n][^\n]*)\n\|/, '$1\n\n|')}\n\n`,
  });
  return converter;
}

function closest(node: Node, name: string): Element | undefined {
  for (let at: Node | null = node; at !== null; at = at.parentNode) if (at.nodeName === name) return at as Element;
  return undefined;
}

/** From `language-ts`, `lang-ts` or `highlight-source-ts` on the block, what is in it or what it is in. */
function languageOf(pre: Element): string {
  const classes = [pre.querySelector('code'), pre, pre.parentElement]
    .map((element) => element?.getAttribute('class') ?? '')
    .join(' ');
  return /(?:^|\s)(?:lang(?:uage)?|highlight-(?:source|text))-([\w+#-]+)/.exec(classes)?.[1] ?? '';
}
