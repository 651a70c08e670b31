// Where the focus goes when a panel is shown, hidden or walked to. Apart from workbench.ts, so that panels can use it without importing who
// imports them.
import type { PanelId } from './layout-model';

/** The element of a panel, or of the side of the editor in which the person works. */
export function panelElement(panel: PanelId | 'editor'): HTMLElement | null {
  const side = panel === 'editor' ? document.querySelector<HTMLElement>('[data-side][data-focused="true"]') : null;
  return side ?? document.querySelector(`[data-panel="${panel}"]`);
}

/** Asked for before its contents were there, and where the focus was left meanwhile. */
let awaited: { panel: PanelId | 'editor'; from: Element | null } | undefined;

/** Puts the focus where a person goes on in that panel: what is marked, else its first control until the contents claim it. */
export function focusPanel(panel: PanelId | 'editor'): void {
  const element = panelElement(panel);
  awaited = element && focusInside(element) ? undefined : { panel, from: document.activeElement };
}

/** The open panel after (1) or before (-1) the one that has the focus, in the order of the page and round its end. */
export function focusNextPanel(step: 1 | -1): void {
  // The two sides of the editor are two stops.
  const stops = '[data-panel]:not([data-panel="editor"]), [data-panel="editor"] [data-side]';
  const panels = [...document.querySelectorAll<HTMLElement>(stops)].filter(
    (panel) => panel.offsetParent !== null && !['row', 'column', 'hidden'].includes(panel.dataset.shape ?? ''),
  );
  const at = panels.findIndex((panel) => panel.contains(document.activeElement));
  const next = at < 0 ? (step === 1 ? 0 : panels.length - 1) : (at + step + panels.length) % panels.length;
  const target = panels[next];
  if (target) focusInside(target);
}

/** After the layout changed: if what had the focus is gone, the editor gets it. */
export function keepFocusVisible(): void {
  requestAnimationFrame(() => {
    const active = document.activeElement as HTMLElement | null;
    if (active === null || active === document.body || !active.checkVisibility()) focusPanel('editor');
  });
}

/** True when it was what is marked, false when only a first control was there, or nothing. */
function focusInside(panel: HTMLElement): boolean {
  const wanted = panel.querySelectorAll<HTMLElement>(
    '[data-panel-focus], .xterm-helper-textarea, .monaco-editor textarea, .native-edit-context, [role="treeitem"][tabindex="0"]',
  );
  const target = [...wanted].find((element) => element.checkVisibility());
  // Only what Tab reaches: a tab that is not selected would be selected by its focus.
  const controls = panel.querySelectorAll<HTMLElement>('button:not([tabindex="-1"]), iframe, [tabindex="0"]');
  (target ?? [...controls].find((element) => element.checkVisibility()))?.focus();
  return target !== undefined;
}

/** For contents that have just come: true once when the person had asked for the panel and has gone nowhere else since. */
export function claimFocus(panel: PanelId | 'editor'): boolean {
  if (awaited?.panel !== panel) return false;
  const { from } = awaited;
  awaited = undefined;
  const { activeElement } = document;
  return [from, document.body].includes(activeElement) || panelElement(panel)?.contains(activeElement) === true;
}
