// The performance binding: clocks and milestones. A process worker is booted before it has a process, so time begins when a program starts.

import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { Histogram, IntervalHistogram, setHistogramClock } from './histogram';
import { hrtimeOrigin } from './process-methods';

export const performance: Binding = ({ dumped, browser, nodeLoop }) => {
  const binding = dumped('performance');
  const { constants } = binding;
  const milestones: Float64Array = new Float64Array(binding.milestones.length).fill(-1);
  /** The clock of process.hrtime, in milliseconds. */
  const now = (): number => browser.performanceNow() + hrtimeOrigin(browser);
  const setOrigin = (ms: number): void => {
    milestones[constants.NODE_PERFORMANCE_MILESTONE_TIME_ORIGIN_TIMESTAMP] =
      (browser.timeOrigin + ms - hrtimeOrigin(browser)) * 1e3;
    for (const name of ['TIME_ORIGIN', 'ENVIRONMENT', 'NODE_START', 'V8_START']) {
      milestones[constants[`NODE_PERFORMANCE_MILESTONE_${name}`]] = ms * 1e6;
    }
  };
  setHistogramClock(browser.performanceNow);
  setOrigin(now());
  const originMs = (): number => milestones[constants.NODE_PERFORMANCE_MILESTONE_TIME_ORIGIN] / 1e6;
  return Object.assign(binding, {
    milestones,
    observerCounts: new Uint32Array(binding.observerCounts.length),
    now: () => now() - originMs(),
    markBootstrapComplete() {
      const started = now();
      setOrigin(started);
      nodeLoop.idleMs = 0;
      milestones[constants.NODE_PERFORMANCE_MILESTONE_BOOTSTRAP_COMPLETE] = started * 1e6;
      milestones[constants.NODE_PERFORMANCE_MILESTONE_LOOP_START] = started * 1e6;
    },
    // Called for entries that C++ makes (gc, http2, dns): here lib makes all that there are.
    setupObservers() {},
    notify() {},
    installGarbageCollectionTracking() {
      throw unsupported("PerformanceObserver for 'gc'");
    },
    removeGarbageCollectionTracking() {},
    loopIdleTime: () => nodeLoop.idleMs,
    // Nothing waits in a queue of the system's: what is ready is run in the same round.
    uvMetricsInfo: () => [nodeLoop.rounds, nodeLoop.events, 0],
    Histogram,
    createELDHistogram: (resolutionMs: number) => new IntervalHistogram(resolutionMs, browser),
  });
};
