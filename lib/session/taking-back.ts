// Taking back what the agents of a conversation did to files: the last turn, or one file. It goes through the editor's buffers, as the writing did, so what
// is typed and not saved is merged like what is saved; and one at a time: who speaks meanwhile is heard after it.
import type { StructuredPatchHunk } from 'diff';
import { bufferedSandbox } from './buffered-sandbox';
import type { RecordedWrite } from './recording-sandbox';
import { sessionChanges } from './session-changes';
import type { SessionOptions } from './session-options';
import type { SessionRecord } from './session-record';
import type { TurnRunner } from './turn-runner';
import type { Session } from './types';
import { type UndoReport, undoMessages, undoWrites, whatIsAt } from './undo-writes';
import { withoutRecordedHunk } from './without-recorded-hunk';

export interface TakingBack extends Pick<Session, 'undo' | 'changes' | 'revert' | 'revertHunk'> {
  /** Something is being taken back at this moment: a turn must not begin. */
  isUnderWay(): boolean;
  /** Resolves when nothing is. */
  over(): Promise<void>;
}

/** Of one session. While a turn runs, nothing is taken back. */
export function createTakingBack(record: SessionRecord, runner: TurnRunner, options: SessionOptions): TakingBack {
  const { store, onForgotten } = options;
  const sandbox = options.buffers === undefined ? options.sandbox : bufferedSandbox(options.sandbox, options.buffers);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inOrder<Value>(work: () => Promise<Value>): Promise<Value> {
    waiting++;
    const done = last.then(work).finally(() => waiting--);
    last = done.catch(() => {});
    return done;
  }

  async function undo(): Promise<UndoReport> {
    const { messages, id } = record.state();
    const from = messages.findLastIndex((message) => message.role === 'user');
    if (runner.isRunning() || from < 0) return { restored: [], conflicts: [], commands: [], prompt: '' };
    const undone = messages.slice(from);
    const report = await undoMessages(sandbox, store, id, undone, (path) => runner.seen.delete(path));
    record.change({ messages: messages.slice(0, from), status: { kind: 'idle' }, updatedAtMs: Date.now() });
    onForgotten?.(id);
    await store.deleteMessages(
      id,
      undone.map((message) => message.id),
    );
    await record.save();
    return report;
  }

  /** Writes of sub-agents are kept with the conversation that the person leads. */
  async function writesTo(path: string): Promise<Record<'own' | 'all', RecordedWrite[]>> {
    let { id, projectId, parentId } = record.state();
    if (parentId !== undefined) {
      const all = await store.list(projectId);
      for (; parentId !== undefined; parentId = all.find((one) => one.id === id)?.parentId) id = parentId;
    }
    const all = await store.allWrites(id);
    return { all, own: all.filter((write) => write.path === path) };
  }

  async function revertHunk(path: string, hunk: StructuredPatchHunk): ReturnType<Session['revertHunk']> {
    if (runner.isRunning()) return { conflict: 'the agent is at work.' };
    const there = await whatIsAt(sandbox, path);
    if ('inTheWay' in there) return { conflict: `${there.inTheWay}.` };
    const now = there.bytes;
    if (now === null) return { conflict: 'it was deleted since.' };
    const wanted = withoutRecordedHunk(now, (await writesTo(path)).own, hunk);
    if (wanted === undefined) return { conflict: 'those lines are not there any more as the agent left them.' };
    runner.seen.delete(path);
    await sandbox.fs.write(path, wanted);
    return { putBack: () => sandbox.fs.write(path, now) };
  }

  return {
    isUnderWay: () => waiting > 0,
    async over() {
      while (waiting > 0) await last;
    },
    undo: () => {
      const aim = record.state().messages.at(-1)?.id;
      // Pressed twice is meant once: the second one would take back the turn before.
      return inOrder(async () =>
        record.state().messages.at(-1)?.id === aim ? undo() : { restored: [], conflicts: [], commands: [], prompt: '' },
      );
    },
    changes: async () => sessionChanges(sandbox, await store.allWrites(record.state().id)),
    revert: (path) =>
      inOrder(async () => {
        if (runner.isRunning()) return { restored: [], conflicts: [{ path, reason: 'the agent is at work' }] };
        runner.seen.delete(path);
        const { own, all } = await writesTo(path);
        return undoWrites(sandbox, own, all);
      }),
    revertHunk: (path, hunk) => inOrder(() => revertHunk(path, hunk)),
  };
}
