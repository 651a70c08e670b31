// How long the tasks of a page's main thread are while something is done in it: by the clock, as a person feels it, and by the processor, which is
// the same on a machine where others are at work.
import type { Page } from '@playwright/test';

/** Of the longest task, in milliseconds. */
export interface LongestTask {
  wallMs: number;
  cpuMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds: by the clock and of the thread. */
  dur?: number;
  tdur?: number;
  args?: { name?: string; data?: { frames?: { processId: number; parent?: string }[] } };
}

/** Traces the page while `work` runs. */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<LongestTask> {
  const client = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  client.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'] },
  });
  await work();
  const complete = new Promise<void>((resolve) => client.once('Tracing.tracingComplete', () => resolve()));
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  const outermost = events
    .flatMap((event) => event.args?.data?.frames ?? [])
    .find((frame) => frame.parent === undefined);
  const main = events.find(
    ({ name, pid, args }) => name === 'thread_name' && args?.name === 'CrRendererMain' && pid === outermost?.processId,
  );
  if (main === undefined) throw new Error('the trace does not name the main thread of the page');
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && pid === main.pid && tid === main.tid,
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks of the page');
  return {
    wallMs: Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1000,
    cpuMs: Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000,
  };
}
