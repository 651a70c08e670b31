// What the panel says before the first word: what it is for, in one sentence, and three things to try.
'use client';

import { useEffect, useState } from 'react';
import type { AskMode } from '../../lib/session/messages';
import { joinPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { useCurrent } from './chat-context';
import { composerRequest } from './composer-requests';
import { examplePrompts } from './example-prompts';

const asksWhen: Record<AskMode, string> = {
  ask: ', and asks before it changes any',
  edits: ', and asks before it runs any',
  auto: ' without asking',
};

/** Each example is sent with one click. */
export function EmptyChat() {
  const { sandbox } = useWorkbench();
  const { state } = useCurrent();
  const [prompts, setPrompts] = useState<string[]>();

  useEffect(() => {
    let gone = false;
    const look = async () => {
      const entries = await sandbox.fs.list(sandbox.workdir);
      const text = await sandbox.fs.readText(joinPath(sandbox.workdir, 'package.json')).catch(() => '{}');
      const files = entries.filter((entry) => entry.kind === 'file').map((entry) => entry.name);
      if (!gone) setPrompts(examplePrompts(files, scriptsOf(text)));
    };
    look().catch(() => setPrompts(examplePrompts([], {})));
    return () => {
      gone = true;
    };
  }, [sandbox]);

  // Not before all of it is there: it would move while it is read.
  if (prompts === undefined) return null;
  return (
    <section className="empty-chat" aria-label="Examples">
      <p>{`Say what you want done. The agent reads, edits and runs things in this project${asksWhen[state.mode]}.`}</p>
      <ul>
        {prompts.map((text) => (
          <li key={text}>
            <button type="button" className="example" onClick={() => composerRequest.set({ kind: 'send', text })}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      {state.model === 'practice' && (
        <p className="empty-note">
          The practice model answers. It is not an AI: it knows a few requests such as these. Choose a model below for
          everything else.
        </p>
      )}
    </section>
  );
}

function scriptsOf(packageJson: string): Record<string, unknown> {
  try {
    const { scripts } = JSON.parse(packageJson) as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
