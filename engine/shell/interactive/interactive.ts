// The interactive shell: prompt, line, run, again. The terminal belongs to the line editor only while a line is being edited.
import fs from 'node:fs';
import path from 'node:path';
import { Discard, Exit, Killed, LoopExit, Return, ShellError } from '../execute/control';
import { signalJob } from '../execute/foreground';
import { jobLine } from '../execute/job-line';
import type { Job } from '../execute/jobs';
import { promptText } from '../expand/prompt';
import { expandText } from '../expand/word';
import { COOKED, RAW } from '../os';
import { parseScript } from '../parse';
import type { Shell } from '../state';
import { entriesOf } from '../variables';
import { complete } from './completion';
import { joinLines, loadHistory, remember } from './history';
import { expandHistory } from './history-expansion';
import { type EditorResult, readCommandLine } from './line-editor';
import type { EditorMemory } from './line-state';
import { terminalKeys } from './terminal-keys';
import { sayTitle } from './window-title';

const DEFAULT_PROMPT = '\\[\\e[1;36m\\]\\w\\[\\e[0m\\] \\[\\e[1;32m\\]\\$\\[\\e[0m\\] ';
const DEFAULTS = { PS1: DEFAULT_PROMPT, PS2: '> ', HISTSIZE: '1000', HISTFILESIZE: '2000', HISTCONTROL: 'ignoreboth' };
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

/** Reads and runs commands until `exit` or Ctrl-D. The result is the shell's exit status. */
export async function runInteractive(shell: Shell): Promise<number> {
  for (const [name, value] of Object.entries(DEFAULTS))
    if (shell.vars.get(name) === undefined) shell.vars.set(name, value);
  loadHistory(shell);
  noteSize(shell);
  const memory: EditorMemory = { kills: [], search: '' };
  shell.editLine = (prompt, initial) => editLine(shell, memory, prompt, [], initial);
  const interrupt = () => shell.control.abort(new Killed('SIGINT', true));
  process.on('SIGINT', interrupt);
  process.on('SIGHUP', () => {
    // The window is gone, and with it the reason for what was started from here.
    for (const job of shell.jobs.list())
      if (!job.ended) for (const signal of ['SIGHUP', 'SIGCONT'] as const) hangUp(job, signal);
    process.exit(129);
  });
  for (const ignored of ['SIGTERM', 'SIGTTOU', 'SIGTTIN'] as const) process.on(ignored, () => {});
  for (const key of ['SIGQUIT', 'SIGTSTP'] as const)
    process.on(key, () => {
      shell.earlySignal = key;
      shell.onEarlySignal?.();
    });
  try {
    await readStartFile(shell);
    return await loop(shell, memory);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function hangUp(job: Job, signal: NodeJS.Signals): void {
  try {
    signalJob(job, signal);
  } catch {
    // It has ended in this moment.
  }
}

/** A command of one or more lines, as it is typed. */
interface Typed {
  text: string;
  /** The same as one entry of the history. */
  entry: string;
}

async function loop(shell: Shell, memory: EditorMemory): Promise<number> {
  let typed: Typed | undefined;
  for (;;) {
    await reportJobs(shell);
    shell.control = new AbortController();
    shell.earlySignal = undefined;
    if (!typed)
      for (const [, text] of entriesOf(shell.vars.find('PROMPT_COMMAND')?.value))
        if (text !== '') await guarded(shell, text);
    const prompt = await promptText(shell, shell.vars.get(typed ? 'PS2' : 'PS1') ?? '', expandText);
    if (!typed) sayTitle(shell, '');
    if (!typed) markOpenRow(shell);
    const read = await editLine(shell, memory, prompt, shell.history);
    switch (read.kind) {
      case 'interrupted':
        typed = undefined;
        shell.status = 130;
        break;
      case 'end': {
        if (!typed) {
          shell.commandNumber++;
          const ended = await guarded(shell, 'exit');
          if (ended !== undefined) return ended;
          break;
        }
        const message = parseScript(typed.text).error?.message || 'syntax error: unexpected end of file';
        await shell.write(2, `${shell.name}: ${message}\n`);
        shell.status = 2;
        typed = undefined;
        break;
      }
      case 'line': {
        // What was pasted in one piece runs line by line, each a command of the history.
        for (const line of read.text.split('\n')) {
          const taken = await takeLine(shell, typed, line);
          if (typeof taken === 'number') return taken;
          typed = taken === 'dropped' ? undefined : taken;
          if (taken === 'dropped') break;
        }
      }
    }
  }
}

/** A typed line: runs the command that it completes. The result is what still waits for more, or the status with which the shell ends. */
async function takeLine(
  shell: Shell,
  before: Typed | undefined,
  read: string,
): Promise<Typed | number | 'dropped' | undefined> {
  const line = await expandLine(shell, read);
  if (line === undefined) return 'dropped';
  const typed = before ? addLine(before, line) : { text: line, entry: line };
  if (typed.text.trim() === '') return undefined;
  if (parseScript(typed.text).error?.incomplete) return typed;
  remember(shell, typed.entry);
  shell.commandNumber++;
  sayTitle(shell, typed.text);
  const announced = await promptText(shell, shell.vars.get('PS0') ?? '', expandText);
  if (announced !== '') await shell.write(2, announced);
  const ended = await guarded(shell, typed.text);
  noteSize(shell);
  return ended ?? (shell.signal.aborted ? 'dropped' : undefined);
}

/** A line behind others: where it is text, not a command, the history keeps the newline. */
function addLine({ text, entry }: Typed, line: string): Typed {
  const { error } = parseScript(text);
  const isHereDocument = error?.message === '' && !text.endsWith('\\');
  const isText = isHereDocument || /matching `['"`)}]/.test(error?.message ?? '');
  const joined = joinLines(entry, line, isText);
  const isOver = isHereDocument && !parseScript(`${text}\n${line}`).error;
  return { text: `${text}\n${line}`, entry: isOver ? `${joined}\n` : joined };
}

