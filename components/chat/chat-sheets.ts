// Sheets of the agent's panel that other parts of the IDE open too (settings, palette). They show when the panel is there.
import { createStore } from '../ui/store';

/** All conversations of the project. */
export const listSheet = createStore(false);

/** The MCP servers. */
export const mcpSheet = createStore(false);

/** What the project brings. */
export const broughtSheet = createStore(false);

/** What the model sees: tools with their reasons, instructions, rules. */
export const seesSheet = createStore(false);

/** The trace of the conversation. */
export const traceSheet = createStore(false);
