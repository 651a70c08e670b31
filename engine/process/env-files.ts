// --env-file and --env-file-if-exists, as node::InitializeNodeWithArgs reads them: in the order in which they are written, the last file wins, and what the
// environment has already stays.

/** What the files say. */
export interface EnvFiles {
  variables: Map<string, string>;
  /** For standard error: optional files that are not there. */
  notes: string[];
  /** The first file that must be there and is not. */
  problem: string | undefined;
}

/** Reads the files that `execArgv` names; `read` gives undefined for one that is not there, `parse` the variables of a text. */
export function readEnvFiles(
  execArgv: readonly string[],
  read: (path: string) => string | undefined,
  parse: (text: string) => Iterable<[string, string]>,
): EnvFiles {
  const found: EnvFiles = { variables: new Map(), notes: [], problem: undefined };
  for (const [at, word] of execArgv.entries()) {
    const option = /^--env[-_]file([-_]if[-_]exists)?(?:=([\s\S]*))?$/.exec(word);
    const path = option?.[2] ?? execArgv[at + 1];
    if (!option || path === undefined) continue;
    const text = read(path);
    if (text !== undefined) for (const [name, value] of parse(text)) found.variables.set(name, value);
    else if (option[1]) found.notes.push(`${path} not found. Continuing without it.`);
    else found.problem ??= `${path}: not found`;
  }
  return found;
}
