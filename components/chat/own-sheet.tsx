// The person's own skills, agents and commands: one sheet, because they are one kind of thing, entries of the person's opencode.json.
'use client';

import { useEffect, useState } from 'react';
import { entryKinds, type OwnEntry, ownEntries } from '../../lib/config/own-entries';
import { checkPersonConfig } from '../../lib/config/person-config';
import type { ConfigProblem } from '../../lib/config/problems';
import { useWorkbench } from '../ide/workbench-context';
import { Sheet } from '../ui/sheet';
import { createStore, useStore } from '../ui/store';
import { type EntryDraft, OwnForm } from './own-form';
import './own.css';
import { OwnSection } from './own-section';
import { personConfig } from './person-config';

/** What is being written, while the page lives: Esc must not lose it. */
const draft = createStore<EntryDraft | undefined>(undefined);

/** Opens from the settings and by command. */
export function OwnSheet() {
  const { sheet } = useWorkbench();
  const open = useStore(sheet) === 'own';
  return (
    <Sheet title="Your skills, agents and commands" open={open} close={() => sheet.set(null)}>
      {open && <Own />}
    </Sheet>
  );
}

function Own() {
  const { sheet } = useWorkbench();
  const config = useStore(personConfig);
  const written = useStore(draft);
  const [known, setKnown] = useState<{ entries: OwnEntry[]; problems: ConfigProblem[]; isBroken: boolean }>();
  const [focused, setFocused] = useState<string>();
  useEffect(() => {
    let isStale = false;
    void Promise.all([ownEntries(config), checkPersonConfig(config)]).then(([entries, checked]) => {
      if (!isStale) setKnown({ entries, ...checked });
    });
    return () => {
      isStale = true;
    };
  }, [config]);

  if (known === undefined) return null;
  if (known.isBroken)
    return (
      <div className="own" role="alert">
        <p>Your opencode.json, where they are kept, can’t be read as it is. Nothing of it is in use.</p>
        <button type="button" className="button" onClick={() => sheet.set('config')}>
          Mend it…
        </button>
      </div>
    );
  if (written !== undefined)
    return (
      <OwnForm
        draft={written}
        taken={known.entries}
        change={draft.set}
        leave={(name) => {
          draft.set(undefined);
          setFocused(name ?? written.before?.name);
        }}
      />
    );
  return (
    <div className="own">
      <p>
        In this browser, for every project. They are kept in{' '}
        <button type="button" className="own-link" onClick={() => sheet.set('config')}>
          your opencode.json
        </button>
        .
      </p>
      {entryKinds.map((kind) => (
        <OwnSection
          key={kind}
          kind={kind}
          entries={known.entries.filter((entry) => entry.kind === kind)}
          problems={known.problems}
          focused={focused}
          write={draft.set}
        />
      ))}
    </div>
  );
}
