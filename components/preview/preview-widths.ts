// The widths at which a page is tried. Only widths: what a page does on a phone follows from its width, and a phone's height would not fit a panel.

export interface PreviewWidth {
  name: string;
  /** In CSS pixels; undefined: what the panel has. */
  px: number | undefined;
}

/** In the order of the menu. */
export const previewWidths: readonly PreviewWidth[] = [
  { name: 'As wide as the panel', px: undefined },
  { name: 'Phone', px: 390 },
  { name: 'Tablet', px: 820 },
  { name: 'Phone on its side', px: 844 },
  { name: 'Laptop', px: 1280 },
];

/** The one after this width; after the last one the first. */
export function nextWidth(px: number | undefined): PreviewWidth {
  return previewWidths[(previewWidths.findIndex((one) => one.px === px) + 1) % previewWidths.length]!;
}

export interface FittedPage {
  width: number;
  height: number;
  /** At most 1: what is wider than the panel is shown smaller, what is narrower keeps its size. */
  scale: number;
}

/** The page's size in its own pixels, so that it fills the height of the room and, made smaller where it must be, fits its width. */
export function fitPage(px: number, room: { width: number; height: number }): FittedPage {
  const scale = Math.min(1, Math.max(room.width, 1) / px);
  return { width: px, height: Math.floor(room.height / scale), scale };
}
