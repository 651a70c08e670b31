// The order in which a project's page loads: first the computer and a terminal that shows something, then the rest. On two processors an editor that is
// evaluated beside the boot makes both late (docs/decisions/0018).

/** A computer whose terminal stays silent holds nothing up for longer. */
const PATIENCE_MS = 4000;
/** Nor does an editor, which is large. */
const EDITOR_PATIENCE_MS = 10_000;
/** A page in the background draws nothing. */
const FRAME_MS = 100;

const shown = Promise.withResolvers<void>();
let isWaiting = false;
let isTold = false;

/** To be told when a terminal has taken its first output, or has nothing to show. */
export function terminalHasOutput(): void {
  if (isTold) return;
  isTold = true;
  const timer = setTimeout(shown.resolve, FRAME_MS);
  requestAnimationFrame(() =>
    setTimeout(() => {
      clearTimeout(timer);
      shown.resolve();
    }),
  );
}

/** Resolves when the first output of a terminal of this page is on the screen, or has not come in time. Never rejects. */
export function afterFirstOutput(): Promise<void> {
  if (!isWaiting) setTimeout(shown.resolve, PATIENCE_MS);
  isWaiting = true;
  return shown.promise;
}

const opened = Promise.withResolvers<void>();

/** To be told when the editor has got what it shows first, or has nothing to show. */
export function editorHasOpened(): void {
  const timer = setTimeout(opened.resolve, FRAME_MS);
  requestAnimationFrame(() =>
    setTimeout(() => {
      clearTimeout(timer);
      opened.resolve();
    }),
  );
}

/**
 * Resolves when the terminal and then the editor are on the screen, or have not come in time: for what would only share a slow line with them (the chat, npm,
 * the keeping for offline work). Never rejects.
 */
export async function afterEditor(): Promise<void> {
  await afterFirstOutput();
  const timer = setTimeout(opened.resolve, EDITOR_PATIENCE_MS);
  await opened.promise;
  clearTimeout(timer);
}
