// A line between panels: dragged with a pointer, moved with the arrow keys.
'use client';

import type { KeyboardEvent, PointerEvent } from 'react';
import { growsForward, type PlacedSeparator, resize } from './layout-model';
import { panelNames } from './panel-names';
import { rectStyle } from './rect-style';
import { useWorkbench } from './workbench-context';

const stepPx = 16;

/** A focusable separator as the ARIA practices describe it. */
export function PanelSeparator({ line }: { line: PlacedSeparator }) {
  const { layout } = useWorkbench();
  const direction = growsForward(line) ? 1 : -1;
  const set = (value: number) => layout.set((now) => resize(now, line, value));

  const onKey = (event: KeyboardEvent) => {
    const keys = line.axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    const at = keys.indexOf(event.key);
    if (at >= 0) set(line.value + direction * (at === 0 ? -stepPx : stepPx));
    else if (event.key === 'Home') set(line.min);
    else if (event.key === 'End') set(line.max);
    else return;
    event.preventDefault();
  };

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    const element = event.currentTarget;
    const at = (moved: { clientX: number; clientY: number }) => (line.axis === 'x' ? moved.clientX : moved.clientY);
    const start = at(event);
    const startValue = line.value;
    element.setPointerCapture(event.pointerId);
    // Frames of other origins would swallow the pointer.
    document.body.classList.add('is-resizing');
    const move = (moved: globalThis.PointerEvent) => set(startValue + direction * (at(moved) - start));
    const end = () => {
      document.body.classList.remove('is-resizing');
      element.removeEventListener('pointermove', move);
    };
    element.addEventListener('pointermove', move);
    element.addEventListener('lostpointercapture', end, { once: true });
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: <hr> can't be focused and moved.
    <div
      role="separator"
      tabIndex={0}
      className="separator"
      data-axis={line.axis}
      aria-orientation={line.axis === 'x' ? 'vertical' : 'horizontal'}
      aria-label={`Resize ${nameOf(line)}`}
      aria-valuenow={line.value}
      aria-valuemin={line.min}
      aria-valuemax={line.max}
      style={rectStyle(line)}
      onKeyDown={onKey}
      onPointerDown={onPointerDown}
    />
  );
}

function nameOf({ target }: PlacedSeparator): string {
  if (target.kind === 'share') return `${panelNames[target.before].name} and ${panelNames[target.after].name}`;
  return target.kind === 'split' ? 'the two sides of the editor' : `the panels on the ${target.dock}`;
}
