// Whether somebody still gives a sign of life. Time in which nobody could (a sleeping computer, a throttled tab) counts as little, so that what is
// merely paused is not taken for dead.

export interface SilenceOptions {
  /** Called with how to note a sign of life; returns how to stop listening. Without it there is none before the limit. */
  listen?(sign: () => void): () => void;
  /** Silence is right now: somebody else is waited for. */
  isHeld?(): boolean;
  limitMs: number;
  /** Told at each look while there has been silence for `afterMs`, and once with 0 when it is over. */
  tell?: { afterMs: number; onSilence(silentMs: number): void };
  /** Once. */
  onLimit(): void;
}

const lookEveryMs = 10_000;
const maxGapMs = 60_000;

/** Looks every ten seconds, oftener for short limits; returns how to stop. */
export function watchSilence(options: SilenceOptions): () => void {
  const { listen, isHeld, limitMs, tell, onLimit } = options;
  let silentMs = 0;
  let isTold = false;
  let lookedAtMs = performance.now();
  const stopListening = listen?.(() => {
    silentMs = 0;
  });
  const look = () => {
    const nowMs = performance.now();
    silentMs = isHeld?.() ? 0 : silentMs + Math.min(nowMs - lookedAtMs, maxGapMs);
    lookedAtMs = nowMs;
    if (silentMs >= limitMs) {
      stop();
      onLimit();
    } else if (tell !== undefined && (silentMs >= tell.afterMs || isTold)) {
      const told = silentMs >= tell.afterMs ? silentMs : 0;
      isTold = told > 0;
      tell.onSilence(told);
    }
  };
  const timer = setInterval(look, Math.min(lookEveryMs, limitMs / 4));
  const stop = () => {
    clearInterval(timer);
    stopListening?.();
  };
  return stop;
}
