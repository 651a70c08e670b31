// The ports of this thread whose other end is in another thread: what must have arrived before a thread's end is reported, and what is
// closed when this thread ends.

/** An end of such a port. */
export interface LinkedEnd {
  /** How many messages the other end has sent so far, and how many of them have arrived here. */
  counts(): { sent: number; arrived: number };
  close(): void;
}

/** All of this thread. */
export const openLinks = new Set<LinkedEnd>();

/** What a dead thread had numbered but never posted does not come; nobody waits longer for it. */
const ARRIVAL_MS = 300;
// Taken here because the global object is cleaned later.
const now = performance.now.bind(performance);

/** Calls `then` when everything that other threads have sent before this call has arrived. */
export function settleArrivals(setTimeout: (callback: () => void, ms: number) => unknown, then: () => void): void {
  const awaited = [...openLinks].map((end) => ({ end, sent: end.counts().sent }));
  const isUnderWay = (): boolean => awaited.some(({ end, sent }) => ((sent - end.counts().arrived) | 0) > 0);
  const deadline = now() + ARRIVAL_MS;
  const look = (): void => {
    if (isUnderWay() && now() < deadline) setTimeout(look, 1);
    else then();
  };
  look();
}

/** Tells the other ends that this thread goes away. */
export function closeLinks(): void {
  for (const end of [...openLinks]) end.close();
}
