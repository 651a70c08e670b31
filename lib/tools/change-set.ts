// Changing files as one: everything is worked out first, shown and asked about once, worked out again on what is there then (the person may
// have taken minutes to answer), and written whole or not at all. Every tool that changes files goes through here.
import { type DecodedText, encodeText, equalBytes } from '../std/text-file';
import { type FileDiff, fileDiff } from './file-diff';
import { type Located, outsideFacts } from './locate';
import { type FileChange, reviewed } from './review-changes';
import { withFileLock } from './text-target';
import { type ToolContext, ToolError } from './tool';

export interface ChangeSet<Note> {
  changes: FileChange[];
  /** What the tool wants to tell about these changes afterwards. */
  note: Note;
}

/**
 * Asks for the changes and makes those that the person takes; `remark` tells the model of others. `plan` is called twice and must not change anything; it throws ToolErrors for what can't be done.
 * *Contract:* when this rejects, no file is changed; if that could not be kept, the error names the files.
 */
export async function changeFiles<Note>(
  context: ToolContext,
  title: string,
  plan: () => Promise<ChangeSet<Note>>,
): Promise<{ diffs: FileDiff[]; note: Note; remark: string }> {
  const planned = (await plan()).changes;
  const places = planned.flatMap(placesOf);
  const diffs = planned.map(diffOf);
  const review = await context.ask({
    permission: 'edit',
    patterns: [...new Set(places.map((place) => place.shown))],
    always: ['*'],
    title,
    also: outsideFacts(places),
    meta: metaOf(diffs),
  });
  const allowed = new Set(places.map((place) => place.path));
  return withFileLocks(context, [...allowed].sort(), async () => {
    const { changes, note } = await plan();
    const other = changes.flatMap(placesOf).find((place) => !allowed.has(place.path));
    if (other)
      throw new ToolError(
        `The files moved on while you waited: ${other.shown} was not part of what was allowed. Try again.`,
      );
    const left =
      review === undefined
        ? { changes, remark: '' }
        : reviewed(changes, { shown: diffs, now: changes.map(diffOf) }, review);
    context.signal.throwIfAborted();
    await commit(left.changes, context);
    return { diffs: left.changes.map(diffOf), note, remark: left.remark };
  });
}

/** The `meta` of a result or an ask: one file's diff as it is, several as `files`. */
export function metaOf(diffs: readonly FileDiff[]): Record<string, unknown> {
  return diffs.length === 1 ? { ...diffs[0] } : { files: diffs };
}

function placesOf(change: FileChange): Located[] {
  return change.kind === 'move' ? [change.from, change.place] : [change.place];
}

function diffOf(change: FileChange): FileDiff {
  const { place, before } = change;
  const old = before === 'binary' ? undefined : before?.text;
  switch (change.kind) {
    case 'write':
      return fileDiff(place.shown, old, change.text);
    case 'remove':
      return { ...fileDiff(place.shown, old ?? '', ''), change: 'deleted' };
    case 'move':
      return {
        ...fileDiff(place.shown, old ?? '', change.text ?? old ?? ''),
        change: 'moved',
        from: change.from.shown,
      };
  }
}

async function commit(changes: readonly FileChange[], context: ToolContext): Promise<void> {
  const { fs } = context.sandbox;
  const takeBack: { shown: string; run: () => Promise<void> }[] = [];
  const step = async (shown: string, run: () => Promise<void>, back: () => Promise<void>): Promise<void> => {
    takeBack.push({ shown, run: back });
    await run();
  };
  try {
    for (const change of changes) {
      const { path, shown } = change.place;
      if (change.kind === 'remove') {
        const bytes = Uint8Array.from(await fs.read(path));
        const { mode } = await fs.stat(path);
        await step(
          shown,
          () => fs.remove(path),
          async () => {
            await fs.write(path, bytes);
            await fs.setMode(path, mode);
          },
        );
        continue;
      }
      if (change.kind === 'move') {
        const { from } = change;
        await step(
          shown,
          () => fs.move(from.path, path),
          () => fs.move(path, from.path),
        );
        if (change.text === undefined) continue;
      }
      const before =
        change.kind === 'write' && change.before === undefined ? undefined : Uint8Array.from(await fs.read(path));
      // Somebody may type while this is worked out.
      if (before !== undefined && typeof change.before === 'object' && !equalBytes(before, bytesOf(change.before)))
        throw new Error(`${shown} was changed at the same moment`);
      const encoded = encodeText(change.text!, shapeOf(change.before));
      await step(
        shown,
        () => fs.write(path, encoded),
        () => putBack(context, path, before),
      );
    }
  } catch (error) {
    await rollBack(takeBack, error, context);
  }
  for (const change of changes) {
    if (change.kind === 'move') context.seen.delete(change.from.path);
    if (change.kind === 'remove' || (change.kind === 'move' && change.text === undefined))
      context.seen.delete(change.place.path);
    else context.seen.set(change.place.path, change.text!);
  }
}

async function putBack({ sandbox: { fs } }: ToolContext, path: string, before: Uint8Array | undefined): Promise<void> {
  if (before === undefined) return fs.remove(path);
  if (!equalBytes(await fs.read(path), before)) await fs.write(path, before);
}

/** The last step may have happened or not: what it can't take back because it never happened is no failure. */
async function rollBack(
  takeBack: { shown: string; run: () => Promise<void> }[],
  error: unknown,
  context: ToolContext,
): Promise<never> {
  const changed: string[] = [];
  for (const { shown, run } of takeBack.toReversed()) {
    await run().catch((reason: { code?: unknown }) => {
      if (reason.code !== 'ENOENT') changed.push(shown);
    });
  }
  context.signal.throwIfAborted();
  const why = error instanceof Error ? error.message : String(error);
  const state =
    changed.length === 0
      ? 'Nothing was changed.'
      : `These files could not be put back: ${changed.join(', ')}. Read them.`;
  throw new ToolError(`The changes could not be written (${why}). ${state}`);
}

function bytesOf(file: DecodedText): Uint8Array {
  return encodeText(file.text, file);
}

function shapeOf(before: FileChange['before']): Pick<DecodedText, 'encoding' | 'bom'> {
  return before === undefined || before === 'binary' ? { encoding: 'utf-8', bom: false } : before;
}

/** *Contract:* sorted paths, so that two change sets never wait for each other. */
function withFileLocks<T>(context: ToolContext, [path, ...others]: string[], change: () => Promise<T>): Promise<T> {
  if (path === undefined) return change();
  return withFileLock(context.sandbox, path, () => withFileLocks(context, others, change));
}
