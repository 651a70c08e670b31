// One conversation: state that React reads and verbs that people press. Turns run in turn-runner.ts, questions wait at the desk.
import type { Grant } from '../permission/rules';
import { builtInAgents } from '../registry/agents';
import { newId, newIdsAfter } from '../std/ids';
import { createDesk, type Desk } from './desk';
import { hearDesk } from './hear-desk';
import { keepMedia } from './keep-media';
import { keptOutputs } from './keep-output';
import type { Message } from './messages';
import { nameSession, titleOf } from './name-session';
import { createProgramCalls } from './program-calls';
import type { ParentSession, SessionOptions } from './session-options';
import { createRecord, type SessionRecord } from './session-record';
import type { SavedSession } from './session-store';
import { settleSaved } from './settle-saved';
import { storageWords } from './storage-errors';
import { createTakingBack } from './taking-back';
import { createTurnBudget } from './turn-budget';
import { createTurnRunner, type TurnRunner } from './turn-runner';
import { createTurnTrace } from './turn-trace';
import type { Session } from './types';
import { priceIn, totalUsage } from './usage';

const defaultAskTimeoutMs = 30 * 60_000;

/**
 * A live session from what was saved. Parts that were running are settled as interrupted and saved so before it resolves. Grants that come later let what was
 * asked before them go on.
 */
export async function openSession(
  saved: SavedSession,
  savedMessages: Message[],
  projectGrants: Grant[] | Promise<Grant[]>,
  options: SessionOptions,
  parent?: ParentSession,
): Promise<OpenedSession> {
  const { store, onUnsaved = () => {} } = options;
  const timeoutMs = options.askTimeoutMs ?? defaultAskTimeoutMs;
  const grants = [...saved.grants, ...(Array.isArray(projectGrants) ? projectGrants : [])];
  // Messages are kept in the order of their ids, and what is said now comes last.
  newIdsAfter(savedMessages.flatMap((message) => [message.id, ...message.parts.map((part) => part.id)]));
  const desk: Desk = parent?.desk ?? createDesk({ store, projectId: saved.projectId, grants, timeoutMs, onUnsaved });
  const record = createRecord(
    {
      id: saved.id,
      projectId: saved.projectId,
      title: saved.title,
      createdAtMs: saved.createdAtMs,
      updatedAtMs: saved.updatedAtMs,
      messages: [],
      status: { kind: 'idle' },
      asks: [],
      questions: [],
      inbox: saved.inbox ?? [],
      todos: saved.todos ?? [],
      usage: totalUsage(savedMessages, priceIn(options)),
      model: saved.model,
      agent: saved.agent ?? 'build',
      mode: saved.mode,
      ...(saved.parentId === undefined ? {} : { parentId: saved.parentId }),
      grants: [],
      canUndo: false,
    },
    {
      store,
      grants: parent === undefined ? desk.grants : () => [],
      ...(options.onSummary === undefined || parent !== undefined ? {} : { onSummary: options.onSummary }),
    },
  );
  // A trace that can't be kept must not end the turn that it is about: it is still shown while the tab lives.
  const trace = createTurnTrace(parent?.trace, (kept) => void store.saveTrace(saved.id, kept).catch(() => {}));
  const outputs = parent?.outputs ?? keptOutputs(store, saved.parentId ?? saved.id, options.redact);
  const budget = createTurnBudget({
    record,
    priceOf: priceIn(options),
    // A sub-agent's money is the conversation's.
    limit: () => (parent === undefined ? options.settings?.().costUsd : undefined),
    ...(parent === undefined ? {} : { above: parent.checkBudget }),
  });
  const runner = createTurnRunner({
    record,
    desk,
    options,
    parent,
    trace,
    budget,
    outputs,
    programs: createProgramCalls(),
  });
  const takingBack = createTakingBack(record, runner, options);
  const stopHearing = desk.subscribe(() => hearDesk(record, desk, parent === undefined));
  // Without them it is asked again.
  if (!Array.isArray(projectGrants)) void projectGrants.then(desk.remember).catch(() => {});
  const saveSoon = () => void record.save().catch((reason) => onUnsaved('settings', reason));

  record.change({
    messages: await settleSaved(store, saved.id, savedMessages),
    grants: parent === undefined ? desk.shownGrants() : [],
  });

  return {
    id: saved.id,
    state: record.state,
    subscribe: record.subscribe,
    offer: runner.offer,
    async trace() {
      const live = trace.live();
      const kept = (await store.loadTraces(saved.id)).filter((one) => one.key !== live?.key);
      return [...kept, ...(live === undefined ? [] : [live])].flatMap((one) => one.spans);
    },
    allowForGood: desk.allow,
    async send(text, delivery = 'steer', files = [], turn = {}) {
      if (text.trim() === '' && files.length === 0) return;
      if (takingBack.isUnderWay()) await takingBack.over();
      const shown = files.length === 0 ? {} : { files };
      if (runner.isRunning()) {
        const opening = turn.opening?.length ? { opening: turn.opening } : {};
        const prompt = { id: newId('prompt'), text, ...shown, ...opening, delivery, createdAtMs: Date.now() };
        record.change({ inbox: [...record.state().inbox, prompt] });
        try {
          await record.save();
        } catch (reason) {
          // Who said it has it back, and may say it again.
          record.change({ inbox: record.state().inbox.filter((one) => one !== prompt) });
          throw new Error(`it could not be saved: ${storageWords(reason)}`, { cause: reason });
        }
        return;
      }
      const isFirst = record.state().title === '';
      if (isFirst) record.change({ title: titleOf(text) });
      const over = runner.start([{ text, ...shown }], turn);
      if (isFirst && parent === undefined) nameSession(record, text, options);
      await over;
    },
    keep(media) {
      const { fitImage } = options;
      return keepMedia(media, { store, sessionId: saved.id, ...(fitImage === undefined ? {} : { fitImage }) });
    },
    file: (id) => store.loadBlob(saved.id, id),
    output: outputs.load,
    takeBack(promptId) {
      const prompt = record.state().inbox.find((one) => one.id === promptId);
      if (prompt === undefined) return undefined;
      record.change({ inbox: record.state().inbox.filter((one) => one !== prompt) });
      saveSoon();
      return prompt.text;
    },
    answer(askId, answer) {
      desk.asks.answer(askId, answer);
      saveSoon();
    },
    answerQuestion: desk.answerQuestion,
    stop: runner.stop,
    async retry() {
      if (takingBack.isUnderWay()) await takingBack.over();
      return retry(record, runner, options);
    },
    undo: takingBack.undo,
    changes: takingBack.changes,
    revert: takingBack.revert,
    revertHunk: takingBack.revertHunk,
    async compact() {
      if (takingBack.isUnderWay()) await takingBack.over();
      return runner.isRunning() ? 'over' : runner.compact();
    },
    setModel(model) {
      record.change({ model });
      saveSoon();
    },
    setAgent(agent) {
      record.change({ agent });
      saveSoon();
    },
    setMode(mode) {
      record.change({ mode });
      desk.asks.reconsider();
      saveSoon();
    },
    setTodos(todos) {
      record.change({ todos });
      saveSoon();
    },
    revokeGrant(grantId) {
      desk.revoke(grantId);
      saveSoon();
    },
    async rename(title) {
      record.change({ title: title.trim() || record.state().title });
      await record.save();
    },
    async dispose() {
      await runner.stop();
      await record.parts.flush().catch((reason) => onUnsaved('parts', reason));
      stopHearing();
      if (parent === undefined) desk.close();
      record.close();
    },
  };
}

