// What *Run* does: decided by package.json alone, so that the button and the person's own `npm run …` are the same thing.

/** A command line for the shell, with the name of its terminal; or why there is nothing to run. */
export type RunPlan = { kind: 'run'; title: string; command: string } | { kind: 'nothing'; reason: string };

/** `dev` is what one wants while editing; then what npm itself would start; then the tests. */
const preferred = ['dev', 'start', 'serve', 'preview', 'test'] as const;

/** Plans *Run* from the text of package.json (undefined: there is none) and what else is there. */
export function planRun(project: { packageJson?: string; hasNodeModules: boolean; files: string[] }): RunPlan {
  if (project.packageJson === undefined) return planWithoutPackage(project.files);
  const parsed = parsePackage(project.packageJson);
  if (parsed === undefined) return { kind: 'nothing', reason: 'package.json is not valid JSON.' };
  const script = preferred.find((name) => typeof parsed.scripts[name] === 'string' && !isNpmStub(parsed.scripts[name]));
  const command = script === undefined ? mainCommand(parsed.main, project.files) : scriptCommand(script);
  if (command === undefined) return { kind: 'nothing', reason: 'package.json has no script named dev, start or test.' };
  const install = parsed.needsInstall && !project.hasNodeModules;
  return { kind: 'run', title: command, command: install ? `npm install && ${command}` : command };
}

function scriptCommand(script: string): string {
  return script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;
}

function planWithoutPackage(files: string[]): RunPlan {
  const command = mainCommand(undefined, files);
  if (command !== undefined) return { kind: 'run', title: command, command };
  return { kind: 'nothing', reason: 'There is no package.json with a start script.' };
}

function mainCommand(main: string | undefined, files: string[]): string | undefined {
  const candidates = [main, 'index.js', 'index.mjs', 'index.ts', 'main.js', 'server.js'];
  const found = candidates.find((file) => file !== undefined && files.includes(file.replace(/^\.\//, '')));
  return found === undefined ? undefined : `node ${quoted(found)}`;
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** What `npm init` writes when it knows nothing. */
function isNpmStub(script: unknown): boolean {
  return typeof script === 'string' && script.includes('no test specified');
}

function parsePackage(text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const record = value as Record<string, unknown>;
  const object = (key: string) =>
    typeof record[key] === 'object' && record[key] !== null ? (record[key] as Record<string, unknown>) : {};
  return {
    scripts: object('scripts'),
    main: typeof record.main === 'string' ? record.main : undefined,
    needsInstall: Object.keys(object('dependencies')).length + Object.keys(object('devDependencies')).length > 0,
  };
}
