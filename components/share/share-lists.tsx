// Two lists: what goes (each can be taken out) and what stays (a suspected secret can be put in, by saying so twice).
'use client';

import { TriangleAlert } from 'lucide-react';
import type { LeftOut } from '../../lib/share/choose-files';
import type { SharedFile } from '../../lib/share/pack';
import { counted } from '../../lib/std/counted';
import { showSize } from '../ui/show-size';

type Names = ReadonlySet<string>;

function toggled(names: Names, path: string): Names {
  const next = new Set(names);
  if (!next.delete(path)) next.add(path);
  return next;
}

/** Closed at first: the size above says enough for most. */
export function FilesThatGo(props: {
  files: readonly SharedFile[];
  removed: Names;
  setRemoved: (next: Names) => void;
  /** Opened, because something must be taken out. */
  open: boolean;
}) {
  const { files, removed, setRemoved, open } = props;
  return (
    <details className="share-list" open={open}>
      <summary>{`What goes: ${files.filter((file) => !removed.has(file.path)).length} of ${counted(files.length, 'file')}`}</summary>
      <ul>
        {[...files]
          .sort((a, b) => b.contents.length - a.contents.length)
          .map(({ path, contents }) => (
            <li key={path}>
              <label>
                <input
                  type="checkbox"
                  checked={!removed.has(path)}
                  onChange={() => setRemoved(toggled(removed, path))}
                />
                <span className="mono">{path}</span>
                <span className="share-why">{showSize(contents.length)}</span>
              </label>
            </li>
          ))}
      </ul>
    </details>
  );
}

/** Open when a secret was found. */
export function FilesThatStay(props: {
  leftOut: readonly LeftOut[];
  insisted: Names;
  setInsisted: (next: Names) => void;
}) {
  const { leftOut, insisted, setInsisted } = props;
  if (leftOut.length === 0) return null;
  const secrets = leftOut.filter((one) => one.kind === 'secret');
  const others = leftOut.filter((one) => one.kind !== 'secret');
  return (
    <details className="share-list" open={secrets.length > 0}>
      <summary>{`What stays out: ${leftOut.length}`}</summary>
      <ul>
        {secrets.map(({ path, reason }) => (
          <li key={path} data-tone="warning">
            <TriangleAlert size={14} aria-hidden="true" />
            <span className="mono">{path}</span>
            <span className="share-why">{reason}</span>
            <label className="share-insist">
              <input
                type="checkbox"
                checked={insisted.has(path)}
                onChange={() => setInsisted(toggled(insisted, path))}
              />
              Share it anyway
            </label>
          </li>
        ))}
        {others.map(({ path, reason }) => (
          <li key={path}>
            <span className="mono">{path}</span>
            <span className="share-why">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
