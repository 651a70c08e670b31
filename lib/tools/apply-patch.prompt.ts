// What the model reads about apply_patch.

export const applyPatchPrompt = {
  description: `Changes, adds, moves and deletes files with one patch, all of it or nothing.

- patch: text of this form:

*** Begin Patch
*** Update File: src/a.ts
@@ function greet() {
   const name = read();
-  print('hi');
+  print('hello');
*** Update File: src/old.ts
*** Move to: src/new.ts
*** Add File: src/b.ts
+export const b = 1;
*** Delete File: src/c.ts
*** End Patch

Each line of a change begins with a blank (context), - (removed) or + (added). A chunk begins with @@, which may name a line above it when the context is not unique. After the last chunk, *** End of File says that it ends the file. Paths are relative to the project. Read a file before you update it.`,
  exists: (path: string, line: number) =>
    `Line ${line} of the patch adds ${path}, which exists already. Use *** Update File for it, or delete it first. Nothing was changed.`,
  targetExists: (path: string, line: number) =>
    `Line ${line} of the patch moves a file to ${path}, which exists already. Delete it first or choose another name. Nothing was changed.`,
  missing: (line: number) => (path: string, near: string[]) =>
    `Line ${line} of the patch names ${path}, which does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} Nothing was changed.`,
  directory: (path: string, line: number) =>
    `Line ${line} of the patch names ${path}, which is a directory. A patch changes files only. Nothing was changed.`,
  unchanged: 'The patch leaves every file as it is. Nothing was written.',
};
