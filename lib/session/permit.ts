// The way of every question: the extension's word first, which may only make it stricter, then rules, grants and the person. An extension that
// fails or is silent for too long denies.
import type { AskingCall, Verdict } from '../permission/asks';
import type { RuleSet } from '../permission/rules';
import { abortError } from '../std/signals';
import type { AskRequest } from '../tools/tool';
import type { Desk } from './desk';

/** What an extension says about a call: `ask` brings it before the person even where a rule or a grant allows it. */
export type PermissionWord = { effect: 'unchanged' } | { effect: 'ask' | 'deny'; message?: string };

/** Asked before each decision. It can't allow: repository content may never widen what is permitted. */
export type EvaluatePermission = (
  request: AskRequest,
  call: AskingCall,
  signal: AbortSignal,
) => Promise<PermissionWord>;

const evaluateTimeoutMs = 10_000;

/** Judges a request of a call. Rejects with an AbortError when the signal aborts. */
export async function permit(
  request: AskRequest,
  call: AskingCall,
  rules: () => RuleSet,
  signal: AbortSignal,
  desk: Desk,
  evaluate: EvaluatePermission | undefined,
  timeoutMs = evaluateTimeoutMs,
): Promise<Verdict> {
  const word = evaluate === undefined ? undefined : await wordOf(evaluate, request, call, signal, timeoutMs);
  if (word === undefined || word.effect === 'unchanged') return desk.asks.ask(request, call, rules, signal);
  const said = word.message?.trim();
  if (word.effect === 'deny')
    return {
      kind: 'denied',
      by: 'extension',
      reason: `An extension of this project denies this: ${said || 'it gave no reason'}. Find another way or tell the person.`,
    };
  const remarked = said ? { meta: { ...request.meta, remark: said } } : {};
  return desk.asks.ask({ ...request, ...remarked, mustAsk: true }, call, rules, signal);
}

async function wordOf(
  evaluate: EvaluatePermission,
  request: AskRequest,
  call: AskingCall,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<PermissionWord> {
  if (signal.aborted) throw abortError(signal);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const late = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => reject(new Error(`it did not answer within ${timeoutMs / 1000} s`)), {
      once: true,
    });
  });
  try {
    const word = await Promise.race([evaluate(structuredClone(request), { ...call }, limit), late]);
    if (word?.effect === 'unchanged' || word?.effect === 'ask' || word?.effect === 'deny') return word;
    throw new Error(`it answered with ${JSON.stringify(word)}`);
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    return { effect: 'deny', message: `it failed (${error instanceof Error ? error.message : String(error)})` };
  }
}
