// The face of ipc: what the kernel and every process open over the shared memory, once.
// Nothing here needs a message; who may act is decided by the fence in party.ts.
import { HEADER_WORD } from '../memory/layout';
import { openDescriptions } from './descriptions';
import { type InodeFacts, openDescriptorTable } from './descriptors';
import { createParty, leaderSlot, passFence } from './party';
import { openPipes } from './pipe';
import { openPorts } from './ports';
import { formatProcesses, openProcesses } from './processes';
import { openRecordLocks } from './record-locks';
import { openTerminals } from './terminal';
import type { DescriptorTable, Ipc } from './types';

/** Kernel only, once per memory: makes the kernel process 1 in slot 0. */
export function formatIpc(memory: WebAssembly.Memory): void {
  formatProcesses(createParty(memory, 0, 1));
}

/** Opens ipc for the process in `slot` (kernel: slot 0, pid 1; a pooled worker: slot −1, and later `become`). */
export function openIpc(memory: WebAssembly.Memory, tree: InodeFacts, slot: number, pid: number): Ipc {
  const party = createParty(memory, slot, pid);
  const { words } = party;
  const pipes = openPipes(party);
  const terminals = openTerminals(party, pipes);
  const descriptions = openDescriptions(party, tree, pipes, terminals);
  const tables = new Map<number, DescriptorTable>();
  const activity = (): number => Atomics.load(words, HEADER_WORD.activity);

  return {
    processes: openProcesses(party),
    descriptions,
    ports: openPorts(party),
    recordLocks: openRecordLocks(party),
    pipes,
    terminals,
    tableOf: (slot) => {
      const of = leaderSlot(words, slot);
      let table = tables.get(of);
      if (!table) tables.set(of, (table = openDescriptorTable(party, of, tree, descriptions, pipes, terminals)));
      return table;
    },
    activity,
    waitForActivity: (seen, timeoutMs = Infinity) => {
      passFence(party);
      Atomics.wait(words, HEADER_WORD.activity, seen, timeoutMs);
      return activity();
    },
    whenActivity: async (seen) => {
      const wait = Atomics.waitAsync(words, HEADER_WORD.activity, seen);
      if (wait.async) await wait.value;
      return activity();
    },
    become: (newSlot, newPid) => {
      party.slot = newSlot;
      party.pid = newPid;
      tree.adopt?.(newSlot + 2, () => passFence(party));
    },
  };
}
