// The time that a program uses: it stands still while the person is asked, however long they think.

/** Stops and goes on as often as it is told to. */
export interface ProgramClock {
  /** Until the returned function is called; several may hold it at once. */
  hold(): () => void;
  end(): void;
}

/** Calls `onOver` once, when `ms` were used. */
export function programClock(ms: number, onOver: () => void): ProgramClock {
  let leftMs = ms;
  let held = 0;
  let sinceMs = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(onOver, ms);
  return {
    hold() {
      if (held++ === 0) {
        clearTimeout(timer);
        leftMs -= performance.now() - sinceMs;
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        if (--held > 0) return;
        sinceMs = performance.now();
        timer = setTimeout(onOver, Math.max(0, leftMs));
      };
    },
    end() {
      clearTimeout(timer);
      held = Number.POSITIVE_INFINITY;
    },
  };
}
