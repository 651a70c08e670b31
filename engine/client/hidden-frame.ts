// The frames in which the page keeps parts of other origins. Every one is sandboxed by the page itself, whatever its own answer says: a guest whose
// page is of the same origin can reach into a frame, put a link there and send it anywhere, and one that is not sandboxed takes the whole tab along.

// What a part of ours on another origin needs: its scripts and its storage. Not the top page, no windows, no forms, no dialogs.
const PART_SANDBOX = 'allow-scripts allow-same-origin';

/** A frame that nobody sees, not in the page yet. */
export function hiddenFrame(title: string, src: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.title = title;
  frame.sandbox.value = PART_SANDBOX;
  frame.allow = 'cross-origin-isolated';
  frame.src = src;
  return frame;
}
