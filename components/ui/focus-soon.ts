// The focus after the next drawing, when what is to have it is there.

/** Focuses what `selector` finds in `root`, unless the person has gone to another panel meanwhile. */
export function focusSoon(root: HTMLElement | null, selector: string): void {
  requestAnimationFrame(() => {
    const { activeElement } = document;
    const panel = root?.closest('[data-panel]') ?? root;
    if (activeElement === null || activeElement === document.body || panel?.contains(activeElement))
      root?.querySelector<HTMLElement>(selector)?.focus();
  });
}
