// Where the focus goes when a dialog closes. Radix gives it back to a trigger; ours are opened by commands and have none.

let before: HTMLElement | null = null;

/** For `onOpenAutoFocus`: remembers who has the focus. A dialog that another one opens gives it back to where the first came from. */
export function rememberFocus(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== document.body && !active.closest('[role="dialog"]')) before = active;
}

/** For `onCloseAutoFocus`: gives the focus back, unless what the dialog did has put it somewhere already. */
export function giveFocusBack(event: Event): void {
  event.preventDefault();
  if (document.activeElement === null || document.activeElement === document.body) before?.focus();
}
