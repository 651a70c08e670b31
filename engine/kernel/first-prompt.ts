// When a prompt is on the screen, so far as the kernel can tell. What no prompt needs (npm, workers for the next programs, the rest of lib) waits for it:
// on two processors all of that would make it late.

/** A first program that says nothing holds things up no longer than this. */
const PATIENCE_MS = 1500;
/** What was said first has to be drawn. */
const BREATH_MS = 300;

export interface FirstPrompt {
  /** Resolves a moment after the first output, or when patience has ended. Never rejects. */
  readonly past: Promise<void>;
  /** Programs can start: patience begins. */
  booted(): void;
  /** A program has said something. */
  outputSent(): void;
}

/** Of a kernel that boots. */
export function expectFirstPrompt(): FirstPrompt {
  const past = Promise.withResolvers<void>();
  let isSent = false;
  return {
    past: past.promise,
    booted: () => void setTimeout(past.resolve, PATIENCE_MS),
    outputSent() {
      if (!isSent) setTimeout(past.resolve, BREATH_MS);
      isSent = true;
    },
  };
}
