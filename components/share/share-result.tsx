// The link with its size, or what makes it too long.
'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SharedFile } from '../../lib/share/pack';
import { longLinkChars } from '../../lib/share/share-limits';
import { showSize } from '../ui/show-size';
import { showError } from '../ui/toasts';
import { ZipInstead } from './zip-instead';

interface ShareResultProps {
  /** Undefined while it is made. */
  address: string | undefined;
  files: readonly SharedFile[];
  maxChars: number;
}

/** Nothing can be copied while the link is too long. */
export function ShareResult({ address, files, maxChars }: ShareResultProps) {
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), 3000);
    return () => clearTimeout(timer);
  }, [copied]);

  const bytes = files.reduce((sum, file) => sum + file.contents.length, 0);
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${showSize(bytes)}`;
  const chars = address?.length ?? 0;
  const tooLong = chars > maxChars;
  const copy = () =>
    navigator.clipboard.writeText(address!).then(
      () => setCopied(address),
      (error: unknown) => showError('Could not copy', error),
    );
  const wasCopied = copied !== undefined && copied === address;
  return (
    <section aria-label="The link" className="share-result">
      <div className="form-row">
        <input
          className="field mono"
          aria-label="Link"
          readOnly
          value={address === undefined || tooLong ? '' : address}
          placeholder={tooLong ? 'Too long for a link' : 'Packing…'}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          type="button"
          className="button"
          data-tone="primary"
          disabled={address === undefined || tooLong || files.length === 0}
          onClick={() => void copy()}
        >
          {wasCopied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
          {wasCopied ? 'Copied' : 'Copy link'}
        </button>
      </div>
      <p className="share-size" role="status" data-tone={tooLong ? 'error' : undefined}>
        {address === undefined ? `${count}.` : sizeWords(count, chars, maxChars)}
      </p>
      {tooLong && (
        <>
          <p>
            The largest files are <span className="mono">{largest(files).join(', ')}</span>. Take some out below, or
            send the project as a zip.
          </p>
          <div className="row">
            <ZipInstead />
          </div>
        </>
      )}
    </section>
  );
}

function sizeWords(count: string, chars: number, maxChars: number): string {
  const length = `${chars.toLocaleString('en')} characters`;
  if (chars > maxChars) return `${count}: the link would have ${length}; at most ${maxChars.toLocaleString('en')} fit.`;
  if (chars > longLinkChars) return `${count}, a link of ${length}. Some chat and mail programs cut links this long.`;
  return `${count}, a link of ${length}.`;
}

function largest(files: readonly SharedFile[]): string[] {
  return [...files]
    .sort((a, b) => b.contents.length - a.contents.length)
    .slice(0, 3)
    .map(({ path, contents }) => `${path} (${showSize(contents.length)})`);
}
