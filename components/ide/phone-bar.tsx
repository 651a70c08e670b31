// On a phone: the bottom bar that says which one panel is shown.
'use client';

import { Code } from 'lucide-react';
import { useStore } from '../ui/store';
import { type PanelId, setPanelOpen } from './layout-model';
import { panelNames } from './panel-names';
import type { PhoneView } from './workbench';
import { useWorkbench } from './workbench-context';

const order: PhoneView[] = ['files', 'search', 'editor', 'terminal', 'preview', 'agent'];

/** Files, Search, Code, Terminal, Preview, Agent. The keyboard of the phone does not come up by itself: nothing is focused. */
export function PhoneBar() {
  const { phoneView, layout } = useWorkbench();
  const view = useStore(phoneView);
  const show = (target: PhoneView) => {
    phoneView.set(target);
    if (target !== 'editor') layout.set((now) => setPanelOpen(now, target, true));
  };
  return (
    <nav className="phone-bar" aria-label="Panels">
      {order.map((id) => {
        const { name, icon: Icon } = id === 'editor' ? { name: 'Code', icon: Code } : panelNames[id as PanelId];
        return (
          <button key={id} type="button" aria-current={view === id ? 'page' : undefined} onClick={() => show(id)}>
            <Icon size={20} aria-hidden="true" />
            {name}
          </button>
        );
      })}
    </nav>
  );
}