/** The line after `!!` and its like; undefined when that failed. What has changed is shown. */
async function expandLine(shell: Shell, line: string): Promise<string | undefined> {
  if (!shell.options.histexpand) return line;
  const expanded = expandHistory(line, shell.history);
  if ('error' in expanded) {
    await shell.write(2, `${shell.name}: ${expanded.error}\n`);
    return undefined;
  }
  if (expanded.changed) await shell.write(2, `${expanded.text}\n`);
  if (expanded.isShownOnly) {
    remember(shell, expanded.text);
    return undefined;
  }
  return expanded.text;
}

/** Edits one line on the shell's terminal, which is in raw mode only meanwhile. */
async function editLine(
  shell: Shell,
  memory: EditorMemory,
  prompt: string,
  history: readonly string[],
  initial = '',
): Promise<EditorResult> {
  const { os } = shell;
  let resized = (): void => {};
  const canvas = {
    size: () => os.terminalSize(0) ?? { columns: 80, rows: 24 },
    write: (text: string) => void fs.writeSync(2, text),
  };
  const redraw = () => {
    noteSize(shell);
    resized();
  };
  const before = os.terminalModes(0) ?? COOKED;
  os.setTerminalModes(0, RAW);
  process.on('SIGWINCH', redraw);
  canvas.write(PASTE_ON);
  try {
    return await readCommandLine({
      prompt,
      initial,
      history,
      memory,
      complete: (line) => complete(shell, line),
      next: terminalKeys(os, 0),
      canvas,
      onRedraw: (draw) => (resized = draw),
    });
  } finally {
    process.off('SIGWINCH', redraw);
    canvas.write(PASTE_OFF);
    os.setTerminalModes(0, before);
  }
}

/** Output that ends without a newline keeps its row: a mark is put behind it, and as many blanks as a row has lead to the next one. */
function markOpenRow(shell: Shell): void {
  const columns = shell.os.terminalSize(0)?.columns ?? 80;
  fs.writeSync(2, `\x1b[2m⏎\x1b[22m${' '.repeat(columns - 1)}\r\x1b[K`);
}

/** COLUMNS and LINES follow the window, as bash's checkwinsize has it. */
function noteSize(shell: Shell): void {
  const size = shell.os.terminalSize(0);
  if (!size || !shell.shopts.has('checkwinsize')) return;
  shell.vars.set('COLUMNS', String(size.columns));
  shell.vars.set('LINES', String(size.rows));
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
    if (!job.ended && (!job.stopped || job.reported)) continue;
    await shell.write(2, jobLine(shell, job));
    job.reported = true;
    if (job.ended) shell.jobs.remove(job);
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
