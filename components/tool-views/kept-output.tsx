// The way to all of an output that was too long for the model: as a file in the editor.
'use client';

import type { ToolPart } from '../../lib/session/messages';
import { copyOfOutput } from '../../lib/tools/kept-outputs';
import { useConversations } from '../chat/chat-context';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';
import { showError } from '../ui/toasts';

interface KeptOutputProps {
  part: ToolPart;
  /** Opens a file in the editor. */
  openFile: (path: string) => void;
}

/** Nothing for outputs that were not cut. */
export function KeptOutput({ part, openFile }: KeptOutputProps) {
  const session = useStore(useConversations().current);
  const { sandbox } = useWorkbench();
  const name = part.meta?.kept;
  if (typeof name !== 'string') return null;
  const open = async () => {
    const text = await session.output(name);
    if (text === undefined) throw new Error(`${name} is not kept any more: newer outputs needed its place.`);
    await sandbox.fs.write(copyOfOutput(name), text);
    openFile(copyOfOutput(name));
  };
  return (
    <p className="diff-note">
      {`The agent was shown both ends of it. All of it is kept as ${name}. `}
      <button
        type="button"
        className="more-lines"
        onClick={() => void open().catch((error) => showError('Could not open the output', error))}
      >
        Open all of it
      </button>
    </p>
  );
}
