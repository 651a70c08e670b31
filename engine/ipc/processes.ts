// The process table in shared memory: 256 slots. Slot 0 is the kernel, which plays init (pid 1).
// A slot is taken by one compare-and-exchange on its state; its pid is written last, so a half-filled slot is never found.
import { EAGAIN, ESRCH } from '../memory/errno';
import { HEADER_WORD } from '../memory/layout';
import { bumpActivity, isFenced, leaderSlot, type Party, PROCESS_WORD, passFence, processWord } from './party';
import { PROCESS_SLOTS, PROCESS_WORDS } from './regions';
import { PROCESS_STATE, type ProcessState, type ProcessTable } from './types';

/** Slots that only what the page starts (terminals, the agent's commands) may take. */
const RESERVED_FOR_PAGE = 4;
/** And those that only the first process of a session, a shell at its prompt, may take for its commands. */
const RESERVED_FOR_PROMPTS = 8;

/** How long the kernel may take to act on a signal. */
const OBEY_WAIT_MS = 5000;

/** What is left of a record for the command line. */
const COMMAND_BYTES = (PROCESS_WORDS - PROCESS_WORD.command) * 4;

/** Kernel only, once: makes slot 0 the running pid 1 and lets pids begin at 2. */
export function formatProcesses({ words, floats }: Pick<Party, 'words' | 'floats'>): void {
  Atomics.store(words, HEADER_WORD.nextPid, 2);
  const fields = { state: PROCESS_STATE.running, pid: 1, group: 1, session: 1, alive: 1 };
  for (const [name, value] of Object.entries(fields)) {
    Atomics.store(words, processWord(0, PROCESS_WORD[name as keyof typeof fields]), value);
  }
  floats[processWord(0, PROCESS_WORD.startedAt) >> 1] = Date.now();
}

