// Where the person is asked: permissions and forms of a conversation and of all its sub-agents come to one desk, so that no question can wait
// in a conversation that nobody looks at.
import { type AskingCall, type Asks, createAsks } from '../permission/asks';
import { type Grant, isInForce, type RuleSet } from '../permission/rules';
import { newId } from '../std/ids';
import { abortError } from '../std/signals';
import { steadyNow } from '../std/steady';
import type { AskRequest } from '../tools/tool';
import type { SessionStore } from './session-store';
import type { GrantView, PendingAsk, PendingQuestion, Question, QuestionAnswer } from './types';

/** One per conversation of the person; its sub-agents use the same. */
export interface Desk {
  readonly asks: Asks<AskRequest>;
  /** Waits for the person; resolves with `unanswered` past the deadline, rejects when the signal aborts. */
  askQuestions(
    questions: Question[],
    call: Omit<AskingCall, 'tool'> & Pick<PendingQuestion, 'from' | 'given' | 'address'>,
    signal: AbortSignal,
  ): Promise<QuestionAnswer | { kind: 'unanswered' }>;
  answerQuestion(id: string, answer: QuestionAnswer): void;
  open(): { asks: PendingAsk[]; questions: PendingQuestion[] };
  /** Does a call of this conversation wait for the person? */
  isAsking(sessionId: string): boolean;
  grants(): readonly Grant[];
  shownGrants(): GrantView[];
  /** Adds what was remembered; what waits and is allowed by it goes on. */
  remember(grants: readonly Grant[]): void;
  /** Remembers an *always* for the project. */
  allow(permission: string, pattern: string): void;
  revoke(grantId: string): void;
  /** Forgets what was allowed for the turn. */
  endTurn(): void;
  /** Called after every change of questions or grants. */
  subscribe(listener: () => void): () => void;
  /** Hears no more of what is taken back elsewhere. */
  close(): void;
}

/** `conversation`: a new one. `settings`: mode, model, inbox and the like of a conversation. `parts`: its end. `permission`: an *always* for the project. `revoked`: the end of one. */
export type Unsaved = 'conversation' | 'settings' | 'parts' | 'permission' | 'revoked';

interface DeskOptions {
  store: SessionStore;
  projectId: string;
  /** What was remembered: the session's and the project's. */
  grants: readonly Grant[];
  timeoutMs: number;
  onUnsaved(what: Unsaved, reason: unknown): void;
}

/** An empty desk. */
export function createDesk({ store, projectId, grants: remembered, timeoutMs, onUnsaved }: DeskOptions): Desk {
  const listeners = new Set<() => void>();
  let grants: readonly Grant[] = remembered;
  let asks: PendingAsk[] = [];
  const forms = new Map<
    string,
    { shown: PendingQuestion; settle: (answer: QuestionAnswer | { kind: 'unanswered' }) => void }
  >();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };

  /** What is taken back in one conversation holds in none any more, in no tab. */
  const revoked = new BroadcastChannel('cloche:revoked-grants');
  revoked.onmessage = ({ data }) => forget(data);
  const forget = (grantId: unknown) => {
    if (!grants.some((grant) => grant.id === grantId)) return;
    grants = grants.filter((grant) => grant.id !== grantId);
    changed();
  };

  const keep = (grant: Grant) =>
    void store.saveProjectGrant(projectId, grant).catch((reason) => onUnsaved('permission', reason));

  const desk: Desk = {
    asks: createAsks<AskRequest>({
      grants: () => grants,
      addGrants(added) {
        grants = [...grants, ...added];
        for (const grant of added) if (grant.scope === 'project') keep(grant);
        changed();
      },
      onChange(open) {
        asks = open;
        changed();
      },
      timeoutMs,
    }),
    askQuestions(questions, call, signal) {
      if (signal.aborted) return Promise.reject(abortError(signal));
      return new Promise((resolve, reject) => {
        const createdAtMs = steadyNow();
        const shown = { ...call, id: newId('form'), questions, createdAtMs, deadlineMs: createdAtMs + timeoutMs };
        const close = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          forms.delete(shown.id);
          changed();
        };
        const settle = (answer: QuestionAnswer | { kind: 'unanswered' }) => {
          close();
          resolve(answer);
        };
        const stop = () => {
          close();
          reject(abortError(signal));
        };
        const timer = setTimeout(() => settle({ kind: 'unanswered' }), timeoutMs);
        signal.addEventListener('abort', stop, { once: true });
        forms.set(shown.id, { shown, settle });
        changed();
      });
    },
    answerQuestion: (id, answer) => forms.get(id)?.settle(answer),
    open: () => ({ asks, questions: [...forms.values()].map((form) => form.shown) }),
    isAsking: (sessionId) =>
      [...asks, ...[...forms.values()].map((form) => form.shown)].some((one) => one.sessionId === sessionId),
    grants: () => grants,
    shownGrants: () => grants.filter((grant) => isInForce(grant)).map(({ callId: _call, ...shown }) => shown),
    remember(remembered) {
      const known = new Set(grants.map((grant) => grant.id));
      grants = [...grants, ...remembered.filter((grant) => !known.has(grant.id))];
      changed();
      desk.asks.reconsider();
    },
    allow(permission, pattern) {
      const grant: Grant = {
        id: newId('grant'),
        permission,
        pattern,
        scope: 'project',
        callId: '',
        grantedAtMs: Date.now(),
      };
      grants = [...grants, grant];
      keep(grant);
      changed();
    },
    revoke(grantId) {
      const grant = grants.find((one) => one.id === grantId);
      forget(grantId);
      if (grant?.scope !== 'project') return;
      revoked.postMessage(grantId);
      store.deleteProjectGrant(grantId).catch((reason) => onUnsaved('revoked', reason));
    },
    endTurn() {
      if (!grants.some((grant) => grant.scope === 'turn')) return;
      grants = grants.filter((grant) => grant.scope !== 'turn');
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => revoked.close(),
  };
  return desk;
}

/** How calls of one conversation are judged, for the desk. */
export type RulesNow = () => RuleSet;
