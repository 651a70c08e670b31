// Open file descriptions: 16,384 reference-counted records that descriptors of any process point at, so that dup and inheritance share offsets.
// A description holds its inode, the ends of its rings, or its terminal; the last release lets go of them.
import { EMFILE } from '../memory/errno';
import { type Party, passFence } from './party';
import { DESCRIPTION_BASE, DESCRIPTION_HINT_WORD, DESCRIPTION_WORDS, DESCRIPTIONS } from './regions';
import { DESCRIPTION_KIND, type DescriptionKind, type Descriptions, type Pipes, type Terminals } from './types';

/** What ipc needs of the file tree. */
export interface InodeReferences {
  retain(ino: number): void;
  release(ino: number): void;
}

const WORD = {
  references: 0,
  kind: 1,
  flags: 2,
  ino: 3,
  /** A Float64 over words 4 and 5. */
  position: 4,
  /** Ring index + 1, or 0. */
  incoming: 6,
  outgoing: 7,
  /** Terminal index + 1, or 0. */
  terminal: 8,
} as const;

/** What a description is made of; what is named here has already been retained for it. */
export interface DescriptionParts {
  kind: DescriptionKind;
  flags?: number;
  ino?: number;
  incoming?: number;
  outgoing?: number;
  terminal?: number;
}

/** The descriptions with their reference counts; only descriptor tables use these. */
export interface OwnedDescriptions extends Descriptions {
  /** A fresh description with one reference, or EMFILE. */
  create(parts: DescriptionParts): number;
  retain(description: number): void;
  release(description: number): void;
  /** Releases what `parts` names, when no description could be made of it. */
  letGo(parts: DescriptionParts): void;
}

/** All descriptions, as one party sees them. */
export function openDescriptions(
  party: Party,
  inodes: InodeReferences,
  pipes: Pipes,
  terminals: Terminals,
): OwnedDescriptions {
  const { words, floats } = party;
  const at = (description: number, field: number): number => DESCRIPTION_BASE + description * DESCRIPTION_WORDS + field;
  const load = (description: number, field: number): number => Atomics.load(words, at(description, field));

  const create = (parts: DescriptionParts): number => {
    passFence(party);
    const hint = Atomics.load(words, DESCRIPTION_HINT_WORD);
    for (let i = 0; i < DESCRIPTIONS; i++) {
      const description = (hint + i) % DESCRIPTIONS;
      if (Atomics.compareExchange(words, at(description, WORD.references), 0, 1) !== 0) continue;
      Atomics.store(words, DESCRIPTION_HINT_WORD, (description + 1) % DESCRIPTIONS);
      const set = (field: number, value: number): void => void Atomics.store(words, at(description, field), value);
      floats[at(description, WORD.position) >> 1] = 0;
      set(WORD.kind, parts.kind);
      set(WORD.flags, parts.flags ?? 0);
      set(WORD.ino, parts.ino ?? 0);
      set(WORD.incoming, parts.incoming === undefined ? 0 : parts.incoming + 1);
      set(WORD.outgoing, parts.outgoing === undefined ? 0 : parts.outgoing + 1);
      set(WORD.terminal, parts.terminal === undefined ? 0 : parts.terminal + 1);
      return description;
    }
    return EMFILE;
  };

  const letGo = ({ ino, incoming, outgoing, terminal }: Omit<DescriptionParts, 'kind'>): void => {
    if (ino !== undefined) inodes.release(ino);
    if (incoming !== undefined) pipes.release(incoming, 'read');
    if (outgoing !== undefined) pipes.release(outgoing, 'write');
    if (terminal !== undefined) terminals.release(terminal);
  };

  const release = (description: number): void => {
    const indexIn = (field: number): number | undefined => {
      const value = load(description, field);
      return value > 0 ? value - 1 : undefined;
    };
    // Read before the count drops: afterwards the record may already be somebody else's.
    const parts = {
      ino: load(description, WORD.ino) || undefined,
      incoming: indexIn(WORD.incoming),
      outgoing: indexIn(WORD.outgoing),
      terminal: indexIn(WORD.terminal),
    };
    if (Atomics.sub(words, at(description, WORD.references), 1) === 1) letGo(parts);
  };

  const usedCount = (): number => {
    let used = 0;
    for (let i = 0; i < DESCRIPTIONS; i++) if (load(i, WORD.references) > 0) used++;
    return used;
  };

  const ring = (description: number, field: number) => {
    const index = load(description, field);
    return index > 0 ? pipes.open(index - 1) : undefined;
  };

  return {
    create,
    retain: (description) => void Atomics.add(words, at(description, WORD.references), 1),
    release,
    letGo,
    usedCount,
    shutdownWrite: (description) => {
      const outgoing = Atomics.exchange(words, at(description, WORD.outgoing), 0);
      if (outgoing > 0) pipes.release(outgoing - 1, 'write');
    },
    isLast: (description) => load(description, WORD.references) === 1,
    kindOf: (description) => load(description, WORD.kind) as DescriptionKind,
    flagsOf: (description) => load(description, WORD.flags),
    setFlags: (description, flags) => void Atomics.store(words, at(description, WORD.flags), flags),
    inoOf: (description) => load(description, WORD.ino),
    positionOf: (description) => floats[at(description, WORD.position) >> 1],
    setPosition: (description, position) => {
      floats[at(description, WORD.position) >> 1] = position;
    },
    incoming: (description) => ring(description, WORD.incoming),
    outgoing: (description) => ring(description, WORD.outgoing),
    terminalOf: (description) => {
      const terminal = load(description, WORD.terminal);
      return terminal > 0 && load(description, WORD.kind) === DESCRIPTION_KIND.terminal
        ? terminals.open(terminal - 1)
        : undefined;
    },
  };
}
