// What is said about a terminal: its tab's label, and how its process ended.
import type { ProcessEnd } from '../../lib/sandbox/sandbox';

export interface TerminalStatus {
  name: string;
  /** What runs in it, by its own words (OSC 0 and 2); empty at a prompt. */
  title: string;
  state: 'starting' | 'running' | 'ended' | 'failed';
  end?: ProcessEnd;
}

/** A process's end in words. */
export function describeEnd(end: ProcessEnd): string {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? 'Done.' : `Ended with code ${end.code}.`;
    case 'signalled':
      return `Ended by ${end.signal}.`;
    case 'crashed':
      return `Crashed: ${end.message}`;
  }
}

/** What a tab says: the name that the person gave, else what runs, else the name it was made with. */
export function terminalLabel({ name, title }: TerminalStatus): string {
  return title !== '' && /^bash \d+$/.test(name) ? title : name;
}
