// How many requests a route holds open at once. Nobody may hold more than half of the places: who opens slow answers without end must not keep everybody
// else out.

export interface OpenRequests {
  /** A place for this visitor, to be given back by calling `leave` (more calls do nothing); otherwise whose requests are too many. */
  enter(visitor: string): { kind: 'in'; leave: () => void } | { kind: 'full' } | { kind: 'visitor-full' };
}

/** At most `max` places. */
export function createOpenRequests(max: number): OpenRequests {
  const perVisitor = Math.ceil(max / 2);
  const held = new Map<string, number>();
  let total = 0;
  return {
    enter(visitor) {
      const own = held.get(visitor) ?? 0;
      if (total >= max) return { kind: 'full' };
      if (own >= perVisitor) return { kind: 'visitor-full' };
      total++;
      held.set(visitor, own + 1);
      let isIn = true;
      return {
        kind: 'in',
        leave() {
          if (!isIn) return;
          isIn = false;
          total--;
          const left = held.get(visitor)! - 1;
          if (left === 0) held.delete(visitor);
          else held.set(visitor, left);
        },
      };
    },
  };
}
