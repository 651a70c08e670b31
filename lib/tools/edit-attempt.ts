// One edit judged against the version of the file that the model knows: what the person or a command changed since is never run over.
import { lineMoves } from '../std/line-diff';
import { editPrompt } from './edit.prompt';
import { type AppliedEdit, applyEdit, type EditRequest, nearestExcerpt } from './edit-apply';
import { ToolError } from './tool';

export interface AttemptedEdit {
  applied: AppliedEdit;
  /** The file is not what the model saw, and the edit was made on what it is now. */
  moved: boolean;
  /** What it would have made of what the model saw, where that still counts. */
  base?: string;
}

/** The edit of `text`; `base` is what the model last saw of it. ToolErrors say what to do next. */
export function attemptEdit(shown: string, text: string, base: string | undefined, edit: EditRequest): AttemptedEdit {
  const moved = base !== undefined && base !== text;
  if (moved && !edit.replaceAll && matches(base, edit)) return movedOver(shown, text, base, edit);
  try {
    return { applied: applyEdit(shown, text, edit, base === undefined || moved), moved };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (moved && matches(base, edit))
      throw new ToolError(editPrompt.moved(shown, nearestExcerpt(text, edit.oldString)));
    if (base === undefined && matches(text, edit)) throw new ToolError(editPrompt.unread(shown));
    throw error;
  }
}

/** Made where the model saw it, if nobody has changed that: the same words may stand elsewhere by now. */
function movedOver(shown: string, text: string, base: string, edit: EditRequest): AttemptedEdit {
  const onBase = applyEdit(shown, base, edit);
  const at = lineMoves(base, text)(onBase.firstLine - 1, onBase.oldLines);
  const applied = at === undefined ? undefined : applyEdit(shown, text, { ...edit, nearLine: at + 1 });
  if (applied === undefined || applied.firstLine !== at! + 1)
    throw new ToolError(editPrompt.moved(shown, nearestExcerpt(text, edit.oldString)));
  return { applied, moved: true, base: onBase.text };
}

function matches(text: string, edit: EditRequest): boolean {
  try {
    applyEdit('', text, edit);
    return true;
  } catch {
    return false;
  }
}

/** What the model is told about a finished edit, in words that stand before the diff. */
export function describeEdit({ applied, moved }: AttemptedEdit): { where: string; notes: string[] } {
  const where =
    applied.replacements > 1
      ? `${applied.replacements} replacements, the first at line ${applied.firstLine}`
      : applied.firstLine === applied.lastLine
        ? `line ${applied.firstLine}`
        : `lines ${applied.firstLine}-${applied.lastLine}`;
  const notes = [
    strategyNotes[applied.strategy],
    moved ? editPrompt.movedOver : '',
    applied.splitsWord ? 'Careful: oldString began or ended in the middle of a word.' : '',
  ];
  return { where: `${where}; match: ${applied.strategy}`, notes: notes.filter((note) => note !== '') };
}

const strategyNotes: Record<AppliedEdit['strategy'], string> = {
  exact: '',
  unicode: 'It matched after treating typographic quotes, dashes and spaces like plain ones.',
  'trailing-blanks': 'It matched after ignoring blanks at the ends of lines.',
  indentation: 'It matched with a different indentation; newString was indented like the file.',
};
