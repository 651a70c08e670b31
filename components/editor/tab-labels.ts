// Names of tabs: the file's own, with as much of its folder as tells it from the others of that name.

/** For tabs whose name is not unique: the shortest end of the folder that is. */
export function tabLabels(paths: readonly string[]): Map<string, string> {
  const labels = new Map<string, string>();
  const byName = Map.groupBy(paths, (path) => path.slice(path.lastIndexOf('/') + 1));
  for (const same of byName.values()) {
    if (same.length < 2) continue;
    for (const path of same) {
      const folders = path.split('/').slice(0, -1);
      let count = 1;
      const end = (of: string, length: number) => of.split('/').slice(0, -1).slice(-length).join('/');
      while (count < folders.length && same.some((other) => other !== path && end(other, count) === end(path, count)))
        count++;
      labels.set(path, end(path, count) || '/');
    }
  }
  return labels;
}
