// The engine's frame that the server put into the page's HTML (engine-frame.tsx), so that the engine starts with the first bytes of the page.
// Whoever boots first takes it; later attempts make their own.

/** The frame's id in the page. */
export const EARLY_FRAME_ID = 'cloche-engine';

/** Whether there is one that nobody has taken; false on the server. */
export function hasEarlyFrame(): boolean {
  return typeof document !== 'undefined' && document.getElementById(EARLY_FRAME_ID) !== null;
}

/** The frame, once; undefined when the page came without one or it has been taken. */
export function takeEarlyFrame(): HTMLIFrameElement | undefined {
  const frame = document.getElementById(EARLY_FRAME_ID);
  if (!(frame instanceof HTMLIFrameElement)) return undefined;
  frame.removeAttribute('id');
  return frame;
}
