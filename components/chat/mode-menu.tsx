// What the agent may do without asking, and what was allowed for good: both in one place, both revocable.
'use client';

import { ChevronDown, ShieldCheck, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AskMode } from '../../lib/session/messages';
import { Menu } from '../ui/menu';
import { Sheet } from '../ui/sheet';
import { IconButton } from '../ui/tip';
import { grantLine, grantOrigin } from './ask-words';
import { BroughtSheet } from './brought-sheet';
import { useCurrent } from './chat-context';

const modes: Record<AskMode, { short: string; long: string }> = {
  ask: { short: 'Asks first', long: 'Ask before edits and commands' },
  edits: { short: 'Edits freely', long: 'Edit files freely, ask before commands' },
  auto: { short: 'Never asks', long: 'Never ask: edit and run anything here' },
};

/** A menu button in the composer. */
export function ModeMenu() {
  const { session, state } = useCurrent();
  const [listing, setListing] = useState(false);
  const [looking, setLooking] = useState(false);
  const { grants } = state;
  return (
    <>
      <Menu
        label="Permission"
        entries={[
          ...(['ask', 'edits', 'auto'] as const).map((mode) => ({
            kind: 'item' as const,
            label: modes[mode].long,
            checked: mode === state.mode,
            run: () => session.setMode(mode),
          })),
          { kind: 'separator' },
          {
            kind: 'item',
            label: grants.length === 0 ? 'Nothing is allowed for good' : `Allowed for good: ${grants.length}…`,
            icon: <ShieldCheck size={16} />,
            disabled: grants.length === 0,
            run: () => setListing(true),
          },
          { kind: 'item', label: 'What this project brings…', run: () => setLooking(true) },
        ]}
      >
        <button type="button" className="chip" data-tone={state.mode === 'auto' ? 'warning' : undefined}>
          <i className="visually-hidden">Permission: </i>
          <span>{modes[state.mode].short}</span>
          <ChevronDown size={12} aria-hidden="true" />
        </button>
      </Menu>
      <BroughtSheet open={looking} close={() => setLooking(false)} />
      <Sheet title="Allowed for good" open={listing} close={() => setListing(false)}>
        {grants.length === 0 && <p>Nothing any more: the agent asks again.</p>}
        <ul className="grants">
          {grants.map((grant) => (
            <li key={grant.id}>
              <span>
                {grantLine(grant)}
                <small>{grantOrigin(grant)}</small>
              </span>
              <IconButton label={`Revoke: ${grantLine(grant)}`} small onClick={() => session.revokeGrant(grant.id)}>
                <Trash2 size={14} />
              </IconButton>
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  );
}
