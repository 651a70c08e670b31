// task_queue: nextTick's state and promise rejections. The browser drains microtasks between the loop's callbacks, so runMicrotasks
// has nothing to do, and a tick scheduled from a microtask wakes the loop.
import { currentFrame, runInFrame, setCurrentFrame } from '../modules/context-frame';
import type { Binding } from '../process/environment';
import { tellOfSettledAgain } from '../process/promise-makers';
import { frameOfRejection, recordSettled } from '../process/promise-states';

export const taskQueue: Binding = (environment) => {
  const { browser, nodeLoop, exceptions, exitSignal } = environment;
  const binding = environment.dumped('task_queue');
  const { kPromiseRejectWithNoHandler, kPromiseHandlerAddedAfterReject } = binding.promiseRejectEvents;
  const flags = [0, 0];
  const tickInfo = {
    get 0() {
      return flags[0];
    },
    set 0(value: number) {
      flags[0] = value;
      if (value) nodeLoop.wake();
    },
    get 1() {
      return flags[1];
    },
    set 1(value: number) {
      flags[1] = value;
      if (value) nodeLoop.wake();
    },
  };
  nodeLoop.hooks.tickInfo = tickInfo;
  let rejectCallback: ((event: number, promise: Promise<unknown>, reason: unknown) => void) | undefined;
  const report = (event: number, promise: Promise<unknown>, reason: unknown): void => {
    if (!rejectCallback) return;
    const callback = rejectCallback;
    runInFrame(frameOfRejection(promise, reason), () => callback(event, promise, reason));
    nodeLoop.wake();
  };
  browser.addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    recordSettled(event.promise, true, event.reason);
    if (event.reason !== exitSignal) report(kPromiseRejectWithNoHandler, event.promise, event.reason);
  });
  browser.addEventListener('rejectionhandled', (event) =>
    report(kPromiseHandlerAddedAfterReject, event.promise, undefined),
  );

  return Object.assign(binding, {
    tickInfo,
    setTickCallback(callback: () => void) {
      nodeLoop.hooks.tickCallback = () => callback.call(environment.process);
    },
    enqueueMicrotask(callback: () => void) {
      const frame = currentFrame();
      browser.queueMicrotask(() => {
        const outer = currentFrame();
        setCurrentFrame(frame);
        try {
          callback();
        } catch (error) {
          if (error !== exitSignal) exceptions.trigger(error, false);
        } finally {
          setCurrentFrame(outer);
        }
      });
    },
    runMicrotasks() {},
    setPromiseRejectCallback(callback: typeof rejectCallback) {
      rejectCallback = callback;
      const { kPromiseRejectAfterResolved, kPromiseResolveAfterResolved } = binding.promiseRejectEvents;
      tellOfSettledAgain((promise, value, isRejection) =>
        callback?.(
          isRejection ? kPromiseRejectAfterResolved : kPromiseResolveAfterResolved,
          promise as Promise<unknown>,
          value,
        ),
      );
    },
  });
};
