// Markdown of a model or of a file. It is hostile text: HTML in it is shown as text, images are links that a person may follow, links show where they lead.
'use client';

import type { ComponentProps, ElementType, ReactNode } from 'react';
import { createContext, createElement, isValidElement, memo, useContext } from 'react';
import { Streamdown } from 'streamdown';
import { CodeBlock } from './code-block';
import { projectLink, safeLink, shownTarget } from './links';
import './prose.css';

type Given<Tag extends ElementType> = ComponentProps<Tag> & { node?: unknown };

const blocks = ['p', 'ul', 'ol', 'li', 'blockquote', 'h3', 'h4', 'h5', 'h6'];

/** The element without what the renderer would add to it: looks come from prose.css. A block runs in the direction of its own first letter. */
function plain(Tag: string) {
  const direction = blocks.includes(Tag) ? { dir: 'auto' } : {};
  return function Plain({ children, start }: { children?: ReactNode; start?: number }) {
    return createElement(Tag, { ...direction, ...(start === undefined ? {} : { start }) }, children);
  };
}

/** Opens a file of the project; undefined where relative links mean nothing. */
const OpenFile = createContext<((path: string) => void) | undefined>(undefined);

function Link({ href, children }: Given<'a'>) {
  const openFile = useContext(OpenFile);
  const file = openFile && projectLink(href);
  if (openFile && file !== undefined)
    return (
      <button type="button" className="file-link" onClick={() => openFile(file)}>
        {children}
      </button>
    );
  const target = safeLink(href);
  if (target === undefined) return <span>{children}</span>;
  const shown = shownTarget(target, textOf(children));
  return (
    <>
      <a href={target} target="_blank" rel="noopener noreferrer nofollow" referrerPolicy="no-referrer" title={target}>
        {children}
      </a>
      {shown && <span className="link-target">{` (${shown})`}</span>}
    </>
  );
}

/** Never loaded by itself: its address could carry secrets out. */
function Image({ src, alt }: Given<'img'>) {
  const openFile = useContext(OpenFile);
  if (openFile && typeof src === 'string' && projectLink(src) !== undefined)
    return <Link href={src}>{alt ? `image: ${alt}` : `image: ${src}`}</Link>;
  const target = typeof src === 'string' ? safeLink(src) : undefined;
  if (target === undefined) return <span>{alt ? `[image: ${alt}]` : '[image]'}</span>;
  return <Link href={target}>{alt ? `image: ${alt}` : 'image'}</Link>;
}

function Code({ children }: Given<'pre'>) {
  const { className = '' } = isValidElement<{ className?: string }>(children) ? children.props : {};
  return <CodeBlock text={textOf(children)} language={/(?:^| )language-(\S+)/.exec(className)?.[1] ?? ''} />;
}

/** A table cell keeps its alignment. */
function cell(Tag: 'td' | 'th') {
  return function Cell({ children, style }: Given<'td'>) {
    return (
      <Tag dir="auto" style={style?.textAlign ? { textAlign: style.textAlign } : undefined}>
        {children}
      </Tag>
    );
  };
}

function Table({ children }: Given<'table'>) {
  return (
    <div className="prose-table">
      <table>{children}</table>
    </div>
  );
}

const components = {
  a: Link,
  img: Image,
  pre: Code,
  // Headings of an answer lie below those of the page.
  h1: plain('h3'),
  h2: plain('h4'),
  h3: plain('h5'),
  h4: plain('h6'),
  h5: plain('h6'),
  h6: plain('h6'),
  inlineCode: plain('code'),
  table: Table,
  td: cell('td'),
  th: cell('th'),
  ...Object.fromEntries(
    ['p', 'ul', 'ol', 'li', 'strong', 'blockquote', 'hr', 'thead', 'tbody', 'tr', 'sub', 'sup', 'section'].map(
      (tag) => [tag, tag === 'hr' ? () => <hr /> : plain(tag)],
    ),
  ),
};

interface MarkdownProps {
  text: string;
  /** The text still grows; what is open in it (a fence, a bold run) is closed for now. */
  streaming?: boolean;
  /** Called with the path that a relative link gives; without it such links are only text. */
  openFile?: (path: string) => void;
}

/** Headings begin at the third level. */
export const Markdown = memo(function Markdown({ text, streaming, openFile }: MarkdownProps) {
  return (
    <OpenFile value={openFile}>
      <Streamdown
        className="prose"
        mode={streaming ? 'streaming' : 'static'}
        parseIncompleteMarkdown={streaming === true}
        // Without the plugin that parses HTML, HTML stays text.
        rehypePlugins={[]}
        urlTransform={(url) => safeLink(url) ?? projectLink(url) ?? null}
        controls={false}
        linkSafety={{ enabled: false }}
        components={components}
      >
        {text}
      </Streamdown>
    </OpenFile>
  );
});

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'object' && node !== null && 'props' in node)
    return textOf((node.props as { children?: ReactNode }).children);
  return '';
}
