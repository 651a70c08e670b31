// Which change of a conversation is worth saying aloud.
import type { Message } from '../../lib/session/messages';
import type { SessionState } from '../../lib/session/types';
import { spokenLine, toolLine } from '../tool-views/tool-line';

/** What was so when something was last looked at. Undefined before the first look: what is there already is not read out. */
export type Heard = { running: boolean; askIds: readonly string[] } | undefined;

const maxChars = 1500;

/** `say` is what to speak now. */
export function spokenChange(heard: Heard, state: SessionState): { say?: string; now: Heard } {
  const running = state.status.kind === 'running' || state.status.kind === 'retrying';
  const now = { running, askIds: [...state.asks, ...state.questions].map((ask) => ask.id) };
  if (heard === undefined) return { now };
  const asked = state.asks.find((ask) => !heard.askIds.includes(ask.id));
  if (asked) return { say: `The agent asks: ${asked.request.title}. Enter allows it once, Escape refuses.`, now };
  const form = state.questions.find((one) => !heard.askIds.includes(one.id));
  if (form) return { say: `The agent asks: ${form.questions.map((one) => one.question).join(' ')}`, now };
  if (!heard.running || running) return { now };
  const last = state.messages.at(-1);
  return last?.role === 'assistant' ? { say: spokenTurn(last), now } : { now };
}

/** The turn in words: how it ended, what it did, what it said last. */
export function spokenTurn(message: Message): string {
  const ends = {
    done: 'The agent is done.',
    stopped: 'Stopped.',
    failed: 'The agent failed.',
    interrupted: 'Cut off.',
  };
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
  const lines = message.parts.flatMap((part) => (part.type === 'tool' ? [`${spokenLine(toolLine(part))}.`] : []));
  const said = texts.findLast((text) => text !== '') ?? '';
  const all = [ends[message.end ?? 'done'], ...lines, message.error?.message ?? '', said].filter(Boolean).join(' ');
  return all.length > maxChars ? `${all.slice(0, maxChars)} …` : all;
}
