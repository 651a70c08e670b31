// What a program may say to us, judged: it shares its worker with our script, so every message may be made up by it.

/** One message that makes sense by itself. */
export type HeardWord =
  | { type: 'call'; id: number; tool: string; input: string }
  | { type: 'print'; text: string }
  | { type: 'done'; text?: string }
  | { type: 'failed'; message: string };

/** Characters. What our own script keeps to, with some room. */
export const wordLimits = { input: 10_000_000, print: 300_000, value: 10_000_000, message: 20_000, name: 64 };

/** Undefined for what our script never says. */
export function heardWord(said: unknown): HeardWord | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { type, id, tool, input, text, message } = said as Record<string, unknown>;
  switch (type) {
    case 'call':
      return Number.isSafeInteger(id) && isText(tool, wordLimits.name) && isText(input, wordLimits.input)
        ? { type, id: id as number, tool, input }
        : undefined;
    case 'print':
      return isText(text, wordLimits.print) ? { type, text } : undefined;
    case 'done':
      if (text === undefined) return { type };
      return isText(text, wordLimits.value) ? { type, text } : undefined;
    case 'failed':
      return isText(message, Number.POSITIVE_INFINITY)
        ? { type, message: message.slice(0, wordLimits.message) }
        : undefined;
    default:
      return undefined;
  }
}

function isText(value: unknown, maxChars: number): value is string {
  return typeof value === 'string' && value.length <= maxChars;
}
