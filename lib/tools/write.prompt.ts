// What the model reads about write.

export const writePrompt = {
  description: `Creates a file or replaces all of it. Missing directories are created.

- path: the file, relative to the project or absolute.
- content: the whole new content.
- createOnly: refuse if the file exists, whatever you know of it.

To replace an existing file you must have read it. To change a part of a file, use edit.`,
  exists: (path: string) => `${path} exists already, and createOnly was set: nothing was written.`,
  unread: (path: string) =>
    `${path} exists and you have not read it. Read it first, or use edit to change a part of it.`,
  moved: (path: string, diff: string) =>
    `${path} was changed since you last read it, by the person or by a command. Since then:\n${diff}\nRead it again, then decide what to write.`,
  unchanged: (path: string) => `${path} already has exactly this content. Nothing was written.`,
};
