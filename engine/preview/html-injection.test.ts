// The script's tag must come before every script of the page, and must not cost the page its doctype, however the bytes are cut.
import { describe, expect, it } from 'vitest';
import { injectScript } from './html-injection';

const TAG = '<script src="/__cloche/ws.js"></script>';

async function injected(html: string, cut?: number): Promise<string> {
  const bytes = new TextEncoder().encode(html);
  const pieces = cut === undefined ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)];
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const { value } = await new Response(stream.pipeThrough(injectScript())).arrayBuffer().then((buffer) => ({
    // The page's own byte order mark must stay: TextDecoder would take it away.
    value: new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer),
  }));
  return value;
}

const pages: [name: string, before: string, after: string][] = [
  ['doctype', '<!doctype html>', '<head><title>ů</title>'],
  [
    'old doctype',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
    '\n<p>',
  ],
  ['comment before it', '\n<!-- made by > a tool -->\n<!doctype html>', '<p>'],
  ['byte order mark', '\ufeff<!doctype html>', '<p>'],
  ['no doctype', '', '<html><body>ů'],
  ['only text', '', 'hello'],
  ['a comment that never ends', '', `<!-- ${'x'.repeat(5000)}`],
  ['one character', '', '<'],
];

describe('injectScript', () => {
  it.each(pages)('%s', async (_name, before, after) => {
    expect(await injected(before + after)).toBe(before + TAG + after);
  });

  it('does the same wherever the page is cut', async () => {
    for (const [, before, after] of pages.slice(0, 6)) {
      const { length } = new TextEncoder().encode(before + after);
      for (let cut = 0; cut <= length; cut++) expect(await injected(before + after, cut)).toBe(before + TAG + after);
    }
  });

  it('leaves an empty page empty', async () => {
    expect(await injected('')).toBe('');
  });
});
