// Who makes the edits that Monaco's language services ask for in several files (rename, quick fixes). Monaco wants to know it before it is used at all.
import type { IRange, Uri } from 'monaco-editor';

/** One change of one file, as language services give it. */
export interface RequestedEdit {
  resource: Uri;
  textEdit: { range: IRange; text: string };
  versionId?: number;
}

/** Makes all of them or none; `code` says what they are for. Never rejects. */
export type MakeEdits = (
  edits: readonly RequestedEdit[],
  code: string | undefined,
) => Promise<{ ariaSummary: string; isApplied: boolean }>;

let make: MakeEdits = async () => ({ ariaSummary: 'The project is not there yet', isApplied: false });

/** From now on these edits are made so. */
export function makeEditsBy(next: MakeEdits): void {
  make = next;
}

/** By Monaco's own names for the service and what it is asked. */
export const editsInMonaco = {
  IWorkspaceEditService: {
    hasPreviewHandler: () => false,
    apply: (asked: RequestedEdit[] | { edits: RequestedEdit[] }, options?: { code?: string }) =>
      make(Array.isArray(asked) ? asked : asked.edits, options?.code),
  },
};
