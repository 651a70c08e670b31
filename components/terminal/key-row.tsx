// The keys that a phone's keyboard lacks, above it. Ctrl and Alt stay down for one key; an arrow repeats while it is held.
'use client';

import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { TerminalSession } from './terminal-session';

const arrows = [
  { name: 'Left', icon: ArrowLeft, letter: 'D' },
  { name: 'Up', icon: ArrowUp, letter: 'A' },
  { name: 'Down', icon: ArrowDown, letter: 'B' },
  { name: 'Right', icon: ArrowRight, letter: 'C' },
];
/** Signs that are two or three touches away on most keyboards. */
const signs = ['|', '/', '~', '-', '_', '&', '$', '"'];
const firstRepeatMs = 400;
const repeatMs = 60;

/** Types into the terminal without taking the focus from it, so that the phone's keyboard stays as it is. */
export function KeyRow({ session }: { session: TerminalSession }) {
  const [held, setHeld] = useState<'ctrl' | 'alt'>();
  const repeating = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(repeating.current), []);

  useEffect(() => {
    if (!held) return;
    const element = session.element;
    const onKey = (event: InputEvent) => {
      const typed = event.data?.at(-1);
      if (typed === undefined) return;
      const letter = typed.toUpperCase();
      if (held === 'ctrl' && !/^[A-Z[\\\]]$/.test(letter)) return;
      event.preventDefault();
      event.stopPropagation();
      session.type(held === 'alt' ? `\x1b${typed}` : String.fromCharCode(letter.charCodeAt(0) & 31));
      setHeld(undefined);
    };
    element.addEventListener('beforeinput', onKey, { capture: true });
    return () => element.removeEventListener('beforeinput', onKey, { capture: true });
  }, [held, session]);

  const modified = { ctrl: '5', alt: '3' };
  const arrow = (letter: string) => {
    if (held) session.type(`\x1b[1;${modified[held]}${letter}`);
    else session.type(`\x1b${session.xterm.modes.applicationCursorKeysMode ? 'O' : '['}${letter}`);
  };
  const keep = (event: { preventDefault(): void }) => event.preventDefault();
  const hold = (event: PointerEvent, letter: string) => {
    keep(event);
    clearTimeout(repeating.current);
    const again = () => {
      arrow(letter);
      repeating.current = setTimeout(again, repeatMs);
    };
    repeating.current = setTimeout(again, firstRepeatMs);
  };
  const release = () => clearTimeout(repeating.current);
  const key = (name: string, text: string, label?: string) => (
    <button key={name} type="button" onPointerDown={keep} aria-label={label} onClick={() => session.type(text)}>
      {name}
    </button>
  );
  const modifier = (name: string, which: 'ctrl' | 'alt') => (
    <button
      type="button"
      aria-pressed={held === which}
      onPointerDown={keep}
      onClick={() => setHeld((now) => (now === which ? undefined : which))}
    >
      {name}
    </button>
  );
  return (
    <div className="key-row" role="toolbar" aria-label="Keys">
      {key('Esc', '\x1b')}
      {key('Tab', '\t')}
      {modifier('Ctrl', 'ctrl')}
      {key('^C', '\x03', 'Control C: interrupt')}
      {arrows.map(({ name, icon: Icon, letter }) => (
        <button
          key={name}
          type="button"
          aria-label={name}
          onPointerDown={(event) => hold(event, letter)}
          onPointerUp={release}
          onPointerCancel={release}
          onPointerLeave={release}
          onContextMenu={keep}
          onClick={() => {
            arrow(letter);
            setHeld(undefined);
          }}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      ))}
      {modifier('Alt', 'alt')}
      {key('Home', '\x1b[H')}
      {key('End', '\x1b[F')}
      {key('PgUp', '\x1b[5~', 'Page up')}
      {key('PgDn', '\x1b[6~', 'Page down')}
      {signs.map((sign) => key(sign, sign))}
    </div>
  );
}
