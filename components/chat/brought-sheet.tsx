// All that the project brings: each file with what it would do, a way to read it, and whether it is used. What the project would like to be
// allowed is offered to the person, off.
'use client';

import { useEffect, useState } from 'react';
import type { BroughtFile } from '../../lib/config/scan-project';
import type { Rule } from '../../lib/permission/rules';
import { joinPath } from '../../lib/std/paths';
import { useWorkbench } from '../ide/workbench-context';
import { Sheet } from '../ui/sheet';
import { showError } from '../ui/toasts';
import { kindLine, ruleLine } from './brought-words';
import { useConversations, useCurrent } from './chat-context';
import { useCustoms } from './use-customs';

interface BroughtSheetProps {
  open: boolean;
  close: () => void;
}

/** Nothing changes before its button is pressed. */
export function BroughtSheet({ open, close }: BroughtSheetProps) {
  const { customs } = useConversations();
  const state = useCustoms();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());

  // biome-ignore lint/correctness/useExhaustiveDependencies: choices belong to one opening of the sheet.
  useEffect(() => setChosen(new Map()), [open]);

  // A file that changes while it is looked at is another one: the choice is about what was shown.
  const keyOf = (file: BroughtFile) => `${file.path} ${file.hash}`;
  const isUsed = (file: BroughtFile) =>
    chosen.get(keyOf(file)) ?? (state.used.includes(file) || state.open.includes(file));
  const apply = () => {
    customs
      .decide(state.files.map((file) => ({ file, use: isUsed(file) })))
      .catch((error) => showError('Could not read what the project brings', error));
    close();
  };
  return (
    <Sheet
      title="What this project brings"
      open={open}
      close={close}
      footer={
        <div className="row">
          <button type="button" className="button" data-tone="primary" onClick={apply}>
            Use what is ticked
          </button>
          <button type="button" className="button" onClick={close}>
            Not now
          </button>
        </div>
      }
    >
      <p>
        Whoever wrote the project wrote these. They can’t allow themselves anything; a change of a file is asked again.
      </p>
      {state.files.length === 0 && <p>Nothing.</p>}
      <ul className="brought">
        {state.files.map((file) => (
          <li key={file.path}>
            <label>
              <input
                type="checkbox"
                checked={isUsed(file)}
                onChange={(event) => {
                  const use = event.currentTarget.checked;
                  setChosen((now) => new Map(now).set(keyOf(file), use));
                }}
              />
              <span className="mono">{file.path}</span>
            </label>
            <ReadButton path={file.path} close={close} />
            <small>{kindLine(file)}</small>
          </li>
        ))}
      </ul>
      <Offers rules={state.rules.filter((rule) => rule.effect === 'allow')} />
      {state.problems.length > 0 && <h4>Not as its author meant</h4>}
      <ul>
        {state.problems.map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            <span className="mono">{problem.path}</span> {problem.message}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function ReadButton({ path, close }: { path: string; close: () => void }) {
  const { documents, sandbox, phoneView } = useWorkbench();
  return (
    <button
      type="button"
      className="button"
      aria-label={`Read ${path}`}
      onClick={() => {
        close();
        phoneView.set('editor');
        void documents.open(joinPath(sandbox.workdir, path));
      }}
    >
      Read
    </button>
  );
}

/** Rules with which the project would allow itself something: each is the person's to give. */
function Offers({ rules }: { rules: readonly Rule[] }) {
  const { session, state } = useCurrent();
  const has = ({ permission, pattern }: Rule) =>
    state.grants.some((grant) => grant.permission === permission && grant.pattern === pattern);
  const offered = rules.filter((rule) => !has(rule));
  if (offered.length === 0) return null;
  return (
    <>
      <h4>It would like to be allowed</h4>
      <ul className="brought">
        {offered.map((rule) => (
          <li key={ruleLine(rule)}>
            <span className="mono">{ruleLine(rule)}</span>
            <button
              type="button"
              className="button"
              onClick={() => session.allowForGood(rule.permission, rule.pattern)}
            >
              Allow in this project
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
