// The order in which a project's page loads: first the computer and a terminal that shows something, then the rest. On two processors an editor that is
// evaluated beside the boot makes both late (docs/decisions/0018).

/** A computer whose terminal stays silent holds nothing up for longer. */
const PATIENCE_MS = 4000;
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
