// The name of a conversation: its first line at once, a better one from the model while it answers. A name that the person gave stays.
import { titleFor } from '../agent/title';
import { usageOf } from './apply-event';
import type { SessionOptions } from './session-options';
import type { SessionRecord } from './session-record';
import { addTokens, noUsage } from './usage';

/** The first line, at most 60 characters. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n')[0]!;
  return line.length > 60 ? `${line.slice(0, 57).trimEnd()}…` : line;
}

/** Asks the model of the session, in the background. A failure leaves the first line. */
export function nameSession(record: SessionRecord, text: string, { resolveModel, canName }: SessionOptions): void {
  const { model, title: first, messages } = record.state();
  if (canName?.(model) !== true) return;
  const answerId = messages.at(-1)?.id;
  void titleFor(resolveModel(model), text, AbortSignal.timeout(60_000))
    .then(async ({ title, spent }) => {
      const answer = record.state().messages.find((message) => message.id === answerId);
      if (answer !== undefined) {
        const overhead = { ...(answer.overhead ?? noUsage) };
        addTokens(overhead, usageOf(spent));
        record.replace({ ...answer, overhead });
      }
      if (title === '' || record.state().title !== first) return;
      record.change({ title });
      await record.save();
    })
    .catch(() => {});
}
