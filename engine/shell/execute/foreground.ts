// Job control of an interactive shell: every command gets a process group, the one in the foreground gets the keyboard's signals, and what is
// stopped comes back with `fg` and `bg`. Programs are stopped by the kernel at their next system call; what runs inside the shell, at its next
// read or write. A program that only computes cannot be held: it goes on until it calls the system.
import { COOKED } from '../os';
import { controlsJobs, type Shell } from '../state';
import { onChild } from './commands';
import { errorText, Killed, ShellError } from './control';
import { jobLine, SIGNAL_TEXT } from './job-line';
import type { Job, JobGroup } from './jobs';
import { runToEnd } from './run-to-end';

const IGNORED = ['SIGCHLD', 'SIGWINCH', 'SIGURG'];
const STOPS = ['SIGTSTP', 'SIGSTOP', 'SIGTTIN', 'SIGTTOU'];
const STOPPED_STATUS = 148;

/** What is to run. */
export interface JobRequest {
  command: string;
  /** The words of the one tool that it is; undefined for a copy of the shell, which has the shell's own words, as after a fork. */
  words?: string;
  /** It is one program, whose process id and group the job takes. */
  isProgram: boolean;
  body(child: Shell): Promise<number>;
  /** Called with the copy of the shell when the body has ended. */
  after?(child: Shell): void;
}

/** Starts a job in a copy of the shell. */
export async function startJob(shell: Shell, request: JobRequest, isBackground: boolean): Promise<Job> {
  const { os, jobs } = shell;
  const child = shell.copy();
  child.control = new AbortController();
  child.job = undefined;
  const group: JobGroup | undefined = controlsJobs(shell)
    ? {
        id: 0,
        join(pid) {
          if (this.id === 0) this.id = pid;
          os.setGroup(pid, this.id);
          if (job ? job.gate.inForeground : !isBackground) os.setForeground(0, this.id);
        },
      }
    : undefined;
  child.job = group;
  let job: Job | undefined;
  const outside = request.isProgram ? new Promise<number>((resolve) => onChild(child, resolve)) : undefined;
  const own = outside ? undefined : allocateJob(child, request.words);
  if (own !== undefined) {
    group?.join(own);
    child.jobPids = [...child.jobPids, own];
  }
  let finish: (status: number) => void = () => {};
  const finished = new Promise<number>((resolve) => {
    finish = resolve;
  });
  const started = own === undefined ? undefined : add(own, true);
  const task = runToEnd(child, () => request.body(child)).finally(() => {
    request.after?.(child);
    child.dispose();
  });
  job = started ?? (await Promise.race([outside!.then((pid) => add(pid, false)), task.then(() => undefined)]));
  job ??= add(os.allocateJob(request.words, shell.pid), true);
  const known = job;
  void task.then(async (status) => {
    // What ends while its job is stopped ends for the others when it goes on.
    while (known.gate.closed && !child.signal.aborted) await known.gate.closed;
    const inner = request.isProgram ? child.diedOf : undefined;
    const diedOf = child.signal.aborted ? (child.signal.reason as Killed).signal : inner;
    jobs.end(known, status, diedOf);
    finish(status);
  });
  return known;

  function add(pid: number, internal: boolean): Job {
    const { command } = request;
    return jobs.add({ pid, group, command, internal, finished, kill }, child.signal, isBackground);
  }

  function kill(signal: NodeJS.Signals): void {
    if (child.traps.has(signal)) {
      child.pendingSignals.push(signal);
      child.onPending?.();
    } else if (STOPS.includes(signal)) jobs.stopped(jobs.find(own ?? 0) ?? job!);
    else if (signal === 'SIGCONT') jobs.goOn(job!);
    else if (!IGNORED.includes(signal))
      child.control.abort(new Killed(signal, group !== undefined && (signal === 'SIGINT' || signal === 'SIGQUIT')));
  }
}

/** A process id for what runs inside the shell. Where none is left the command fails, and the shell that it was typed into goes on. */
function allocateJob(child: Shell, words: string | undefined): number {
  try {
    return child.os.allocateJob(words, child.pid);
  } catch (error) {
    child.dispose();
    throw new ShellError(`fork: ${errorText(error)}`, 254, 'line');
  }
}

/** Runs a command in the foreground as a job. An interrupt that ended it is thrown, as it ends what the command stands in. */
export async function runInForeground(shell: Shell, request: JobRequest): Promise<number> {
  return waitInForeground(shell, await startJob(shell, request, false));
}

/** Waits until the job has ended or is stopped; meanwhile it has the terminal. */
export async function waitInForeground(shell: Shell, job: Job): Promise<number> {
  const { os, jobs } = shell;
  job.gate.inForeground = true;
  if (job.group?.id && !job.ended) os.setForeground(0, job.group.id);
  const before = os.terminalModes(0) ?? COOKED;
  // A key may still have gone to the shell, before its first program was there.
  const forward = () => signalJob(job, (shell.signal.reason as Killed).signal);
  const forwardEarly = () => {
    const signal = shell.earlySignal;
    shell.earlySignal = undefined;
    if (signal) signalJob(job, signal);
  };
  if (shell.signal.aborted) forward();
  forwardEarly();
  shell.signal.addEventListener('abort', forward, { once: true });
  shell.onEarlySignal = forwardEarly;
  await Promise.race([job.finished, jobs.whenStopped(job)]);
  shell.onEarlySignal = undefined;
  shell.signal.removeEventListener('abort', forward);
  job.gate.inForeground = false;
  os.setForeground(0, 0);
  if (!job.ended) {
    job.modes = os.terminalModes(0);
    os.setTerminalModes(0, before);
    jobs.enlist(job);
    job.reported = true;
    await shell.write(2, `\n${jobLine(shell, job)}`);
    return STOPPED_STATUS;
  }
  jobs.remove(job);
  const { signal, status } = job.ended;
  if (!signal) return status;
  os.setTerminalModes(0, before);
  if (signal === 'SIGINT' && !shell.traps.has('SIGINT')) throw new Killed('SIGINT', true);
  if (signal === 'SIGINT') await shell.write(2, '\n');
  else if (signal !== 'SIGPIPE') await shell.write(2, `${SIGNAL_TEXT[signal] ?? signal}\n`);
  return status;
}

/** Lets a stopped job go on, in the foreground or in the background. */
export function resumeJob(shell: Shell, job: Job, isForeground: boolean): void {
  job.gate.inForeground = isForeground;
  if (isForeground) {
    if (job.modes) shell.os.setTerminalModes(0, job.modes);
    if (job.group?.id) shell.os.setForeground(0, job.group.id);
  }
  shell.jobs.resume(job);
}

/** Sends a signal to everything that belongs to the job. */
export function signalJob(job: Job, signal: NodeJS.Signals): void {
  if (job.group?.id) process.kill(-job.group.id, signal);
  else job.kill(signal);
}
