// Says once that a project brings things for agents, and again for what is new or was changed: files and MCP servers in one word. Nothing of it
// counts or runs before the person has looked.
'use client';

import { useEffect, useState } from 'react';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { BroughtSheet } from './brought-sheet';
import { countLine } from './brought-words';
import { useConversations, useCurrent } from './chat-context';
import { broughtSheet } from './chat-sheets';
import { decideBrought, useBrought } from './use-brought';

/** Nothing where nothing waits for the person's word. */
export function BroughtNotice() {
  const conversations = useConversations();
  const { customs, mcp } = conversations;
  const items = useBrought();
  const { state } = useCurrent();
  const looking = useStore(broughtSheet);
  const [failure, setFailure] = useState<string>();
  /** Both have looked once: half of it would be asked about twice. */
  const [isLooked, setLooked] = useState(false);
  const { kind } = state.status;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn may have changed the files.
  useEffect(() => {
    Promise.all([customs.look(), mcp.look()])
      .then(
        () => setFailure(undefined),
        (error: Error) => setFailure(error.message),
      )
      .finally(() => setLooked(true));
  }, [customs, mcp, kind]);

  const open = items.filter((item) => item.use === undefined);
  const isFirst = items.every((item) => item.use !== true);
  return (
    <>
      {failure !== undefined && (
        <p className="undo-notice" role="alert">
          What this project brings for the agent could not be read: {failure}
        </p>
      )}
      {isLooked && open.length > 0 && (
        <section className="undo-notice" aria-label="What this project brings">
          <div>
            <p>
              {isFirst
                ? `This project brings ${countLine(open.map((item) => item.kind))} for the agent. None of it is used unless you trust who wrote it.`
                : `New or changed since you looked: ${countLine(open.map((item) => item.kind))}. Not used until you say so.`}
            </p>
            <div className="row">
              <button type="button" className="button" onClick={() => broughtSheet.set(true)}>
                Look…
              </button>
              <button
                type="button"
                className="button"
                onClick={() =>
                  decideBrought(
                    conversations,
                    open.map((item) => ({ item, use: false })),
                  ).catch((error) => showError('Could not read what the project brings', error))
                }
              >
                Don’t use
              </button>
            </div>
          </div>
        </section>
      )}
      <BroughtSheet open={looking} close={() => broughtSheet.set(false)} />
    </>
  );
}
