// What is wrong with what a project brings, collected instead of thrown: one bad file takes only itself away.

/** One fault: where it is and what to do. */
export interface ConfigProblem {
  /** Below the project. */
  path: string;
  /** A sentence that names the key and the fact. */
  message: string;
}

/** Reads typed members of a hostile object; what has another type is reported and left out. */
export function membersOf(from: Record<string, unknown>, path: string, where: string, problems: ConfigProblem[]) {
  const read = (key: string, type: 'string' | 'boolean' | 'number') => {
    const value = from[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === type) return value;
    problems.push({ path, message: `${where}${key} must be a ${type}, and it is ${shown(value)}: left out.` });
    return undefined;
  };
  return {
    text: (key: string) => read(key, 'string') as string | undefined,
    flag: (key: string) => read(key, 'boolean') as boolean | undefined,
    number: (key: string) => read(key, 'number') as number | undefined,
    /** Reports the keys that are not in the list. */
    reportUnknown(known: readonly string[]) {
      const unknown = Object.keys(from).filter((key) => !known.includes(key));
      if (unknown.length > 0)
        problems.push({ path, message: `Not used here: ${unknown.map((key) => where + key).join(', ')}.` });
    },
  };
}

/** A value in a few words. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A plain object? */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
