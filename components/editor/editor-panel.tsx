// The editor: one side, or two beside each other. On a phone there is room for one at a time; the tabs of both are there.
'use client';

import { useWorkbench } from '../ide/workbench-context';
import { useStore, useStorePart } from '../ui/store';
import { EditorSide } from './editor-side';
import './editor.css';

/** Sides come and go without the other one noticing. */
export function EditorPanel({ narrow }: { narrow: boolean }) {
  const { documents, layout } = useWorkbench();
  const { list, focused } = useStore(documents.sides);
  const split = useStorePart(layout, (now) => now.split);
  const width = (at: number) => (list.length === 1 ? 1 : at === 0 ? split : 1 - split);
  return (
    <div className="editor-sides">
      {list.map((side, at) => (
        <EditorSide
          key={side.id}
          at={at}
          shown={!narrow || at === focused}
          tabsOf={narrow ? list.map((_, index) => index) : [at]}
          grow={narrow ? 1 : width(at)}
        />
      ))}
    </div>
  );
}
