// A clock that nobody sets. The system's own is put right by the network, by a person or by a laptop that wakes up, and a deadline on it ends hours early
// or never.

/** Epoch milliseconds as when the page was opened, and from then on steady: for deadlines, durations and countdowns. Never goes back. */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
