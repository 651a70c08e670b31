// The calls of a program under the call that runs it: the last ones while it runs, all of them on demand.
'use client';

import { memo, useState } from 'react';
import type { ToolPart } from '../../lib/session/messages';
import { OutputView } from '../tool-views/output-view';
import { shortState } from '../tool-views/tool-line';

interface CallLine {
  tool: string;
  title: string;
  state: ToolPart['state'];
}

const shownCalls = 6;

/** Nothing before its first call; what went wrong, when it did. */
export const ProgramCallList = memo(function ProgramCallList({ part }: { part: ToolPart }) {
  const [all, setAll] = useState(false);
  const list = (part.meta?.list ?? []) as CallLine[];
  const failed = part.state === 'error' && part.output !== undefined;
  if (list.length === 0)
    return failed ? <OutputView text={part.output!} looks={undefined} lines={8} from="start" /> : null;
  const isOver = part.state === 'done' || part.state === 'error' || part.state === 'interrupted';
  // What waits for the person, or did not go well, is seen without a click.
  const shown = all
    ? list
    : isOver
      ? list.filter((call) => call.state === 'error' || call.state === 'interrupted').slice(-shownCalls)
      : list.filter((call) => call.state !== 'waiting').slice(-shownCalls);
  const hidden = list.length - shown.length;
  return (
    <>
      <div className="task-progress">
        {(hidden > 0 || all) && (
          <button type="button" className="more-lines" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Fewer calls' : `${list.length} ${list.length === 1 ? 'call' : 'calls'}. Show all`}
          </button>
        )}
        {shown.map((call, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window over a list that only grows.
          <p key={at} data-state={call.state}>
            <code>{call.tool}</code> {call.title}
            {shortState(call.state) && <small>{shortState(call.state)}</small>}
          </p>
        ))}
      </div>
      {failed && <OutputView text={part.output!} looks={undefined} lines={8} from="start" />}
    </>
  );
});
