// Where a panel lies, as CSS.
import type { CSSProperties } from 'react';

/** A rectangle as absolute position. */
export function rectStyle(rect: { x: number; y: number; width: number; height: number }): CSSProperties {
  return { left: rect.x, top: rect.y, width: rect.width, height: rect.height };
}
