// Finds panels in the page, and where a person goes on in one.
import type { PanelId } from './layout-model';

/** The element of a panel, or of the editor. */
export function panelElement(panel: PanelId | 'editor'): HTMLElement | null {
  return document.querySelector(`[data-panel="${panel}"]`);
}

/** Puts the focus where a person goes on in that panel: what is marked, else its first control. */
export function focusPanel(panel: PanelId | 'editor'): void {
  const element = panelElement(panel);
  const target = element?.querySelector<HTMLElement>(
    '[data-panel-focus], .xterm-helper-textarea, .monaco-editor textarea, .native-edit-context',
  );
  (target ?? element?.querySelector<HTMLElement>('button, [tabindex="0"]'))?.focus();
}
