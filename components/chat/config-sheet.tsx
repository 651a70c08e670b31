// The editor of the person's own opencode.json. It is checked while it is typed; what is no JSON can't be saved, because then none of its denials
// would hold.
'use client';

import { useEffect, useId, useRef, useState } from 'react';
import { checkPersonConfig } from '../../lib/config/person-config';
import type { ConfigProblem } from '../../lib/config/problems';
import { useWorkbench } from '../ide/workbench-context';
import { Sheet } from '../ui/sheet';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';
import { configDraft, personConfig, savePersonConfig } from './person-config';

const example = `{
  // What the agent may do without asking, and what it never may.
  "permission": {
    "bash": { "npm test *": "allow", "npm publish *": "deny" }
  },
  // A conversation pauses when it has cost so many US dollars.
  "budget": { "cost": 2 }
}
`;

/** Opens from the settings and by command. */
export function ConfigSheet() {
  const { sheet } = useWorkbench();
  const open = useStore(sheet) === 'config';
  return (
    <Sheet title="Your opencode.json" open={open} close={() => sheet.set(null)} wide>
      {open && <Editor close={() => sheet.set(null)} />}
    </Sheet>
  );
}

function Editor({ close }: { close: () => void }) {
  const saved = useStore(personConfig);
  const [text, setText] = useState(() => configDraft.get() ?? (saved || example));
  const [checked, setChecked] = useState<{ problems: ConfigProblem[]; isBroken: boolean; of: string }>();
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  useEffect(() => {
    configDraft.set(text === saved ? undefined : text);
    let isStale = false;
    void checkPersonConfig(text).then((result) => {
      if (!isStale) setChecked({ ...result, of: text });
    });
    return () => {
      isStale = true;
    };
  }, [text, saved]);

  const isChecked = checked?.of === text;
  const save = () => {
    try {
      savePersonConfig(text);
      configDraft.set(undefined);
      close();
    } catch (error) {
      showError('Could not save it', error);
    }
  };
  const goTo = (line: number) => {
    const area = field.current!;
    const from =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    const end = text.indexOf('\n', from);
    area.focus();
    area.setSelectionRange(from, end < 0 ? text.length : end);
    area.scrollTop = ((line - 3) * area.scrollHeight) / text.split('\n').length;
  };
  return (
    <div className="config-editor">
      <label htmlFor={id}>
        In this browser, for every project, in OpenCode’s format: permission, tools, agent, command, budget, editing,
        compaction, subagent_depth, skill. What it allows counts, unlike what a project says.
      </label>
      <textarea
        ref={field}
        id={id}
        className="field mono"
        data-saves
        rows={16}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        value={text}
        aria-invalid={checked?.isBroken}
        aria-describedby={`${id}-problems`}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          event.stopPropagation();
          if (isChecked && !checked.isBroken) save();
        }}
      />
      <ul id={`${id}-problems`} className="config-problems" aria-live="polite">
        {checked?.problems.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            {line === undefined ? (
              message
            ) : (
              <button type="button" onClick={() => goTo(line)}>
                {message.startsWith('Line ') ? message : `Line ${line}: ${message}`}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="row">
        <button
          type="button"
          className="button"
          data-tone="primary"
          disabled={!isChecked || checked.isBroken || text === saved}
          onClick={save}
        >
          Save
        </button>
        {text !== saved && saved !== '' && (
          <button type="button" className="button" onClick={() => setText(saved)}>
            Back to what is saved
          </button>
        )}
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </div>
    </div>
  );
}
