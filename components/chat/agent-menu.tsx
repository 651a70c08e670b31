// Which agent answers: one that changes things, one that only plans, or one of the project's own.
'use client';

import { ChevronDown } from 'lucide-react';
import { Menu } from '../ui/menu';
import { useConversations, useCurrent } from './chat-context';

/** A menu button in the composer. */
export function AgentMenu() {
  const { session, state } = useCurrent();
  const agents = useConversations()
    .agents()
    .filter((agent) => agent.mode !== 'subagent');
  return (
    <Menu
      label="Agent"
      entries={agents.map((agent) => ({
        kind: 'item' as const,
        id: agent.name,
        label: `${titleCase(agent.name)}: ${agent.description}`,
        checked: agent.name === state.agent,
        run: () => session.setAgent(agent.name),
      }))}
    >
      <button type="button" className="chip" data-tone={state.agent === 'plan' ? 'accent' : undefined}>
        <i className="visually-hidden">Agent: </i>
        <span>{titleCase(state.agent)}</span>
        <ChevronDown size={12} aria-hidden="true" />
      </button>
    </Menu>
  );
}

function titleCase(name: string): string {
  return `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`;
}
