// What the model reads about multiedit.

export const multieditPrompt = {
  description: `Makes several replacements, in one file or in several, all of them or none.

- edits: each has path, oldString, newString, and optionally replaceAll or nearLine, exactly as in edit. Edits of one file are made in their order, each on the result of the one before.

Use it for a change that belongs together, such as a rename. Read the files first. If one edit can't be made, nothing is written.`,
  failed: (index: number, count: number, message: string) =>
    `Edit ${index} of ${count} can't be made, so nothing was changed. ${message}`,
};
