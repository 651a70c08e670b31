// `node --run name`: a script of the nearest package.json, as src/node_task_runner.cc runs it: no `pre` and `post`, the folders' .bin in front of PATH.

/** What `--run` comes to: words for exec, with what they add to the environment; or what to say before exit code 1. */
export type ScriptRun = { argv: string[]; env: Record<string, string> } | { problem: string };

/** `read` gives a file's text or undefined. `words` follow the script's name. */
export function scriptRun(
  name: string,
  words: readonly string[],
  cwd: string,
  path: string,
  read: (path: string) => string | undefined,
): ScriptRun {
  const folders = [cwd];
  for (let folder = cwd; folder !== '/'; ) {
    folder = folder.slice(0, folder.lastIndexOf('/')) || '/';
    folders.push(folder);
  }
  const inFolder = (folder: string, file: string): string => `${folder === '/' ? '' : folder}/${file}`;
  const home = folders.find((folder) => read(inFolder(folder, 'package.json')) !== undefined);
  if (home === undefined) return { problem: `Can't find package.json for directory ${cwd}\n` };
  const file = inFolder(home, 'package.json');
  let scripts: unknown;
  try {
    scripts = JSON.parse(read(file) as string).scripts;
  } catch {
    return { problem: `Can't parse ${file}\n` };
  }
  if (typeof scripts !== 'object' || scripts === null) return { problem: `Can't find "scripts" field in ${file}\n` };
  const known = Object.entries(scripts);
  const command = known.find(([key]) => key === name)?.[1];
  if (command === undefined) {
    const list = known.map(([key, text]) => `  ${key}: ${text}\n`).join('');
    return { problem: `Missing script: "${name}" for ${file}\n\nAvailable scripts are:\n${list}` };
  }
  if (typeof command !== 'string') return { problem: `Script "${name}" is unexpectedly malformed for ${file}\n` };
  const bins = folders.slice(0, folders.indexOf(home) + 1).map((folder) => inFolder(folder, 'node_modules/.bin'));
  const whole = [command, ...words.map(quoted)].join(' ');
  return {
    // Whatever the script fails with, the exit code is 1.
    argv: ['sh', '-c', '/bin/sh -c "$0" || exit 1', whole],
    env: { PATH: [...bins, path].join(':'), NODE_RUN_SCRIPT_NAME: name, NODE_RUN_PACKAGE_JSON_PATH: file },
  };
}

function quoted(word: string): string {
  if (word === '') return "''";
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
