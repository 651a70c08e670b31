// The apply_patch tool: the envelope that some models write better than edits. The sections are played through on a picture of the files
// first, so that two sections of one file build on each other, and the outcome is one change set.
import { z } from 'zod';
import { applyPatchPrompt } from './apply-patch.prompt';
import { changeFiles, metaOf } from './change-set';
import { editPrompt } from './edit.prompt';
import type { MatchStrategy } from './edit-match';
import { type FileDiff, shortDiff } from './file-diff';
import { askToRead, type Located, locate } from './locate';
import { locateExisting } from './near-names';
import { applyToMoved } from './patch-moved';
import { type PatchSection, parsePatch } from './patch-parse';
import { applyChunks } from './patch-place';
import type { FileChange } from './review-changes';
import { existingTextTarget, readTextTarget } from './text-target';
import { type Tool, type ToolContext, ToolError } from './tool';

const input = z.object({ patch: z.string().min(1).describe('The whole patch') });

type PlacedSection = PatchSection & { place: Located; target?: Located };

/** One path while the patch is played through. */
interface Picture {
  place: Located;
  /** What is on the disk. */
  before: FileChange['before'];
  /** What the patch makes of it; undefined: nothing is there. `binary` stays as it is. */
  now: string | 'binary' | undefined;
  /** What the model knows of it, as the patch goes on. */
  base: string | undefined;
  /** The path whose file came here. */
  from?: Picture;
}

/** Applies a patch. */
export const applyPatchTool: Tool<z.infer<typeof input>> = {
  name: 'apply_patch',
  kind: 'write',
  description: applyPatchPrompt.description,
  input,
  example: {
    patch: '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-const port = 3000;\n+const port = 8080;\n*** End Patch',
  },
  async execute({ patch }, context) {
    const sections = await Promise.all(
      parsePatch(patch).map(async (section): Promise<PlacedSection> => {
        const place = await (section.kind === 'add' ? locate : locateExisting)(context, section.path);
        if (section.kind !== 'update' || section.moveTo === undefined) return { ...section, place };
        return { ...section, place, target: await locate(context, section.moveTo) };
      }),
    );
    const places = [...new Map(sections.map(({ place }) => [place.path, place])).values()];
    const title = places.length === 1 ? places[0]!.shown : `${places.length} files`;
    context.update({ title });
    const read = sections.filter((section) => section.kind !== 'add').map((section) => section.place);
    if (read.length > 0) await askToRead(context, read);
    const { diffs, note, remark } = await changeFiles(context, `Patch ${title}`, () => plan(sections, context));
    const lines = diffs.map((diff) =>
      `${summary(diff)}\n${shortDiff(diff, Math.max(10, Math.floor(120 / diffs.length)))}`.trimEnd(),
    );
    return {
      title,
      output: [`Patched ${title}.`, ...(remark ? [remark] : []), ...note, ...lines].join('\n'),
      meta: metaOf(diffs),
    };
  },
};

function summary(diff: FileDiff): string {
  const letter = { created: 'A', changed: 'M', deleted: 'D', moved: 'R' }[diff.change];
  return `${letter} ${diff.from === undefined ? '' : `${diff.from} -> `}${diff.path}`;
}

async function plan(
  sections: readonly PlacedSection[],
  context: ToolContext,
): Promise<{ changes: FileChange[]; note: string[] }> {
  const pictures = new Map<string, Picture>();
  const notes = new Set<string>();
  for (const section of sections) {
    const picture = await pictureOf(pictures, section, section.place, context);
    switch (section.kind) {
      case 'add':
        if (picture.now !== undefined) throw new ToolError(applyPatchPrompt.exists(section.place.shown, section.line));
        picture.now = picture.base = section.content;
        break;
      case 'delete':
        await present(picture, section, context);
        picture.now = picture.base = undefined;
        break;
      case 'update': {
        const text = await textOf(picture, section, context);
        const { shown } = section.place;
        const { base } = picture;
        const isMoved = base !== undefined && base !== text && section.chunks.length > 0;
        const applied = isMoved
          ? applyToMoved(shown, text, base, section.chunks)
          : { ...applyChunks(shown, text, section.chunks, base === undefined), base: undefined };
        for (const strategy of applied.strategies) if (strategy !== 'exact') notes.add(strategyNotes[strategy]);
        if (isMoved) notes.add(editPrompt.movedOver);
        picture.now = applied.text;
        picture.base = isMoved ? (applied.base ?? base) : base === undefined ? undefined : applied.text;
        if (section.target !== undefined) await move(pictures, picture, section, section.target, context);
      }
    }
  }
  const changes = [...pictures.values()].flatMap(changeOf);
  if (changes.length === 0) throw new ToolError(applyPatchPrompt.unchanged);
  // Places must be free before something moves there.
  const order = { remove: 0, move: 1, write: 2 };
  return { changes: changes.sort((a, b) => order[a.kind] - order[b.kind]), note: [...notes] };
}

