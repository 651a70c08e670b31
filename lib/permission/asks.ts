// Open questions to the person. A question ends in exactly one of: answered, allowed by somebody else's *always*, past its deadline,
// or stopped. It never holds up anything but its own call.
import { newId } from '../std/ids';
import { abortError } from '../std/signals';
import { steadyNow } from '../std/steady';
import { type Decision, decide, type Grant, type PermissionFacts, type PermissionRequest, type RuleSet } from './rules';

/** A change of files that was allowed in part: which hunks of which file's diff (0-based) stay out, and what the person says about it. */
export interface Review {
  refused: { path: string; hunks: number[] }[];
  message?: string;
}

/** What was allowed for a project is asked about again after this time. */
const projectGrantMs = 90 * 24 * 60 * 60 * 1000;

/** How a request ended. `rejected` without a message ends the turn; `denied` is a rule's word and the model goes on. */
export type Verdict =
  | { kind: 'allowed'; by: 'rule' | 'grant' | 'person'; review?: Review }
  /** `by`: default a rule. */
  | { kind: 'denied'; reason: string; by?: 'extension' }
  | { kind: 'rejected'; message?: string; unanswered?: boolean };

export type Answer =
  | { kind: 'once'; review?: Review }
  | { kind: 'always'; scope: 'turn' | 'session' | 'project' }
  | { kind: 'reject'; message?: string };

/** The question as it is shown. `facts`: what needs the person; `request` is whole. */
export interface OpenAsk<Request extends PermissionRequest> extends AskingCall {
  id: string;
  request: Request;
  facts: PermissionFacts[];
  createdAtMs: number;
  deadlineMs: number;
}

/** Whose call it is. `rootCallId`: the call of the person's own conversation under which a sub-agent asks. */
export interface AskingCall {
  callId: string;
  tool: string;
  agent?: string;
  /** The conversation that the call belongs to. */
  sessionId?: string;
  rootCallId?: string;
}

export interface AsksOptions<Request extends PermissionRequest> {
  /** Read anew for every decision, so a revoked grant counts at once. */
  grants(): readonly Grant[];
  addGrants(grants: Grant[]): void;
  /** After every change of the list. */
  onChange(open: OpenAsk<Request>[]): void;
  timeoutMs: number;
}

export interface Asks<Request extends PermissionRequest> {
  /** `rules` are read anew for every decision. Rejects with an AbortError when the signal aborts. */
  ask(request: Request, call: AskingCall, rules: () => RuleSet, signal: AbortSignal): Promise<Verdict>;
  /** Unknown ids (answered meanwhile) are ignored. */
  answer(id: string, answer: Answer): void;
  /** Looks at all open questions again, after rules or grants changed. */
  reconsider(): void;
}

/** A list of questions for one session. */
export function createAsks<Request extends PermissionRequest>(options: AsksOptions<Request>): Asks<Request> {
  const open = new Map<string, { ask: OpenAsk<Request>; rules: () => RuleSet; settle: (verdict: Verdict) => void }>();
  const changed = () => options.onChange([...open.values()].map((entry) => entry.ask));
  const judge = (request: Request, rules: () => RuleSet) => decide(request, rules(), options.grants());

  function reconsider(): void {
    for (const { ask, rules, settle } of [...open.values()]) {
      const decision = judge(ask.request, rules);
      if (decision.effect !== 'ask') settle(verdictOf(decision));
    }
  }

  return {
    ask(request, call, rules, signal) {
      if (signal.aborted) return Promise.reject(abortError(signal));
      const decision = judge(request, rules);
      if (decision.effect !== 'ask') return Promise.resolve(verdictOf(decision));
      return new Promise((resolve, reject) => {
        const createdAtMs = steadyNow();
        const ask: OpenAsk<Request> = {
          id: newId('ask'),
          ...call,
          request,
          facts: decision.facts,
          createdAtMs,
          deadlineMs: createdAtMs + options.timeoutMs,
        };
        const close = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          open.delete(ask.id);
          changed();
        };
        const settle = (verdict: Verdict) => {
          close();
          resolve(verdict);
        };
        const stop = () => {
          close();
          reject(abortError(signal));
        };
        const timer = setTimeout(() => settle({ kind: 'rejected', unanswered: true }), options.timeoutMs);
        signal.addEventListener('abort', stop, { once: true });
        open.set(ask.id, { ask, rules, settle });
        changed();
      });
    },
    answer(id, answer) {
      const entry = open.get(id);
      if (entry === undefined) return;
      switch (answer.kind) {
        case 'once':
          entry.settle({ kind: 'allowed', by: 'person', ...(answer.review ? { review: answer.review } : {}) });
          return;
        case 'reject':
          return entry.settle({
            kind: 'rejected',
            ...(answer.message?.trim() ? { message: answer.message.trim() } : {}),
          });
        case 'always': {
          const grants = entry.ask.facts.flatMap((facts) =>
            facts.always.map(
              (pattern): Grant => ({
                id: newId('grant'),
                permission: facts.permission,
                pattern,
                scope: answer.scope,
                grantedAtMs: Date.now(),
                callId: entry.ask.callId,
                ...(answer.scope === 'project' ? { expiresAtMs: Date.now() + projectGrantMs } : {}),
                ...(entry.ask.agent === undefined ? {} : { agent: entry.ask.agent }),
                ...titleOf(entry.ask.request),
              }),
            ),
          );
          entry.settle({ kind: 'allowed', by: 'person' });
          if (grants.length > 0) options.addGrants(grants);
          reconsider();
        }
      }
    },
    reconsider,
  };
}

function titleOf(request: PermissionRequest & { title?: string }): { title?: string } {
  return request.title === undefined ? {} : { title: request.title.split('\n')[0]!.slice(0, 200) };
}

function verdictOf(decision: Exclude<Decision, { effect: 'ask' }>): Verdict {
  if (decision.effect === 'allow') return { kind: 'allowed', by: decision.by };
  const { permission, fact, rule } = decision;
  const reason =
    rule.reason ??
    `A rule of this project denies ${permission} for \`${fact}\` (${rule.permission}: ${rule.pattern}). Nobody can allow it here; find another way or tell the person.`;
  return { kind: 'denied', reason };
}
