// What both host pages check before they start anything: who embeds them, and whether memory can be shared. Whom to trust comes from the server
// (host-config.json), never from the URL, because anybody can write a URL.

/** The embedding page's origin, which is one of `allowed`; throws an Error that says why it may not be served. */
export function embedderOf(allowed: readonly string[]): string {
  if (window.parent === window) throw new Error('The engine runs inside a page of the IDE, not by itself.');
  // Chromium and Safari name the parent; elsewhere the referrer does.
  const parent = location.ancestorOrigins?.[0] ?? (document.referrer === '' ? '' : new URL(document.referrer).origin);
  if (!allowed.includes(parent))
    throw new Error(`The page at ${parent || 'an unknown origin'} may not use this engine.`);
  return parent;
}

/** Throws an Error that says what the server and the frame must do. */
export function checkIsolation(): void {
  if (globalThis.crossOriginIsolated) return;
  throw new Error(
    'This page is not cross-origin isolated, so memory cannot be shared between workers. The server must send COOP "same-origin" and COEP "require-corp" with the page, and the frame needs allow="cross-origin-isolated".',
  );
}
