// Asks once whether the agent may follow what the project says about itself.
'use client';

import { useEffect } from 'react';
import { joinPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';
import { useConversations, useCurrent } from './chat-context';

/** Nothing where there is no such file, or the person has decided. */
export function InstructionsNotice() {
  const { documents, sandbox, phoneView } = useWorkbench();
  const { instructions } = useConversations();
  const { state } = useCurrent();
  const found = useStore(instructions.found);
  const decision = useStore(instructions.decision);
  const { kind } = state.status;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn may have made the file.
  useEffect(() => void instructions.look().catch(() => {}), [instructions, kind]);

  if (found === undefined || decision !== undefined) return null;
  return (
    <section className="undo-notice" aria-label="Instructions of this project">
      <div>
        <p>
          This project has instructions for agents in <span className="mono">{found}</span>. Follow them, if you trust
          who wrote them.
        </p>
        <div className="row">
          <button
            type="button"
            className="button"
            onClick={() => {
              phoneView.set('editor');
              void documents.open(joinPath(sandbox.workdir, found));
            }}
          >
            Read
          </button>
          <button type="button" className="button" onClick={() => instructions.decide('follow')}>
            Follow
          </button>
          <button type="button" className="button" onClick={() => instructions.decide('ignore')}>
            Ignore
          </button>
        </div>
      </div>
    </section>
  );
}
