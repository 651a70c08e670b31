// The one open form of a server's prompt: who asks it, and what mcp-prompt-form.tsx draws.
import type { McpPrompt } from '../../lib/registry/mcp/prompts';
import { createStore } from '../ui/store';
import type { AskArguments } from './mcp-spoken';

/** A prompt whose arguments are asked for; `answer` with undefined when the person leaves it. */
export interface OpenForm {
  prompt: McpPrompt;
  given: Record<string, string>;
  answer(input: Record<string, string> | undefined): void;
}

/** Undefined while nothing is asked. */
export const openForm = createStore<OpenForm | undefined>(undefined);

/** Shows the form; an older one that is still open is left unanswered. */
export const askPromptArguments: AskArguments = (prompt, given) =>
  new Promise((resolve) => {
    openForm.get()?.answer(undefined);
    openForm.set({
      prompt,
      given,
      answer(input) {
        openForm.set(undefined);
        resolve(input);
      },
    });
  });
