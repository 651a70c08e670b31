// What connected servers say about themselves, for the system prompt: bounded for each and for all, marked as theirs, and only where the model
// has a tool of theirs to use.
import { boundText } from '../../std/bound-text';
import type { McpServerState } from './server-state';
import { serverWordsPrompt } from './server-words.prompt';

const perServer = { maxLines: 100, maxBytes: 6000, maxTokens: 1500 };
const maxServers = 8;

/** Undefined when nobody has a word. `isHeard`: whether the model may use anything of that server. */
export function serverWords(
  states: readonly McpServerState[],
  isHeard: (state: McpServerState) => boolean,
): string | undefined {
  const blocks = states
    .filter((state) => state.status.kind === 'connected' && (state.instructions ?? '').trim() !== '' && isHeard(state))
    .slice(0, maxServers)
    .map(({ config, instructions }) => ({
      server: config.name,
      text: inBlock(boundText(instructions!.trim(), perServer, serverWordsPrompt.cut).text),
    }));
  return blocks.length === 0 ? undefined : serverWordsPrompt.instructions(blocks);
}

/** No text of theirs ends its block or begins another. */
function inBlock(text: string): string {
  return text.replace(/<(?=\/?\s*mcp_instructions)/gi, '‹');
}
