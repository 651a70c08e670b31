// The interactive shell: prompt, line, run, again. The terminal belongs to the line editor only while a line is being edited.
import fs from 'node:fs';
import path from 'node:path';
import { jobLine } from '../builtins/processes';
import { Discard, Exit, Killed, LoopExit, Return, ShellError } from '../execute/control';
import { promptText } from '../expand/prompt';
import { expandText } from '../expand/word';
import { parseScript } from '../parse';
import type { Shell } from '../state';
import { complete } from './completion';
import { loadHistory, remember } from './history';
import { readCommandLine } from './line-editor';

const DEFAULT_PROMPT = '\\[\\e[1;36m\\]\\w\\[\\e[0m\\] \\[\\e[1;32m\\]\\$\\[\\e[0m\\] ';
const START_PROMPT = '\x1b]633;A\x07';
const END_PROMPT = '\x1b]633;B\x07';
const START_OUTPUT = '\x1b]633;C\x07';
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** Reads and runs commands until `exit` or Ctrl-D. The result is the shell's exit status. */
export async function runInteractive(shell: Shell): Promise<number> {
  if (shell.vars.get('PS1') === undefined) shell.vars.set('PS1', DEFAULT_PROMPT);
  if (shell.vars.get('PS2') === undefined) shell.vars.set('PS2', '> ');
  if (shell.vars.get('HISTSIZE') === undefined) shell.vars.set('HISTSIZE', '1000');
  loadHistory(shell);
  shell.hideInput = hideInput;
  const interrupt = () => shell.control.abort(new Killed('SIGINT', true));
  process.on('SIGINT', interrupt);
  for (const ignored of ['SIGTERM', 'SIGQUIT', 'SIGTSTP', 'SIGTTOU', 'SIGTTIN'] as const) process.on(ignored, () => {});
  try {
    await readStartFile(shell);
    return await loop(shell);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

async function loop(shell: Shell): Promise<number> {
  let buffer = '';
  for (;;) {
    await reportJobs(shell);
    shell.control = new AbortController();
    const prompt = await promptText(shell, shell.vars.get(buffer === '' ? 'PS1' : 'PS2') ?? '', expandText);
    if (buffer === '' && shell.vars.get('PROMPT_COMMAND')) await guarded(shell, shell.vars.get('PROMPT_COMMAND')!);
    process.stdout.write(PASTE_ON + (buffer === '' ? START_PROMPT : ''));
    const read = await readCommandLine({
      prompt: prompt + (buffer === '' ? END_PROMPT : ''),
      history: shell.history,
      complete: (line) => complete(shell, line),
    });
    process.stdout.write(PASTE_OFF);
    if (read.kind === 'interrupted') {
      buffer = '';
      shell.status = 130;
      process.stdout.write('\x1b]633;D;130\x07');
      continue;
    }
    if (read.kind === 'end') {
      if (buffer !== '') {
        await shell.write(2, `${shell.name}: syntax error: unexpected end of file\n`);
        shell.status = 2;
        buffer = '';
        continue;
      }
      process.stdout.write('exit\n');
      return shell.status;
    }
    buffer = buffer === '' ? read.text : `${buffer}\n${read.text}`;
    if (buffer.trim() === '') {
      buffer = '';
      process.stdout.write('\x1b]633;D\x07');
      continue;
    }
    if (parseScript(buffer).error?.incomplete) continue;
    const command = buffer;
    buffer = '';
    remember(shell, command);
    process.stdout.write(START_OUTPUT);
    const ended = await guarded(shell, command);
    process.stdout.write(`\x1b]633;D;${shell.status}\x07`);
    if (ended !== undefined) return ended;
  }
}

/** Runs a text; whatever it throws ends only this command. The result is the status when the shell itself is to end. */
async function guarded(shell: Shell, text: string): Promise<number | undefined> {
  try {
    shell.status = await shell.executor.runText(shell, text, shell.name);
    if (shell.signal.aborted && shell.status === 130) process.stdout.write('\n');
  } catch (error) {
    if (error instanceof Exit) return error.status;
    if (error instanceof Return || error instanceof Discard) shell.status = error.status;
    else if (error instanceof LoopExit) shell.status = 0;
    else if (error instanceof Killed) {
      shell.status = error.status;
      if (error.signal === 'SIGINT') process.stdout.write('\n');
    } else if (error instanceof ShellError) {
      await shell.complain(error.message);
      shell.status = error.status;
    } else if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') shell.status = 141;
    else {
      await shell.write(2, `${shell.name}: internal error: ${(error as Error)?.stack ?? String(error)}\n`);
      shell.status = 1;
    }
  }
  shell.loops = 0;
  shell.quiet = 0;
  return undefined;
}

async function reportJobs(shell: Shell): Promise<void> {
  for (const job of shell.jobs.list()) {
    if (!job.ended) continue;
    await shell.write(2, jobLine(shell, job));
    shell.jobs.remove(job);
  }
}

async function readStartFile(shell: Shell): Promise<void> {
  const file = path.join(shell.vars.get('HOME') ?? shell.home(), '.bashrc');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return;
  }
  await guarded(shell, text);
}

/** No echo while a secret is typed; Enter arrives as a carriage return then. */
function hideInput(): () => void {
  process.stdin.setRawMode(true);
  return () => {
    process.stdin.setRawMode(false);
    process.stdout.write('\n');
  };
}
