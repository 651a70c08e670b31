// worker: which thread this is. Starting threads is a later stage: the class throws by name.
import { unsupported } from '../process/dump';
import type { Binding } from '../process/environment';

export const worker: Binding = (environment) =>
  Object.assign(environment.dumped('worker'), {
    isMainThread: true,
    isInternalThread: false,
    ownsProcessState: true,
    threadId: 0,
    threadName: '',
    resourceLimits: new Float64Array(4),
    getEnvMessagePort: () => undefined,
    Worker: class Worker {
      constructor() {
        throw unsupported('worker_threads.Worker');
      }
    },
  });
