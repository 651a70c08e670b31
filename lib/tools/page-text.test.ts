import { describe, expect, test } from 'vitest';
import { keepArticle } from './page-article';
import { pageToMarkdown, pageToText, readPage } from './page-text';
import { parseInTests } from './testing-html';

const read = (html: string) => readPage(html, 'https://example.org/docs/page', parseInTests);
const markdown = (html: string) => pageToMarkdown(read(html).body);
const text = (html: string) => pageToText(read(html).body);

test('headings, emphasis, lists, quotes, code and lines', async () => {
  expect(
    await markdown(`<title> A  page </title><h1>One</h1><p>some <b>bold</b> and <em>soft</em> <del>old</del> <code>x</code></p>
      <ul><li>a<li>b<ol><li>c</ol></ul><ul><li><input type=checkbox checked> done</ul><blockquote>q</blockquote><hr>
      <pre><code class="language-ts">const a = '\`\`\`';\n  b();\n</code></pre><div class="highlight-source-js"><pre>x  y</pre></div>`),
  ).toBe(`# One

some **bold** and *soft* ~~old~~ \`x\`

-   a
-   b
    1.  c

-   [x]  done

> q

---

\`\`\`\`ts
const a = '\`\`\`';
  b();
\`\`\`\`

\`\`\`js
x  y
\`\`\``);
  expect(read('<title> A  page </title>').title).toBe('A page');
});

test('tables of values are tables; tables that lay out are not', async () => {
  expect(
    await markdown(
      '<table><caption>Sizes</caption><thead><tr><th>a</th><th>b|c</th></tr></thead><tr><td>1<br>2</td><td></td></tr><tr><td colspan=2>x</td></tr></table>',
    ),
  ).toBe('Sizes\n\n| a | b\\|c |\n| --- | --- |\n| 1 2 |  |\n| x |  |');
  expect(
    await markdown(
      '<table><tr><td><h2>Menu</h2></td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>',
    ),
  ).toBe('## Menu\n\n| x | y |\n| --- | --- |');
});

test('links and pictures are absolute, and only of the web', async () => {
  expect(
    await markdown(
      '<a href="../a?b#c">in</a> <a href="//x.org">out</a> <a href="javascript:alert(1)">bad</a> <a href="data:text/html,x">odd</a> <img src="i.png" alt="pic"> <img src="data:image/png;base64,AAAA" alt="own">',
    ),
  ).toBe('[in](https://example.org/a?b#c) [out](https://x.org/) bad odd ![pic](https://example.org/docs/i.png) own');
  expect(await markdown('<base href="/base/"><a href="x">x</a>')).toBe('[x](https://example.org/base/x)');
});

const hidden = [
  '<script>S</script>',
  '<style>S</style>',
  '<noscript>S</noscript>',
  '<template>S</template>',
  '<iframe srcdoc="S">S</iframe>',
  '<object>S</object>',
  '<svg><text>S</text></svg>',
  '<p hidden>S</p>',
  '<p aria-hidden="true">S</p>',
  '<p style="display:none">S</p>',
  '<p style="color:red; DISPLAY : none !important">S</p>',
  '<p style="visibility:hidden">S</p>',
  '<p style="opacity:0">S</p>',
  '<p style="font-size:0px;color:red">S</p>',
  '<dialog>S</dialog>',
  '<!-- S -->',
  '<input type="hidden" value="S">',
];
test.each(hidden)('what nobody sees is not there: %s', async (html) => {
  for (const shown of [await markdown(`<p>a</p>${html}<p>b</p>`), text(`<p>a</p>${html}<p>b</p>`)])
    expect(shown).toBe('a\n\nb');
});

test('what is seen stays, whatever its style says beside', async () => {
  expect(await markdown('<p style="opacity:0.5;font-size:0.9em;display:inline">a</p>')).toBe('a');
});

test('plain text keeps blocks, cells and what is preformatted', () => {
  expect(text('<h1>One</h1><p>a  <b>b</b>\n c<br>d</p><table><tr><td>1<td>2</table><pre>x\n  y\n</pre><p>end')).toBe(
    'One\n\na b c\nd\n\n\t1\t2\n\nx\n  y\n\nend',
  );
  expect(text('')).toBe('');
});

test('a page of nothing but gaps, in one piece or in many, does not stop ours', async () => {
  for (const gaps of ['\n'.repeat(400_000), '&nbsp;'.repeat(200_000), '<i> </i>'.repeat(4000)])
    for (const html of [`<pre>x${gaps}y</pre>`, `<pre><b>x${gaps}y</b></pre>`]) {
      expect(text(html)).toMatch(/^x\s{1,100}y$/);
      expect((await markdown(html)).replace(/[^xy]/g, '')).toBe('xy');
    }
  expect(await markdown(`<p>a</p>${'<br>'.repeat(20_000)}<p>b</p>`)).toBe('a\n\nb');
});

test('a page that is nested without end and one that is broken', async () => {
  expect(text(`${'<div>'.repeat(3000)}deep`)).toBe('deep');
  expect(await markdown('<p>a<b>b<table><td>c</p></b>')).toContain('a');
});

describe('the main text of a page', () => {
  const text = 'Words that somebody looks for, one after the other. '.repeat(6);
  const nav = `<nav>${'<a href=/x>Menu entry</a> '.repeat(40)}</nav>`;
  const articleText = (html: string) => {
    const { body } = readPage(html, 'https://e.org/', parseInTests);
    return keepArticle(body) ? pageToText(body).replace(/\s+/g, ' ').trim() : undefined;
  };
  const rest = `<aside>Related</aside><footer>Imprint ${text}${text}</footer>`;

  test.each<[string, string, RegExp | undefined]>([
    ['main', `${nav}<main><h1>Head</h1><p>${text}</p></main>${rest}`, /^Head Words/],
    ['a role', `${nav}<div role=main><p>${text}</p></div>${rest}`, /^Words/],
    [
      'an article in main, without its menu',
      `${nav}<main><p>Up</p><article><nav>Share</nav><p>${text}</p></article></main>`,
      /^Words/,
    ],
    [
      'many short articles: the place that holds them',
      `${nav}<main>${'<article><p>A note.</p></article>'.repeat(40)}</main>`,
      /^A note\. A note/,
    ],
    [
      'nothing marked: most of the text',
      `<div id=m>${'<a href=/x>Menu entry</a> '.repeat(40)}</div><div id=t><h2>Head</h2><p>${text}</p><p>${text}</p></div><div id=f>Imprint</div>`,
      /^Head Words/,
    ],
    [
      'a dialog of cookies that is longest',
      `<div role=dialog>${text.repeat(9)}</div><div><p>${text}</p></div>`,
      /^Words that somebody looks for, one after the other\. (Words|$)/,
    ],
    ['nothing but short pieces', '<div>a</div><div>b</div>', undefined],
    ['text in the page itself', `${text}${text}`, undefined],
    ['an empty page', '', undefined],
  ])('%s', (_name, html, expected) => {
    const found = articleText(html);
    if (expected === undefined) expect(found).toBeUndefined();
    else {
      expect(found).toMatch(expected);
      expect(found).not.toMatch(/Menu|Imprint|Related|Share/);
    }
  });

  test('no depth of a page ends it', () => {
    const deep = `${'<div>'.repeat(3000)}<p>${text}</p>`;
    expect(articleText(deep)).toMatch(/^Words/);
  });
});
