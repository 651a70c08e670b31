// Waiting for what a job does next: a port, words in its output, or its end.
import { abortError } from '../std/signals';
import type { Job } from './jobs';

/** Any of these ends the wait, and so does the end of the job. */
export interface JobCondition {
  /** A port of it, or any. */
  port?: number | 'any';
  /** In what it prints from now on, and in what it has printed. */
  pattern?: RegExp;
}

/** An expression takes a power of a line's length, and who prints chooses that. */
const maxLineChars = 500;

function shortLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.slice(0, maxLineChars))
    .join('\n');
}

/** Which of them came first. Rejects when the signal aborts; the job goes on. */
export function waitForJob(
  job: Job,
  { port, pattern }: JobCondition,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'port' | 'pattern' | 'ended' | 'timeout'> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', stop);
    };
    const settle = (outcome: 'port' | 'pattern' | 'ended' | 'timeout') => {
      end();
      resolve(outcome);
    };
    const stop = () => {
      end();
      reject(abortError(signal));
    };
    const look = () => {
      const { ports, end: ended } = job.view();
      if (port === 'any' ? ports.length > 0 : port !== undefined && ports.includes(port)) settle('port');
      else if (pattern?.test(shortLines(job.output.text()))) settle('pattern');
      else if (ended !== undefined) settle('ended');
    };
    const timer = setTimeout(() => settle('timeout'), timeoutMs);
    const unsubscribe = job.subscribe(look);
    signal.addEventListener('abort', stop, { once: true });
    look();
  });
}
