// The v8 binding. A browser tells nothing of the heap of a worker: the figures are zero, and who asks is told so; what would change V8 (flags,
// snapshots, profiles) throws by name.
import type { Binding } from '../process/environment';
import { sayHeapUnknown } from './unknown-heap';

/** V8's limit in a 64-bit browser. */
const HEAP_LIMIT = 4 * 2 ** 30;
const LATIN1 = /^[\0-\xff]*$/;

export const v8: Binding = (environment) => {
  const binding = environment.dumped('v8');
  const statistics = new Float64Array(binding.heapStatisticsBuffer.length);
  const code = new Float64Array(binding.heapCodeStatisticsBuffer.length);
  const space = new Float64Array(binding.heapSpaceStatisticsBuffer.length);
  return Object.assign(binding, {
    heapStatisticsBuffer: statistics,
    heapCodeStatisticsBuffer: code,
    heapSpaceStatisticsBuffer: space,
    updateHeapStatisticsBuffer() {
      sayHeapUnknown(environment, 'v8.getHeapStatistics()');
      statistics[binding.kTotalAvailableSize] = HEAP_LIMIT;
      statistics[binding.kHeapSizeLimitIndex] = HEAP_LIMIT;
      statistics[binding.kNumberOfNativeContextsIndex] = 1;
    },
    updateHeapSpaceStatisticsBuffer: () => sayHeapUnknown(environment, 'v8.getHeapSpaceStatistics()'),
    updateHeapCodeStatisticsBuffer: () => sayHeapUnknown(environment, 'v8.getHeapCodeStatistics()'),
    /** Changes with the wire format; code caches are not used. */
    cachedDataVersionTag: () => 0xc10c4e01,
    isStringOneByteRepresentation: (text: string) => LATIN1.test(text),
  });
};

/** queryObjects walks V8's heap, which a browser forbids: the dumped placeholder throws. */
export const internalOnlyV8: Binding = ({ reader }) =>
  reader.revive({ queryObjects: { $fn: 'queryObjects', statics: {} } }, 'internal_only_v8');

/** Heap snapshots: placeholders that throw by name. */
export const heapUtils: Binding = ({ dumped }) => dumped('heap_utils');
