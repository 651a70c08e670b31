// How long a call may be silent: begun anew by each sign of life, and held while the person fills in a form that the server asked for.

export interface CallDeadline {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
  /** The whole time again. */
  again(): void;
  /** Stands still until the returned function is called; then the whole time again. */
  hold(): () => void;
  /** It does not matter any more. */
  end(): void;
}

/** Does not run before the first `again`. */
export function callDeadline(ms: number): CallDeadline {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let held = 0;
  let ended = false;
  const again = () => {
    clearTimeout(timer);
    if (held === 0 && !ended) timer = setTimeout(() => over.abort(), ms);
  };
  return {
    signal: over.signal,
    again,
    hold() {
      held++;
      clearTimeout(timer);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        held--;
        again();
      };
    },
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
