// The performance binding: clocks and milestones. A process worker is booted before it has a process, so time begins when a program starts.

import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';
import { Histogram, IntervalHistogram, setHistogramClock } from './histogram';

export const performance: Binding = ({ dumped, browser }) => {
  const binding = dumped('performance');
  const { constants } = binding;
  const milestones: Float64Array = new Float64Array(binding.milestones.length).fill(-1);
  const setOrigin = (ms: number): void => {
    milestones[constants.NODE_PERFORMANCE_MILESTONE_TIME_ORIGIN_TIMESTAMP] = (browser.timeOrigin + ms) * 1e3;
    for (const name of ['TIME_ORIGIN', 'ENVIRONMENT', 'NODE_START', 'V8_START']) {
      milestones[constants[`NODE_PERFORMANCE_MILESTONE_${name}`]] = ms * 1e6;
    }
  };
  setHistogramClock(browser.performanceNow);
  setOrigin(browser.performanceNow());
  const originMs = (): number => milestones[constants.NODE_PERFORMANCE_MILESTONE_TIME_ORIGIN] / 1e6;
  return Object.assign(binding, {
    milestones,
    observerCounts: new Uint32Array(binding.observerCounts.length),
    now: () => browser.performanceNow() - originMs(),
    markBootstrapComplete() {
      const now = browser.performanceNow();
      setOrigin(now);
      milestones[constants.NODE_PERFORMANCE_MILESTONE_BOOTSTRAP_COMPLETE] = now * 1e6;
      milestones[constants.NODE_PERFORMANCE_MILESTONE_LOOP_START] = now * 1e6;
    },
    // Called for entries that C++ makes (gc, http2, dns): here lib makes all that there are.
    setupObservers() {},
    notify() {},
    installGarbageCollectionTracking() {
      throw unsupported("PerformanceObserver for 'gc'");
    },
    removeGarbageCollectionTracking() {},
    /** The browser does not tell how long a worker slept. */
    loopIdleTime: () => 0,
    uvMetricsInfo: () => [0, 0, 0],
    Histogram,
    createELDHistogram: (resolutionMs: number) => new IntervalHistogram(resolutionMs, browser),
  });
};
