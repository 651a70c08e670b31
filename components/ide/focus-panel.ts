// Where the focus goes when a panel is shown or hidden. Apart from workbench.ts, so that panels can use it without importing who imports them.
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
