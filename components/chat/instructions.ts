// A project's own instructions for agents (AGENTS.md). They come from whoever wrote the project, so they count only after the person has said
// so, once per project.
import type { SandboxFs } from '../../lib/sandbox/sandbox';
import { joinPath } from '../../lib/std/paths';
import { createStore, type Store } from '../ui/store';

const names = ['AGENTS.md', 'CLAUDE.md'];
const maxChars = 32_000;

/** `found`: the file's name. `decision` undefined: the person was not asked yet. */
export interface Instructions {
  found: Store<string | undefined>;
  decision: Store<'follow' | 'ignore' | undefined>;
  decide(decision: 'follow' | 'ignore'): void;
  /** Looks whether there is a file. */
  look(): Promise<void>;
  /** The text for the model: undefined without a file or without the person's word. Cut after 32,000 characters. */
  text(): Promise<string | undefined>;
}

/** Of one project; the decision is kept in `storage`. */
export function createInstructions(
  fs: Pick<SandboxFs, 'exists' | 'readText'>,
  workdir: string,
  projectId: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
): Instructions {
  const key = `cloche:instructions:${projectId}`;
  const kept = storage.getItem(key);
  const found = createStore<string | undefined>(undefined);
  const decision = createStore<'follow' | 'ignore' | undefined>(
    kept === 'follow' || kept === 'ignore' ? kept : undefined,
  );
  const look = async () => {
    for (const name of names) if (await fs.exists(joinPath(workdir, name))) return found.set(name);
    found.set(undefined);
  };
  return {
    found,
    decision,
    look,
    decide(next) {
      storage.setItem(key, next);
      decision.set(next);
    },
    async text() {
      await look();
      const name = found.get();
      if (name === undefined || decision.get() !== 'follow') return undefined;
      const text = await fs.readText(joinPath(workdir, name));
      if (text.length <= maxChars) return text;
      return `${text.slice(0, maxChars)}\n(The rest of ${name} is left out here; read the file.)`;
    },
  };
}
