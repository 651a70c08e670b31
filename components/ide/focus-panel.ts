// Where the focus goes when a panel is shown or hidden. Apart from workbench.ts, so that panels can use it without importing who imports them.
import type { PanelId } from './layout-model';

/** The element of a panel, or of the editor. */
export function panelElement(panel: PanelId | 'editor'): HTMLElement | null {
  return document.querySelector(`[data-panel="${panel}"]`);
}

/** Asked for before its contents were there. */
let awaited: PanelId | 'editor' | undefined;

/** Puts the focus where a person goes on in that panel: what is marked, else its first control until the contents claim it. */
export function focusPanel(panel: PanelId | 'editor'): void {
  const element = panelElement(panel);
  const target = element?.querySelector<HTMLElement>(
    '[data-panel-focus], .xterm-helper-textarea, .monaco-editor textarea, .native-edit-context',
  );
  awaited = target ? undefined : panel;
  (target ?? element?.querySelector<HTMLElement>('button, [tabindex="0"]'))?.focus();
}

/** For contents that have just come: true once when the person had asked for the panel and has gone nowhere else since. */
export function claimFocus(panel: PanelId | 'editor'): boolean {
  if (awaited !== panel) return false;
  awaited = undefined;
  const { activeElement } = document;
  return activeElement === document.body || panelElement(panel)?.contains(activeElement) === true;
}
