// The keys that a phone's keyboard lacks, above it. Ctrl stays down for one key.
'use client';

import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TerminalSession } from './terminal-session';

const arrows = [
  { name: 'Left', icon: ArrowLeft, letter: 'D' },
  { name: 'Up', icon: ArrowUp, letter: 'A' },
  { name: 'Down', icon: ArrowDown, letter: 'B' },
  { name: 'Right', icon: ArrowRight, letter: 'C' },
];

/** Types into the terminal without taking the focus from it, so that the phone's keyboard stays as it is. */
export function KeyRow({ session }: { session: TerminalSession }) {
  const [control, setControl] = useState(false);

  useEffect(() => {
    if (!control) return;
    const element = session.element;
    const onKey = (event: InputEvent) => {
      const letter = event.data?.at(-1)?.toUpperCase() ?? '';
      if (!/^[A-Z[\\\]]$/.test(letter)) return;
      event.preventDefault();
      event.stopPropagation();
      session.type(String.fromCharCode(letter.charCodeAt(0) & 31));
      setControl(false);
    };
    element.addEventListener('beforeinput', onKey, { capture: true });
    return () => element.removeEventListener('beforeinput', onKey, { capture: true });
  }, [control, session]);

  const arrow = (letter: string) =>
    session.type(`\x1b${session.xterm.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`);
  const keep = (event: { preventDefault(): void }) => event.preventDefault();
  return (
    <div className="key-row" role="toolbar" aria-label="Keys">
      <button type="button" onPointerDown={keep} onClick={() => session.type('\x1b')}>
        Esc
      </button>
      <button type="button" onPointerDown={keep} onClick={() => session.type('\t')}>
        Tab
      </button>
      <button type="button" aria-pressed={control} onPointerDown={keep} onClick={() => setControl((now) => !now)}>
        Ctrl
      </button>
      <button type="button" onPointerDown={keep} aria-label="Control C: interrupt" onClick={() => session.type('\x03')}>
        ^C
      </button>
      {arrows.map(({ name, icon: Icon, letter }) => (
        <button key={name} type="button" aria-label={name} onPointerDown={keep} onClick={() => arrow(letter)}>
          <Icon size={16} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}
