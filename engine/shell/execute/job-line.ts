// How a job's state is told: `[1]+  Stopped                 sleep 5`.
import type { Shell } from '../state';
import { signalName } from './control';
import type { Job } from './jobs';

/** `[1]+  Running                 sleep 5 &`. */
export function jobLine(shell: Shell, job: Job, withPid = false): string {
  const [current, previous] = shell.jobs.recent();
  const mark = job === current ? '+' : job === previous ? '-' : ' ';
  const isRunning = !job.ended && !job.stopped;
  return `[${job.id}]${mark}  ${withPid ? `${job.pid} ` : ''}${stateText(job).padEnd(24)}${job.command}${isRunning ? ' &' : ''}\n`;
}

function stateText(job: Job): string {
  if (!job.ended) return job.stopped ? 'Stopped' : 'Running';
  const { status, signal } = job.ended;
  if (signal) return SIGNAL_TEXT[signal] ?? signal;
  if (status > 128) {
    const name = signalName(String(status - 128));
    if (name && SIGNAL_TEXT[name]) return SIGNAL_TEXT[name];
  }
  return status === 0 ? 'Done' : `Exit ${status}`;
}

/** What bash prints for a signal that has ended a command. */
export const SIGNAL_TEXT: Record<string, string> = {
  SIGTERM: 'Terminated',
  SIGKILL: 'Killed',
  SIGINT: 'Interrupt',
  SIGHUP: 'Hangup',
  SIGQUIT: 'Quit',
  SIGSEGV: 'Segmentation fault',
  SIGABRT: 'Aborted',
  SIGPIPE: 'Broken pipe',
};
