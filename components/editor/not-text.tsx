// Files that are not text, shown as what they are: a picture on a checkered ground, bytes as hexadecimal, or the reason why not.
'use client';

import { useState } from 'react';
import { useWorkbench } from '../ide/workbench-context';
import { Failure } from '../ui/failure';
import { showSize } from '../ui/show-size';
import { useNarrow } from '../ui/use-narrow';
import type { OpenFile } from './documents';
import { nameOf } from './file-name';

/** Everything but text; nothing while it loads. */
export function NotText({ file }: { file: OpenFile }) {
  const { files, documents } = useWorkbench();
  const narrow = useNarrow();
  const { view, path } = file;
  const download = (
    <button type="button" className="button" onClick={() => void files.download(path)}>
      Download
    </button>
  );
  switch (view.kind) {
    case 'text':
    case 'loading':
      return null;
    case 'image':
      return <Picture url={view.url} size={view.size} name={nameOf(path)} />;
    case 'binary':
      return (
        <div className="bytes">
          <div className="row">
            <span>
              {showSize(view.size)}, not text: {view.reason}.
            </span>
            {download}
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre tabIndex={0}>
            {hexDump(view.head, narrow ? 8 : 16)}
            {view.size > view.head.length && `\n… ${showSize(view.size - view.head.length)} more`}
          </pre>
        </div>
      );
    case 'large':
      return (
        <div className="empty">
          <p>
            {nameOf(path)} has {showSize(view.size)}: too large to be shown here.
          </p>
          {download}
        </div>
      );
    case 'failed':
      return (
        <Failure
          what={`${nameOf(path)} can’t be read`}
          error={view.message}
          retry={() => void documents.close(path).then(() => documents.open(path))}
        />
      );
  }
}

function Picture({ url, size, name }: { url: string; size: number; name: string }) {
  const [pixels, setPixels] = useState('');
  const [broken, setBroken] = useState(false);
  if (broken) return <Failure what={`${name} can’t be shown as a picture`} error="The browser could not decode it." />;
  return (
    <figure className="picture">
      {/* biome-ignore lint/performance/noImgElement: a blob of the sandbox, nothing that a server could optimise. */}
      <img
        src={url}
        alt={name}
        onError={() => setBroken(true)}
        onLoad={({ currentTarget: image }) => setPixels(`${image.naturalWidth} × ${image.naturalHeight}, `)}
      />
      <figcaption>
        {pixels}
        {showSize(size)}
      </figcaption>
    </figure>
  );
}

/** So many bytes a line: offset, hexadecimal, printable characters. */
export function hexDump(bytes: Uint8Array, width = 16): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += width) {
    const row = [...bytes.subarray(at, at + width)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(3 * width - 1)}  ${text}`);
  }
  return lines.join('\n');
}
