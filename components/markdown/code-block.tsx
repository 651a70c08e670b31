// A block of code in a text: what language it is, a button that copies it, and the code in the editor's colours.
'use client';

import { CopyButton } from '../tool-views/copy-button';
import { useCodeColours } from './code-colours';
import { ColouredLine } from './coloured-line';

/** `language` as the fence names it; empty when it does not. */
export function CodeBlock({ text, language }: { text: string; language: string }) {
  const code = text.replace(/\n$/, '');
  const lines = useCodeColours(code, language.toLowerCase());
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <CopyButton text={text} label="Copy the code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        <code>
          {lines === undefined
            ? code
            : lines.map((pieces, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
                <ColouredLine key={at} pieces={pieces} before={at > 0 ? '\n' : ''} />
              ))}
        </code>
      </pre>
    </div>
  );
}
