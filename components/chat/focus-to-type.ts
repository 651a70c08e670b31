// Putting the focus where one types, but not on a touch screen: there a keyboard would come up that nobody asked for.

/** Focuses without scrolling; does nothing where the main pointer is a finger. */
export function focusToType(element: HTMLElement | null | undefined): void {
  if (!matchMedia('(pointer: coarse)').matches) element?.focus({ preventScroll: true });
}
