// The v8 binding. A browser tells little of its heap: what it tells is passed on, the rest of the figures are zero; what would change
// V8 (flags, snapshots, profiles) throws by name.
import type { Binding } from '../process/environment';

/** Chromium's, where workers have it; read at load as the global object is cleaned later. */
const memory: { usedJSHeapSize: number; totalJSHeapSize: number; jsHeapSizeLimit: number } | undefined = (
  globalThis as any
).performance?.memory;

/** V8's limit in a 64-bit browser. */
const HEAP_LIMIT = 4 * 2 ** 30;
const LATIN1 = /^[\0-\xff]*$/;

export const v8: Binding = ({ dumped }) => {
  const binding = dumped('v8');
  const statistics = new Float64Array(binding.heapStatisticsBuffer.length);
  const code = new Float64Array(binding.heapCodeStatisticsBuffer.length);
  const space = new Float64Array(binding.heapSpaceStatisticsBuffer.length);
  return Object.assign(binding, {
    heapStatisticsBuffer: statistics,
    heapCodeStatisticsBuffer: code,
    heapSpaceStatisticsBuffer: space,
    updateHeapStatisticsBuffer() {
      const used = memory?.usedJSHeapSize ?? 0;
      const total = memory?.totalJSHeapSize ?? 0;
      const limit = memory?.jsHeapSizeLimit ?? HEAP_LIMIT;
      statistics[binding.kTotalHeapSizeIndex] = total;
      statistics[binding.kTotalPhysicalSizeIndex] = total;
      statistics[binding.kTotalAvailableSize] = limit - used;
      statistics[binding.kUsedHeapSizeIndex] = used;
      statistics[binding.kHeapSizeLimitIndex] = limit;
      statistics[binding.kNumberOfNativeContextsIndex] = 1;
    },
    updateHeapSpaceStatisticsBuffer() {},
    updateHeapCodeStatisticsBuffer() {},
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
