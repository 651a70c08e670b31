// What the model reads about bash.

export const bashPrompt = {
  description: `Runs a command line in bash, inside the browser's sandbox (Node, npm and the usual small Unix programs; no apt, no Python, no native binaries).

- command: the command line.
- timeoutMs: how long it may take (default 120000, at most 1800000); the person may give it more.
- workdir: the directory to run in (default: the project). Use it instead of cd.
- background: start it and go on, for servers and watchers. You get a job id; the job tool shows its log, waits for a port or a line, types into it and ends it.

Each call is a fresh shell: variables and cd don't last. Standard input is empty, so answer prompts with options (-y). Don't pipe through head or tail to save space; long output is shortened by itself and kept whole. To read, search or change files prefer read, grep, glob, edit and write. Run independent commands in parallel calls.`,
  missingDirectory: (path: string) => `The directory ${path} does not exist.`,
  noShell: 'This sandbox has no bash.',
  noPolicy:
    'This computer can’t keep a command from changing files, and you may only look: there is no shell for you here. Use read, grep and glob.',
  readOnly: (writable: readonly string[]) =>
    `You may only look: commands can write nowhere but in ${writable.join(', ')} (EROFS elsewhere), and don't see files with secrets.`,
  timedOut: (timeoutMs: number) =>
    `stopped after ${timeoutMs} ms; if it needs longer set timeoutMs, if it never ends set background`,
  cutLog: '[… the middle of the output was too long to keep …]',
  background: (id: string, pid: number, directory: string) =>
    `It runs in the background as ${id} (process ${pid}; in ${directory}).`,
  detached: 'The person let it go on in the background. Go on with something else, or wait for it with the job tool.',
  endedAlready: (end: string) => `It has already ended (${end}).`,
};
