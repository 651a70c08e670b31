// The editor with nothing open: one sentence, and what one would do next with its keys.
'use client';

import { commandKeys } from '../ide/commands';
import { useCommands } from '../ide/workbench-context';
import { useNarrow } from '../ui/use-narrow';

const offered = ['picker.files', 'picker.commands', 'run.toggle'];

/** The empty state of the editor. */
export function Welcome() {
  const commands = useCommands().filter((command) => offered.includes(command.id));
  const narrow = useNarrow();
  return (
    <div className="empty">
      <p>
        {narrow ? 'Nothing is open. Choose one of the files, or:' : 'Nothing is open. Choose a file on the left, or:'}
      </p>
      <div className="welcome-actions">
        {commands.map((command) => (
          <button key={command.id} type="button" className="button" data-tone="quiet" onClick={command.run}>
            {command.title}
            <kbd className="kbd">{commandKeys(command)}</kbd>
          </button>
        ))}
      </div>
    </div>
  );
}
