// Where the focus goes when a dialog closes. Radix gives it back to a trigger; ours are opened by commands and have none.

let before: HTMLElement | null = null;

/** For `onOpenAutoFocus`: remembers who has the focus. A dialog that another one opens gives it back to where the first came from. */
export function rememberFocus(): void {
  const active = buttonOfMenu(document.activeElement);
  if (active instanceof HTMLElement && active !== document.body && !active.closest('[role="dialog"]')) before = active;
}

/** An entry of a menu is gone when its dialog closes: its menu's button stands for it. */
function buttonOfMenu(element: Element | null): Element | null {
  const name = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (name && document.getElementById(name)) || element;
}

/** For `onCloseAutoFocus`: gives the focus back, unless what the dialog did has put it somewhere already. */
export function giveFocusBack(event: Event): void {
  event.preventDefault();
  if (document.activeElement === null || document.activeElement === document.body) before?.focus();
}
