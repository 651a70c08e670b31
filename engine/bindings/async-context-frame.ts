// async_context_frame: the one variable that AsyncLocalStorage lives in. engine/modules/async-context.ts carries it across await.
import { currentFrame, setCurrentFrame } from '../modules/context-frame';
import type { Binding } from '../process/environment';

export const asyncContextFrame: Binding = () => ({
  getContinuationPreservedEmbedderData: currentFrame,
  setContinuationPreservedEmbedderData: setCurrentFrame,
});
