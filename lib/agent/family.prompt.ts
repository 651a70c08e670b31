// What only some families of models need to be told: each line is against a habit of that family. Short, because it is sent with every step.
import type { ModelTraits } from '../registry/model-traits';

/** Added to the system prompt; undefined where there is nothing to say. */
export const familyPrompt: Record<ModelTraits['family'], string | undefined> = {
  claude: `- Write no files that nobody asked for: no summaries, no notes, no second version beside the first.
- Don't praise and don't announce what you are about to do; do it.`,
  gpt: `- Go on until the task is done and checked. Don't stop to ask whether to go on, and don't end with a plan instead of the work.
- Change files with the tools for it, never with echo, cat or sed in bash. Don't paste a file's new contents into your answer.`,
  gemini: `- Call tools; never write a call, or code that would make one, as text.
- One change at a time: read its result before you make the next one that depends on it.
- Don't explain a command before you run it; the person sees it.`,
  other: undefined,
};
