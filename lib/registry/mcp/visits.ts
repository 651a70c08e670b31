// Visits that a server wants before it does what a call asks for (error -32042): the person is asked for each, and then the call is made again.
import { z } from 'zod';
import type { ServerAsks } from './server-asks';
import type { VisitRequest } from './visit';

/** Which visits are over. */
export interface Visits {
  /** The server says so. */
  finish(id: string): void;
  /** Makes the call, and again after each round of visits that it wants; after three rounds what it answered last is the answer. */
  around<T>(asks: ServerAsks, signal: AbortSignal, call: () => Promise<T>): Promise<T>;
}

const maxRounds = 3;
const maxKept = 200;
const wanted = z.object({
  code: z.literal(-32042),
  data: z.object({
    elicitations: z
      .array(z.object({ mode: z.literal('url'), elicitationId: z.string(), message: z.string(), url: z.string() }))
      .min(1)
      .max(8),
  }),
});

/** None yet. */
export function createVisits(): Visits {
  const over = new Map<string, AbortController>();
  const overOf = (id: string) => {
    const known = over.get(id) ?? new AbortController();
    if (!over.has(id) && over.size >= maxKept) over.delete(over.keys().next().value!);
    over.set(id, known);
    return known;
  };

  async function visit(asks: ServerAsks, request: VisitRequest, signal: AbortSignal): Promise<boolean> {
    const finished = overOf(request.id).signal;
    const { action } = await asks.visit(request, signal);
    return action === 'accept' && (finished.aborted || (await asks.untilVisited(request, signal, finished)));
  }

  return {
    finish: (id) => overOf(id).abort(),
    async around(asks, signal, call) {
      for (let round = 0; ; round++) {
        try {
          return await call();
        } catch (error) {
          const parsed = wanted.safeParse(error);
          if (!parsed.success || round === maxRounds) throw error;
          for (const { elicitationId: id, message, url } of parsed.data.data.elicitations)
            if (!(await visit(asks, { id, message, url }, signal)))
              throw new Error(`It wants the person to visit ${url} first, and they would rather not.`);
        }
      }
    },
  };
}
