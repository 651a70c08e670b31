// A search ends after half a minute with advice instead of hanging, and at once when the call is stopped.
import { raceSignal } from '../std/signals';
import { ToolError } from './tool';

const searchTimeoutMs = 30_000;

/** Runs `search` under the call's signal and the deadline; past it a ToolError says `advice`. */
export async function searchWithLimits<T>(
  signal: AbortSignal,
  advice: string,
  search: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(searchTimeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  try {
    return await raceSignal(search(either), either);
  } catch (error) {
    if (deadline.aborted && !signal.aborted) throw new ToolError(advice);
    throw error;
  }
}
