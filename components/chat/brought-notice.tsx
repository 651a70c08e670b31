// Says once that a project brings things for agents, and again for what is new or was changed. Nothing of it counts before the person has looked.
'use client';

import { useEffect, useState } from 'react';
import { BroughtSheet } from './brought-sheet';
import { countLine } from './brought-words';
import { useConversations, useCurrent } from './chat-context';
import { useCustoms } from './use-customs';

/** Nothing where nothing waits for the person's word. */
export function BroughtNotice() {
  const { customs } = useConversations();
  const { open, used } = useCustoms();
  const { state } = useCurrent();
  const [looking, setLooking] = useState(false);
  const { kind } = state.status;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn may have changed the files.
  useEffect(() => void customs.look().catch(() => {}), [customs, kind]);

  return (
    <>
      {open.length > 0 && (
        <section className="undo-notice" aria-label="What this project brings">
          <div>
            <p>
              {used.length === 0
                ? `This project brings ${countLine(open)} for the agent. None of it is used unless you trust who wrote it.`
                : `New or changed since you looked: ${countLine(open)}. Not used until you say so.`}
            </p>
            <div className="row">
              <button type="button" className="button" onClick={() => setLooking(true)}>
                Look…
              </button>
              <button
                type="button"
                className="button"
                onClick={() => void customs.decide(open.map((file) => ({ file, use: false })))}
              >
                Don’t use
              </button>
            </div>
          </div>
        </section>
      )}
      <BroughtSheet open={looking} close={() => setLooking(false)} />
    </>
  );
}