/** The table as one party sees it. */
export function openProcesses(party: Party): ProcessTable {
  const { words } = party;
  const load = (slot: number, field: number): number => Atomics.load(words, processWord(slot, field));
  const store = (slot: number, field: number, value: number): void => {
    passFence(party);
    Atomics.store(words, processWord(slot, field), value);
  };
  const bit = (signal: number): [number, number] => [(signal - 1) >> 5, 1 << ((signal - 1) & 31)];

  /** How many slots stay free for others: the person can always open a terminal, and end what fills the table from it. */
  const reservedFor = (parentSlot: number): number => {
    if (parentSlot < 0) return 0;
    const parent = Math.max(leaderSlot(words, parentSlot), 0);
    const leadsSession = load(parent, PROCESS_WORD.pid) === load(parent, PROCESS_WORD.session);
    return leadsSession ? RESERVED_FOR_PAGE : RESERVED_FOR_PAGE + RESERVED_FOR_PROMPTS;
  };

  const allocate = (parentSlot: number): { pid: number; slot: number } | number => {
    passFence(party);
    const end = PROCESS_SLOTS - reservedFor(parentSlot);
    for (let slot = 1; slot < end; slot++) {
      if (load(slot, PROCESS_WORD.ghost) !== 0) continue;
      const state = processWord(slot, PROCESS_WORD.state);
      if (Atomics.compareExchange(words, state, PROCESS_STATE.free, PROCESS_STATE.starting) !== PROCESS_STATE.free)
        continue;
      const pid = Atomics.add(words, HEADER_WORD.nextPid, 1);
      const parent = Math.max(leaderSlot(words, parentSlot), 0);
      for (const field of ['exitCode', 'exitSignal', 'blockedOn', 'leader'] as const)
        store(slot, PROCESS_WORD[field], 0);
      for (let i = 0; i < 2; i++) {
        store(slot, PROCESS_WORD.handled + i, 0);
        store(slot, PROCESS_WORD.pending + i, 0);
      }
      store(slot, PROCESS_WORD.ppid, load(parent, PROCESS_WORD.pid));
      store(slot, PROCESS_WORD.group, parentSlot < 0 ? pid : load(parent, PROCESS_WORD.group));
      store(slot, PROCESS_WORD.session, parentSlot < 0 ? pid : load(parent, PROCESS_WORD.session));
      store(slot, PROCESS_WORD.terminal, parentSlot < 0 ? 0 : load(parent, PROCESS_WORD.terminal));
      store(slot, PROCESS_WORD.commandBytes, 0);
      party.floats[processWord(slot, PROCESS_WORD.startedAt) >> 1] = Date.now();
      store(slot, PROCESS_WORD.alive, pid);
      store(slot, PROCESS_WORD.pid, pid);
      return { pid, slot };
    }
    return EAGAIN;
  };

  const find = (pid: number): number => {
    for (let slot = 0; slot < PROCESS_SLOTS; slot++) {
      if (load(slot, PROCESS_WORD.pid) === pid && load(slot, PROCESS_WORD.state) !== PROCESS_STATE.free) return slot;
    }
    return ESRCH;
  };

  const all = (): { slot: number; pid: number }[] => {
    const found: { slot: number; pid: number }[] = [];
    for (let slot = 0; slot < PROCESS_SLOTS; slot++) {
      const pid = load(slot, PROCESS_WORD.pid);
      if (load(slot, PROCESS_WORD.state) === PROCESS_STATE.free || pid === 0) continue;
      if (load(slot, PROCESS_WORD.leader) === 0) found.push({ slot, pid });
    }
    return found;
  };

  const setState = (slot: number, state: ProcessState): void => {
    store(slot, PROCESS_WORD.state, state);
    bumpActivity(words);
  };

  const end = (slot: number, code: number, signal: number): void => {
    store(slot, PROCESS_WORD.exitCode, code);
    store(slot, PROCESS_WORD.exitSignal, signal);
    setState(slot, PROCESS_STATE.zombie);
  };

  const reap = (slot: number): void => {
    store(slot, PROCESS_WORD.alive, 0);
    store(slot, PROCESS_WORD.pid, 0);
    store(slot, PROCESS_WORD.state, PROCESS_STATE.free);
  };

  const raise = (slot: number, signal: number): void => {
    const [word, mask] = bit(signal);
    Atomics.or(words, processWord(slot, PROCESS_WORD.pending + word), mask);
    Atomics.add(words, processWord(slot, PROCESS_WORD.raised), 1);
    const blockedOn = load(slot, PROCESS_WORD.blockedOn);
    if (blockedOn !== 0) {
      Atomics.add(words, blockedOn, 1);
      Atomics.notify(words, blockedOn);
    }
    bumpActivity(words);
  };

  const takePending = (slot: number): number => {
    for (let word = 0; word < 2; word++) {
      const pending = load(slot, PROCESS_WORD.pending + word);
      if (pending === 0) continue;
      const index = 31 - Math.clz32(pending & -pending);
      Atomics.and(words, processWord(slot, PROCESS_WORD.pending + word), ~(1 << index));
      return word * 32 + index + 1;
    }
    return 0;
  };

  const isPending = (slot: number, signal: number): boolean =>
    (load(slot, PROCESS_WORD.pending + bit(signal)[0]) & bit(signal)[1]) !== 0;

  const takeOne = (slot: number, signal: number): boolean => {
    if (!isPending(slot, signal)) return false;
    const [word, mask] = bit(signal);
    return (Atomics.and(words, processWord(slot, PROCESS_WORD.pending + word), ~mask) & mask) !== 0;
  };

  const setHandled = (slot: number, signal: number, handled: boolean): void => {
    const [word, mask] = bit(signal);
    const at = processWord(slot, PROCESS_WORD.handled + word);
    passFence(party);
    if (handled) Atomics.or(words, at, mask);
    else Atomics.and(words, at, ~mask);
  };

  const setStopped = (slot: number, stopped: boolean): void => {
    const pid = load(slot, PROCESS_WORD.pid);
    const alive = processWord(slot, PROCESS_WORD.alive);
    Atomics.compareExchange(words, alive, stopped ? pid : -pid, stopped ? -pid : pid);
    Atomics.notify(words, alive);
    setState(slot, stopped ? PROCESS_STATE.stopped : PROCESS_STATE.running);
  };

  const textStart = (slot: number): number => processWord(slot, PROCESS_WORD.command) * 4;

  const setCommand = (slot: number, command: string): void => {
    passFence(party);
    const encoded = new TextEncoder().encode(command).subarray(0, COMMAND_BYTES);
    party.bytes.set(encoded, textStart(slot));
    store(slot, PROCESS_WORD.commandBytes, encoded.length);
  };

  // TextDecoder refuses shared views, so the bytes are copied out first.
  const commandOf = (slot: number): string =>
    new TextDecoder().decode(
      Uint8Array.from(party.bytes.subarray(textStart(slot), textStart(slot) + load(slot, PROCESS_WORD.commandBytes))),
    );

  return {
    allocate,
    setStopped,
    setCommand,
    commandOf,
    startedAtOf: (slot) => party.floats[processWord(slot, PROCESS_WORD.startedAt) >> 1],
    find,
    all,
    makeThread(slot, leader) {
      store(slot, PROCESS_WORD.ppid, load(leader, PROCESS_WORD.ppid));
      store(slot, PROCESS_WORD.leader, leader + 1);
      setState(slot, PROCESS_STATE.running);
    },
    end,
    reap,
    raise,
    takePending,
    takeOne,
    isPending,
    hasPending: (slot) => load(slot, PROCESS_WORD.pending) !== 0 || load(slot, PROCESS_WORD.pending + 1) !== 0,
    setHandled,
    setState,
    isHandled: (slot, signal) => (load(slot, PROCESS_WORD.handled + bit(signal)[0]) & bit(signal)[1]) !== 0,
    setGhost: (slot, isGhost) => store(slot, PROCESS_WORD.ghost, isGhost ? 1 : 0),
    fence(slot) {
      store(slot, PROCESS_WORD.alive, 0);
      Atomics.notify(words, processWord(slot, PROCESS_WORD.alive));
    },
    fenceSelf() {
      const alive = processWord(party.slot, PROCESS_WORD.alive);
      if (Atomics.compareExchange(words, alive, party.pid, 0) === party.pid) Atomics.notify(words, alive);
    },
    obey: () => {
      Atomics.wait(words, processWord(party.slot, PROCESS_WORD.alive), party.pid, OBEY_WAIT_MS);
      if (isFenced(words, party.slot)) return false;
      passFence(party);
      return true;
    },
    pidOf: (slot) => load(slot, PROCESS_WORD.pid),
    parentPidOf: (slot) => load(slot, PROCESS_WORD.ppid),
    setParent: (slot, pid) => store(slot, PROCESS_WORD.ppid, pid),
    groupOf: (slot) => load(slot, PROCESS_WORD.group),
    setGroup: (slot, group) => store(slot, PROCESS_WORD.group, group),
    sessionOf: (slot) => load(slot, PROCESS_WORD.session),
    setSession: (slot, session) => store(slot, PROCESS_WORD.session, session),
    terminalOf: (slot) => load(slot, PROCESS_WORD.terminal) - 1,
    setTerminal: (slot, terminal) => store(slot, PROCESS_WORD.terminal, terminal + 1),
    stateOf: (slot) => load(slot, PROCESS_WORD.state) as ProcessState,
    exitCodeOf: (slot) => load(slot, PROCESS_WORD.exitCode),
    exitSignalOf: (slot) => load(slot, PROCESS_WORD.exitSignal),
    usedCount: () => all().length,
  };
}
