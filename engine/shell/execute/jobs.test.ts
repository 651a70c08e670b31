// The list of jobs on a system that is played: what it says comes when it comes.
import { expect, test } from 'vitest';
import type { Os } from '../os';
import { Jobs } from './jobs';

function system() {
  let say: (pid: number, state: 'stopped' | 'running') => void = () => {};
  const continued: (() => void)[] = [];
  const os = {
    onJobSignal: () => () => {},
    onChildState(listener: typeof say) {
      say = listener;
      return () => {};
    },
    continueGroup: (_group: number, done: () => void) => void continued.push(done),
  };
  const jobs = new Jobs(os as unknown as Os);
  const job = jobs.add(
    {
      pid: 7,
      group: { id: 7, join() {} },
      command: 'cat',
      internal: false,
      finished: new Promise(() => {}),
      kill() {},
    },
    new AbortController().signal,
    true,
  );
  return { jobs, job, say: (state: 'stopped' | 'running') => say(7, state), continued };
}

test('a stop that the shell hears of only after fg has let the job go on is not taken for a new one', () => {
  const { jobs, job, say, continued } = system();
  jobs.resume(job);
  say('stopped');
  say('running');
  expect(job.stopped).toBe(0);
  continued[0]();
  say('stopped');
  expect(job.stopped).toBeGreaterThan(0);
});

test('let go on twice, the job hears of stops again after the second time', () => {
  const { jobs, job, say, continued } = system();
  jobs.resume(job);
  jobs.resume(job);
  continued[0]();
  say('stopped');
  expect(job.stopped).toBe(0);
  continued[1]();
  say('stopped');
  expect(job.stopped).toBeGreaterThan(0);
});