/** A session with what only its list needs. */
export type OpenedSession = Session & { rename(title: string): Promise<void> };

async function retry(record: SessionRecord, runner: TurnRunner, { store, agents }: SessionOptions): Promise<void> {
  const { messages, model, agent, id, status } = record.state();
  const last = messages.at(-1);
  if (runner.isRunning() || last?.role !== 'assistant' || last.end === undefined) return;
  if (last.end === 'done') {
    if (status.kind === 'failed') await runner.finishAgain(last.id);
    return;
  }
  const { end: _end, error: _error, endedAtMs: _at, ...rest } = last;
  const isThere = (agents?.() ?? builtInAgents).some((one) => one.name === last.agent);
  const continued: Message = { ...rest, model, ...(isThere ? {} : { agent }) };
  if (last.model !== model) {
    // Signatures belong to the model that made them; another one of the same provider would refuse them.
    continued.parts = rest.parts.map(withoutEcho);
    record.parts.markDirty(last.id, [...rest.parts.keys()]);
  }
  record.replace(continued);
  const writes = await store.loadWrites(id, last.id);
  if (!runner.isRunning()) await runner.resume(last.id, writes.length);
}

function withoutEcho(part: Message['parts'][number]): Message['parts'][number] {
  if (!('echo' in part)) return part;
  const { echo: _echo, ...rest } = part;
  return rest as Message['parts'][number];
}
