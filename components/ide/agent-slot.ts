// Where the chat panel and the share button come in. Null: there is no such panel, and the layout gives it no room.
import type { ComponentType, LazyExoticComponent } from 'react';

/** Lazily loaded from components/chat/chat-panel.tsx; it finds everything through `useWorkbench()`. */
export const AgentPanel: LazyExoticComponent<ComponentType> | null = null;

/** The button in the top bar, from components/share. */
export const ShareButton: LazyExoticComponent<ComponentType> | null = null;
