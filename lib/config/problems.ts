// What is wrong with what a project brings, collected instead of thrown: one bad file takes only itself away.

/** One fault: where it is and what to do. */
export interface ConfigProblem {
  /** Below the project. */
  path: string;
  /** A sentence that names the key and the fact. */
  message: string;
  /** The key, its levels parted by dots: `permission.bash`. */
  key?: string;
  /** 1-based, where it is known. */
  line?: number;
  /** The whole file can't be read, so nothing of it is used. */
  isBroken?: true;
  /** What the file says and nobody uses here. */
  unused?: readonly string[];
}

/** Reads typed members of a hostile object; what has another type is reported and left out. */
export function membersOf(from: Record<string, unknown>, path: string, where: string, problems: ConfigProblem[]) {
  const read = (key: string, type: 'string' | 'boolean' | 'number') => {
    const value = from[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === type) return value;
    problems.push({
      path,
      message: `${where}${key} must be a ${type}, and it is ${shown(value)}: left out.`,
      key: where + key,
    });
    return undefined;
  };
  return {
    text: (key: string) => read(key, 'string') as string | undefined,
    flag: (key: string) => read(key, 'boolean') as boolean | undefined,
    /** A number above 0. */
    positive(key: string): number | undefined {
      const value = read(key, 'number') as number | undefined;
      if (value === undefined || (value > 0 && Number.isFinite(value))) return value;
      problems.push({
        path,
        message: `${where}${key} must be above 0, and it is ${value}: left out.`,
        key: where + key,
      });
      return undefined;
    },
    number: (key: string) => read(key, 'number') as number | undefined,
    /** Reports the keys that are not in the list. */
    reportUnknown(known: readonly string[]) {
      const unknown = Object.keys(from).filter((key) => !known.includes(key));
      if (unknown.length > 0)
        problems.push({
          path,
          message: `Not used here: ${unknown.map((key) => where + key).join(', ')}.`,
          key: where + unknown[0]!,
          unused: unknown,
        });
    },
  };
}

const foldedFrom = 4;

/** The same with keys that many Markdown files of a folder have and nobody uses said once: a long list hides what matters. */
export function foldUnused(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const byFolder = new Map<string, ConfigProblem[]>();
  for (const problem of problems) {
    if (problem.unused === undefined || !problem.path.endsWith('.md')) continue;
    const folder = problem.path.split('/').slice(0, 2).join('/');
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), problem]);
  }
  const folded = [...byFolder].filter(([, ones]) => ones.length >= foldedFrom);
  const gone = new Set(folded.flatMap(([, ones]) => ones));
  return [
    ...problems.filter((problem) => !gone.has(problem)),
    ...folded.map(([path, ones]) => {
      const keys = [...new Set(ones.flatMap(({ unused }) => unused ?? []))];
      return { path, message: `Not used here, in ${ones.length} files: ${keys.join(', ')}.`, unused: keys };
    }),
  ];
}

/** A value in a few words. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
