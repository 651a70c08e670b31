// What a model names in a call, as everything here relies on it: ids that stand for one call of the conversation (some servers send the same for
// every call, or none), and tools by the names that they have.
import { newId } from '../std/ids';

export interface CallNames {
  /** The id of a call whose input begins; `given` is the provider's. */
  begin(given: string): string;
  /** The id of the call whose input goes on. */
  ofOpen(given: string): string;
  /** The id of a call that is complete, whether its input was announced or not. */
  complete(given: string): string;
}

/** For one step. `isTaken`: by an earlier call. */
export function createCallNames(isTaken: (id: string) => boolean): CallNames {
  const used = new Set<string>();
  const open = new Map<string, string>();
  const begin = (given: string) => {
    const id = given === '' || used.has(given) || isTaken(given) ? newId('call') : given;
    used.add(id);
    open.set(given, id);
    return id;
  };
  return {
    begin,
    ofOpen: (given) => open.get(given) ?? given,
    complete(given) {
      const id = open.get(given) ?? begin(given);
      open.delete(given);
      return id;
    },
  };
}
