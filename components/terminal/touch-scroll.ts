// Scrolling a terminal with a finger, which xterm has not: through what was printed, or, on the screen of a program (an editor, a pager), by the
// arrow keys that a wheel would send there.
import type { Terminal } from '@xterm/xterm';

/** Less than this is a touch, not a stroke. */
const strokePx = 8;

/** Follows strokes on `element`, which holds the xterm, until both are gone. `type` sends keys to the program. */
export function scrollByTouch(element: HTMLElement, xterm: Terminal, type: (keys: string) => void): void {
  let stroke: { y: number; left: number; moved: boolean } | undefined;
  const scroll = (lines: number) => {
    if (xterm.buffer.active.type === 'normal') return xterm.scrollLines(lines);
    const arrow = `\x1b${xterm.modes.applicationCursorKeysMode ? 'O' : '['}${lines < 0 ? 'A' : 'B'}`;
    type(arrow.repeat(Math.abs(lines)));
  };
  const begin = (event: TouchEvent) => {
    stroke = event.touches.length === 1 ? { y: event.touches[0]!.clientY, left: 0, moved: false } : undefined;
  };
  const move = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (!stroke || !touch) return;
    const wayPx = stroke.y - touch.clientY;
    if (!stroke.moved && Math.abs(wayPx) < strokePx) return;
    event.preventDefault();
    const rowPx = element.clientHeight / xterm.rows;
    const left = stroke.left + wayPx / rowPx;
    const lines = Math.trunc(left);
    stroke = { y: touch.clientY, left: left - lines, moved: true };
    if (lines !== 0) scroll(lines);
  };
  element.addEventListener('touchstart', begin, { passive: true });
  element.addEventListener('touchmove', move, { passive: false });
}
