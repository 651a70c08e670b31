// Copies a text and says so, in place.
'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../ui/tip';
import { showError } from '../ui/toasts';

/** A small icon button; the tick stays for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      (error: unknown) => showError('Could not copy', error),
    );
  return (
    <IconButton label={copied ? 'Copied' : label} small className="copy-button" onClick={() => void copy()}>
      {copied ? <Check size={14} /> : <Copy size={14} />}
    </IconButton>
  );
}
