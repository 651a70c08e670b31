// Files and folders that were dropped or chosen, as a flat list with relative paths. Folders come through the entries API, binary or not.

/** Stops a drop that was surely a mistake (a home folder). */
export const maxDroppedFiles = 50_000;

/** All files below what was dropped. Must be called in the drop event itself: the browser forgets the items afterwards. */
export function droppedFiles(transfer: DataTransfer): Promise<{ path: string; contents: Blob }[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  // Some sources (and older browsers) give plain files only.
  if (entries.length === 0)
    return Promise.resolve([...transfer.files].map((file) => ({ path: file.name, contents: file })));
  return collect(entries);
}

async function collect(entries: FileSystemEntry[]): Promise<{ path: string; contents: Blob }[]> {
  const files: { path: string; contents: Blob }[] = [];
  const visit = async (entry: FileSystemEntry, prefix: string): Promise<void> => {
    if (files.length >= maxDroppedFiles)
      throw new Error(
        `More than ${maxDroppedFiles.toLocaleString('en')} files were dropped. Drop a smaller folder: without node_modules, which npm install makes again.`,
      );
    const path = prefix + entry.name;
    if (entry.isFile) {
      const contents = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
      files.push({ path, contents });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      // A reader gives at most a hundred entries at a time.
      const batch = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (batch.length === 0) return;
      for (const child of batch) await visit(child, `${path}/`);
    }
  };
  for (const entry of entries) await visit(entry, '');
  return files;
}
