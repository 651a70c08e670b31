// The address of the project that the page shows: the page was opened under another one, by a template or a link.

/** Puts `/p/<id>` into the address bar without loading anything. */
export function showProjectAddress(id: string): void {
  // The prototype's own: Next replaces the method of `history`, and would fetch the other page.
  History.prototype.replaceState.call(window.history, window.history.state, '', `/p/${id}`);
}
