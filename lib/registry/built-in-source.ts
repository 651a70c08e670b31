// The tools that Cloche ships with and that need nothing but their context.
import { builtInTools } from '../tools/built-in';
import type { ToolSource } from './registry';

/** Always there; the registry decides which of them a model and an agent get. */
export const builtInSource: ToolSource = { name: 'Cloche', offer: () => ({ tools: builtInTools }) };
