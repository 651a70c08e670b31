// What the language service does in files that are not open. Monaco alone goes nowhere (F12 into another file), and changes a model that nobody saves
// (F2 across files): a rename would leave the program broken.
import type { IPosition, IRange, Uri } from 'monaco-editor';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { isInside } from '../../lib/std/paths';
import { decodeText, encodeText } from '../../lib/std/text-file';
import { type Changed, offerUndo, putBack } from '../files/put-back';
import { messageOf, showError, showToast } from '../ui/toasts';
import type { Documents } from './documents';
import { evenLines } from './file-view';
import { isBuffer, monaco } from './monaco';
import { withEdits } from './range-edits';
import { makeEditsBy, type RequestedEdit } from './requested-edits';

interface Project {
  sandbox: Sandbox;
  documents: Documents;
}

/** Lets the editors of this page reach the files of the project, until the returned function is called. */
export function reachFiles(reached: Project): () => void {
  makeEditsBy((edits, code) => makeEdits(reached, edits, code));
  const opener = monaco.editor.registerEditorOpener({
    openCodeEditor: (_, resource, place) => goTo(reached, resource, place),
  });
  // The other side of the editor may still reach them.
  return () => opener.dispose();
}

async function goTo({ sandbox, documents }: Project, { path }: Uri, place?: IRange | IPosition): Promise<boolean> {
  if (!isInside(path, sandbox.workdir) || !(await sandbox.fs.exists(path))) {
    showToast(`It is declared in ${path.slice(path.lastIndexOf('/') + 1)}, which is no file of the project.`);
    return true;
  }
  await documents.open(path, place && placeOf(place));
  return true;
}

function placeOf(place: IRange | IPosition): { line: number; column: number; length: number } {
  if ('lineNumber' in place) return { line: place.lineNumber, column: place.column, length: 0 };
  const length = place.startLineNumber === place.endLineNumber ? place.endColumn - place.startColumn : 0;
  return { line: place.startLineNumber, column: place.startColumn, length };
}

async function makeEdits(
  { sandbox, documents }: Project,
  edits: readonly RequestedEdit[],
  code: string | undefined,
): Promise<{ ariaSummary: string; isApplied: boolean }> {
  try {
    const changed = await change({ sandbox, documents }, edits);
    const files = changed.length === 1 ? '1 file' : `${changed.length} files`;
    const what = `${code?.includes('rename') ? 'Renamed' : 'Changed'} in ${files}`;
    // In the file that one looks at, Ctrl+Z is the way back.
    if (changed.length > 1) offerUndo(what, () => putBack(sandbox.fs, documents.buffers, changed));
    return { ariaSummary: what, isApplied: changed.length > 0 };
  } catch (error) {
    showError('Nothing was changed', error);
    return { ariaSummary: messageOf(error), isApplied: false };
  }
}

/** Judges everything before anything is changed. */
async function change({ sandbox, documents }: Project, edits: readonly RequestedEdit[]): Promise<Changed[]> {
  const work: { changed: Changed; make: () => Promise<void> | void }[] = [];
  for (const [path, ofFile] of Map.groupBy(edits, ({ resource }) => resource.path)) {
    const model = monaco.editor.getModel(ofFile[0]!.resource);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!model || !isInside(path, sandbox.workdir)) throw new Error(`${name} is no file of the project.`);
    const stale = new Error(`${name} has changed meanwhile. Try again.`);
    if (ofFile.some(({ versionId }) => versionId !== undefined && versionId !== model.getVersionId())) throw stale;
    const ranges = ofFile.map(({ textEdit }) => textEdit);
    const open = documents.files.get().get(path);
    if (isBuffer(model) && open?.view.kind === 'text') {
      if (open.view.readOnly || open.deleted || open.conflict !== undefined)
        throw new Error(`${name} can’t be changed as it is: look at its tab.`);
      const { shape } = open.view;
      const text = model.getValue();
      const before = encodeText(text, shape);
      const after = encodeText(withEdits(text, ranges), shape);
      const make = () => {
        model.pushStackElement();
        model.pushEditOperations(
          [],
          ranges.map((edit) => ({ ...edit, forceMoveMarkers: true })),
          () => [],
        );
        model.pushStackElement();
      };
      work.push({ changed: { path, before, after }, make });
      continue;
    }
    const before = new Uint8Array(await sandbox.fs.read(path));
    const decoded = decodeText(before);
    if (decoded.kind === 'binary' || evenLines(decoded.text) !== evenLines(model.getValue())) throw stale;
    const after = encodeText(withEdits(decoded.text, ranges), decoded);
    const make = async () => {
      await sandbox.fs.write(path, after);
      // It was made for the question; the service knows the file by its source.
      model.dispose();
    };
    work.push({ changed: { path, before, after }, make });
  }
  for (const { make } of work) await make();
  return work.map(({ changed }) => changed);
}
