// A link to a project's page. The browser shows the old page until the new one has begun to come, which on a slow network (and with a development
// server that compiles it first) is a while in which a click would look like nothing.
'use client';

import { type ReactNode, useEffect, useState } from 'react';

const lateAfterMs = 2500;

/** Says that it opens when that takes longer than 300 ms, then what it waits for; modified clicks are the browser's. */
export function OpeningLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  const [isOpening, setOpening] = useState(false);
  const [isLate, setLate] = useState(false);
  // The page may come back as it was left, and who waits may stop waiting (Esc).
  useEffect(() => {
    if (!isOpening) return;
    const end = () => setOpening(false);
    window.addEventListener('pageshow', end);
    window.navigation?.addEventListener('navigateerror', end);
    const timer = setTimeout(() => setLate(true), lateAfterMs);
    return () => {
      window.removeEventListener('pageshow', end);
      window.navigation?.removeEventListener('navigateerror', end);
      clearTimeout(timer);
      setLate(false);
    };
  }, [isOpening]);
  return (
    <a
      className={className}
      href={href}
      data-opening={isOpening || undefined}
      onClick={({ altKey, ctrlKey, metaKey, shiftKey }) => setOpening(!(altKey || ctrlKey || metaKey || shiftKey))}
    >
      {children}
      {isOpening && (
        <span className="opening" role="status">
          {isLate ? 'The server prepares the page…' : 'Opening…'}
        </span>
      )}
    </a>
  );
}
