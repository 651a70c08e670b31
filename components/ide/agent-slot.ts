// Where the chat panel and the share button come in, loaded when they are first shown, and after the terminal and the editor.
import { lazy } from 'react';
import { afterEditor } from './first-output';

/** Lazily loaded from components/chat/chat-panel.tsx; it finds everything through `useWorkbench()`. */
export const AgentPanel = lazy(async () => {
  await afterEditor();
  return { default: (await import('../chat/chat-panel')).ChatPanel };
});

/** The button in the top bar, from components/share. */
export const ShareButton = lazy(async () => {
  await afterEditor();
  return { default: (await import('../share/share-button')).ShareButton };
});
