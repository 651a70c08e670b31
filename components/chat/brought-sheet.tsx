// All that the project brings: each file and MCP server with what it would do, a way to read it, and whether it is used. What runs by itself is
// never ticked for the person; what the project would like to be allowed is offered, off.
'use client';

import { useEffect, useState } from 'react';
import type { Rule } from '../../lib/permission/rules';
import { joinPath } from '../../lib/std/paths';
import { visibleText } from '../../lib/std/visible-text';
import { useWorkbench } from '../ide/workbench-context';
import { Sheet } from '../ui/sheet';
import { showError } from '../ui/toasts';
import { ruleLine } from './brought-words';
import { useConversations, useCurrent } from './chat-context';
import { ExtensionStatus } from './extension-status';
import { type BroughtItem, decideBrought, useBrought } from './use-brought';
import { useCustoms } from './use-customs';

interface BroughtSheetProps {
  open: boolean;
  close: () => void;
}

/** Nothing changes before its button is pressed. */
export function BroughtSheet({ open, close }: BroughtSheetProps) {
  const conversations = useConversations();
  const state = useCustoms();
  const items = useBrought();
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());

  // biome-ignore lint/correctness/useExhaustiveDependencies: choices belong to one opening of the sheet.
  useEffect(() => setChosen(new Map()), [open]);

  // What changes while it is looked at is another item: the choice is about what was shown.
  const isUsed = (item: BroughtItem) => chosen.get(item.key) ?? item.use ?? !item.runs;
  const apply = () => {
    decideBrought(
      conversations,
      items.map((item) => ({ item, use: isUsed(item) })),
    ).catch((error) => showError('Could not read what the project brings', error));
    close();
  };
  return (
    <Sheet
      title="What this project brings"
      open={open}
      close={close}
      footer={
        <div className="row dialog-foot">
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
        Whoever wrote the project wrote these. They can’t allow themselves anything; what is changed is asked again.
      </p>
      {items.length === 0 && <p>Nothing.</p>}
      <ul className="brought">
        {items.map((item) => (
          <li key={item.key}>
            <label>
              <input
                type="checkbox"
                checked={isUsed(item)}
                onChange={(event) => {
                  const use = event.currentTarget.checked;
                  setChosen((now) => new Map(now).set(item.key, use));
                }}
              />
              <span className="mono">{item.name}</span>
            </label>
            <ReadButton path={item.file} close={close} />
            {item.line !== undefined && <code className="mono">{visibleText(item.line)}</code>}
            <small>{item.note}</small>
            {item.of.kind === 'file' && <ExtensionStatus path={item.of.file.path} />}
          </li>
        ))}
      </ul>
      <Offers rules={state.rules.filter((rule) => rule.effect === 'allow')} />
      {state.problems.length > 0 && <h3>Not as its author meant</h3>}
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
      <h3>It would like to be allowed</h3>
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