const strategyNotes: Record<Exclude<MatchStrategy, 'exact'>, string> = {
  unicode: 'Some lines matched after treating typographic quotes, dashes and spaces like plain ones.',
  'trailing-blanks': 'Some lines matched after ignoring blanks at the ends of lines.',
  indentation: 'Some lines matched with a different indentation; the added lines were indented like the file.',
};

async function pictureOf(
  pictures: Map<string, Picture>,
  section: PatchSection,
  place: Located,
  context: ToolContext,
): Promise<Picture> {
  const known = pictures.get(place.path);
  if (known !== undefined) return known;
  const before = await onDisk(section, place, context);
  const now = typeof before === 'object' ? before.text : before;
  const picture: Picture = { place, before, now, base: context.seen.get(place.path) };
  pictures.set(place.path, picture);
  return picture;
}

async function onDisk(section: PatchSection, place: Located, { sandbox }: ToolContext): Promise<FileChange['before']> {
  const stat = await sandbox.fs.stat(place.path).catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (stat === undefined) return undefined;
  if (stat.kind === 'directory') throw new ToolError(applyPatchPrompt.directory(place.shown, section.line));
  if (section.kind === 'update') return readTextTarget(sandbox, place);
  return readTextTarget(sandbox, place).catch((error) => {
    if (error instanceof ToolError) return 'binary' as const;
    throw error;
  });
}

async function present(picture: Picture, section: PatchSection, { sandbox }: ToolContext): Promise<void> {
  if (picture.now !== undefined) return;
  const missing = applyPatchPrompt.missing(section.line);
  if (picture.before !== undefined) throw new ToolError(missing(picture.place.shown, []));
  await existingTextTarget(sandbox, picture.place, missing);
}

async function textOf(picture: Picture, section: PatchSection, context: ToolContext): Promise<string> {
  await present(picture, section, context);
  return picture.now as string;
}

async function move(
  pictures: Map<string, Picture>,
  source: Picture,
  section: PatchSection,
  target: Located,
  context: ToolContext,
): Promise<void> {
  const picture = await pictureOf(pictures, section, target, context);
  if (picture === source) return;
  if (picture.now !== undefined) throw new ToolError(applyPatchPrompt.targetExists(target.shown, section.line));
  picture.now = source.now;
  picture.base = source.base;
  picture.from = source.from ?? source;
  source.now = undefined;
  source.base = undefined;
  delete source.from;
}

function changeOf(picture: Picture, _at: number, all: Picture[]): FileChange[] {
  const { place, before, now, from } = picture;
  if (now === undefined) {
    const wentElsewhere = all.some((other) => other.from === picture && isMove(other));
    return before === undefined || wentElsewhere ? [] : [{ kind: 'remove', place, before }];
  }
  if (from !== undefined && isMove(picture)) {
    const changed = typeof from.before === 'object' && from.before.text !== now;
    return [
      { kind: 'move', place, from: from.place, before: from.before, text: changed ? (now as string) : undefined },
    ];
  }
  if (typeof before === 'object' && before.text === now) return [];
  return [{ kind: 'write', place, before, text: now as string }];
}

/** A file that came from a path where nothing is left: moved as it is, so that its mode stays. */
function isMove({ from, before, now }: Picture): boolean {
  return (
    from !== undefined &&
    from.before !== undefined &&
    from.now === undefined &&
    before === undefined &&
    now !== undefined
  );
}
