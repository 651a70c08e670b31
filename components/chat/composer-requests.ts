// What other parts of the panel ask the composer for: to say something, or to show what an undo did and give its prompt back.
import type { UndoReport } from '../../lib/session/undo-writes';
import { createStore } from '../ui/store';

export type ComposerRequest = { kind: 'send'; text: string } | { kind: 'undone'; report: UndoReport };

/** The composer takes it and sets undefined. */
export const composerRequest = createStore<ComposerRequest | undefined>(undefined);
