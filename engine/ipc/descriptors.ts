// Descriptor tables: 1,024 words per process, each a description's number + 1. Every change is one compare-and-exchange or exchange,
// because the kernel adds descriptors (accepted connections) to a table while its process works on it.
import { EBADF, EINVAL, EMFILE, ENXIO } from '../memory/errno';
import { DEVICE, FILE_TYPE, type FileTree } from '../tree/types';
import type { DescriptionParts, OwnedDescriptions } from './descriptions';
import { leaderSlot, type Party, PROCESS_WORD, passFence, processWord } from './party';
import { DESCRIPTOR_BASE, DESCRIPTORS_PER_PROCESS } from './regions';
import { DESCRIPTION_KIND, type DescriptorTable, type Pipes, type Terminals } from './types';

const O_RDONLY = 0;
const O_WRONLY = 1;
const O_RDWR = 2;

/** What descriptor tables need of the file tree. */
export type InodeFacts = Pick<FileTree, 'retain' | 'release' | 'typeOf' | 'rdevOf'> & {
  /** Told when the party becomes a process: its id in the tree's lock, and the fence to pass before taking it. */
  adopt?(owner: number, fence: () => void): void;
};

/** The descriptor table of the process in `slot`, as `party` sees it. */
export function openDescriptorTable(
  party: Party,
  slot: number,
  tree: InodeFacts,
  descriptions: OwnedDescriptions,
  pipes: Pipes,
  terminals: Terminals,
): DescriptorTable {
  const { words } = party;
  const base = DESCRIPTOR_BASE + slot * DESCRIPTORS_PER_PROCESS;
  const isFd = (fd: number): boolean => Number.isInteger(fd) && fd >= 0 && fd < DESCRIPTORS_PER_PROCESS;

  /** Puts an already counted description at the lowest free fd, or drops the reference. */
  const installAt = (tableBase: number, description: number, from: number): number => {
    for (let fd = from; fd < DESCRIPTORS_PER_PROCESS; fd++) {
      if (Atomics.compareExchange(words, tableBase + fd, 0, description + 1) === 0) return fd;
    }
    descriptions.release(description);
    return EMFILE;
  };

  const install = (parts: DescriptionParts): number => {
    const description = descriptions.create(parts);
    if (description >= 0) return installAt(base, description, 0);
    descriptions.letGo(parts);
    return description;
  };

  const get = (fd: number): number => {
    if (!isFd(fd)) return EBADF;
    const entry = Atomics.load(words, base + fd);
    return entry === 0 ? EBADF : entry - 1;
  };

  const close = (fd: number): number => {
    passFence(party);
    if (!isFd(fd)) return EBADF;
    const entry = Atomics.exchange(words, base + fd, 0);
    if (entry === 0) return EBADF;
    descriptions.release(entry - 1);
    return 0;
  };

  const openTerminal = (terminal: number): number => {
    passFence(party);
    const { input, output } = terminals.open(terminal);
    pipes.retain(input.index, 'read');
    pipes.retain(output.index, 'write');
    terminals.retain(terminal);
    const kind = DESCRIPTION_KIND.terminal;
    return install({ kind, flags: O_RDWR, incoming: input.index, outgoing: output.index, terminal });
  };

  const openFile = (ino: number, flags: number): number => {
    passFence(party);
    const type = tree.typeOf(ino);
    if (type === FILE_TYPE.socket) return ENXIO;
    const isDevice = type === FILE_TYPE.character;
    if (isDevice && tree.rdevOf(ino) === DEVICE.tty) {
      const terminal = Atomics.load(words, processWord(slot, PROCESS_WORD.terminal)) - 1;
      return terminal < 0 ? ENXIO : openTerminal(terminal);
    }
    tree.retain(ino);
    return install({ kind: isDevice ? DESCRIPTION_KIND.device : DESCRIPTION_KIND.file, flags, ino });
  };

  const openPair = (): [number, number] | number => {
    passFence(party);
    const forth = pipes.create(1, 1);
    const back = forth < 0 ? forth : pipes.create(1, 1);
    if (back < 0) {
      if (forth >= 0) for (const end of ['read', 'write'] as const) pipes.release(forth, end);
      return EMFILE;
    }
    const kind = DESCRIPTION_KIND.pipe;
    return both(
      { kind, flags: O_RDWR, incoming: back, outgoing: forth },
      { kind, flags: O_RDWR, incoming: forth, outgoing: back },
    );
  };

  const openPipe = (): [number, number] | number => {
    passFence(party);
    const ring = pipes.create(1, 1);
    if (ring < 0) return EMFILE;
    const kind = DESCRIPTION_KIND.pipe;
    return both({ kind, flags: O_RDONLY, incoming: ring }, { kind, flags: O_WRONLY, outgoing: ring });
  };

  const both = (one: DescriptionParts, two: DescriptionParts): [number, number] | number => {
    const first = install(one);
    const second = install(two);
    if (first >= 0 && second >= 0) return [first, second];
    if (first >= 0) close(first);
    if (second >= 0) close(second);
    return EMFILE;
  };

  const duplicate = (fd: number, from = 0): number => {
    passFence(party);
    const description = get(fd);
    if (description < 0) return description;
    if (!isFd(from)) return EINVAL;
    descriptions.retain(description);
    return installAt(base, description, from);
  };

  const giveAt = (targetSlot: number, fd: number, asFd: number): number => {
    passFence(party);
    const description = get(fd);
    if (description < 0) return description;
    if (!isFd(asFd)) return EBADF;
    descriptions.retain(description);
    const word = DESCRIPTOR_BASE + leaderSlot(words, targetSlot) * DESCRIPTORS_PER_PROCESS + asFd;
    const before = Atomics.exchange(words, word, description + 1);
    if (before !== 0) descriptions.release(before - 1);
    return asFd;
  };

  const giveLowest = (targetSlot: number, fd: number): number => {
    passFence(party);
    const description = get(fd);
    if (description < 0) return description;
    descriptions.retain(description);
    return installAt(DESCRIPTOR_BASE + leaderSlot(words, targetSlot) * DESCRIPTORS_PER_PROCESS, description, 0);
  };

  const list = (): number[] => {
    const open: number[] = [];
    for (let fd = 0; fd < DESCRIPTORS_PER_PROCESS; fd++) if (Atomics.load(words, base + fd) !== 0) open.push(fd);
    return open;
  };

  return {
    openFile,
    openPipe,
    openPair,
    openTerminal,
    get,
    close,
    duplicate,
    duplicateTo: (fd, to) => (fd === to && get(fd) >= 0 ? to : giveAt(slot, fd, to)),
    giveTo: giveAt,
    giveLowest,
    list,
    closeAll: () => {
      for (const fd of list()) close(fd);
    },
  };
}
