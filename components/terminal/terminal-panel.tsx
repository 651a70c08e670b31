// Terminals in tabs. React draws the tabs; the terminals themselves are elements that are put into place.
'use client';

import { useEffect, useRef, useState } from 'react';
import { PanelHeader } from '../ide/panel-header';
import { useWorkbench } from '../ide/workbench-context';
import { useStore } from '../ui/store';
import { useNarrow } from '../ui/use-narrow';
import { KeyRow } from './key-row';
import { TerminalActions } from './terminal-actions';
import { TerminalFind } from './terminal-find';
import type { TerminalSession } from './terminal-session';
import { TerminalTabs } from './terminal-tabs';
import './terminal.css';

/** Shows the active terminal; the others stay alive. */
export function TerminalPanel() {
  const { terminals } = useWorkbench();
  const active = useStore(terminals.active);
  const narrow = useNarrow();
  const [finding, setFinding] = useState(false);
  const close = () => {
    setFinding(false);
    active?.xterm.focus();
  };
  return (
    <>
      <PanelHeader
        panel="terminal"
        bare
        actions={active && <TerminalActions session={active} find={() => setFinding(true)} />}
      >
        <TerminalTabs />
      </PanelHeader>
      <div
        className="terminal-body"
        onKeyDownCapture={(event) => {
          if (event.key.toLowerCase() !== 'f' || !(event.metaKey || (event.ctrlKey && event.altKey))) return;
          event.preventDefault();
          event.stopPropagation();
          setFinding(true);
        }}
      >
        {active ? (
          <TerminalScreen session={active} />
        ) : (
          <div className="empty">
            <p>No terminal is open.</p>
            <button type="button" className="button" onClick={() => terminals.openShell()}>
              Open one
            </button>
          </div>
        )}
        {finding && active && <TerminalFind session={active} close={close} />}
      </div>
      {narrow && active && <KeyRow session={active} />}
    </>
  );
}

function TerminalScreen({ session }: { session: TerminalSession }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current!;
    element.append(session.element);
    session.show();
    const observer = new ResizeObserver(() => session.show());
    observer.observe(element);
    return () => {
      observer.disconnect();
      session.element.remove();
    };
  }, [session]);
  return <div ref={host} className="terminal-host" />;
}
