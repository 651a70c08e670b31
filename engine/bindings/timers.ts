// timers: the loop's clock and alarm for lib's timer lists.
import type { Binding } from '../process/environment';

export const timers: Binding = (environment) => {
  const { nodeLoop } = environment;
  const binding = environment.dumped('timers');
  const { hooks } = nodeLoop;
  hooks.immediateInfo = new Uint32Array(3);
  return Object.assign(binding, {
    setupTimers(processImmediate: () => void, processTimers: (now: number) => number) {
      hooks.processImmediate = () => processImmediate.call(environment.process);
      hooks.processTimers = (now) => processTimers.call(environment.process, now);
    },
    getLibuvNow: () => nodeLoop.now(),
    scheduleTimer: (delayMs: number) => nodeLoop.scheduleTimer(delayMs),
    toggleTimerRef: (referenced: boolean) => nodeLoop.setTimerReferenced(referenced),
    toggleImmediateRef: () => nodeLoop.wake(),
    immediateInfo: hooks.immediateInfo,
    timeoutInfo: new Int32Array(1),
  });
};
