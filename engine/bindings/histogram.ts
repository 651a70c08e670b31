// HdrHistogram (HdrHistogram_c) as perf_hooks needs it: counts in buckets whose width doubles, so that the relative error is bounded.
// Values are doubles below 2^53; statistics of Node 24.21 that are not here (t-tests and the like) throw by name.
import { unsupported } from '../process/dump';
import type { BrowserGlobals } from '../process/environment';

const INT64_MAX = 2n ** 63n - 1n;

export class Histogram {
  readonly #unitMagnitude: number;
  readonly #halfMagnitude: number;
  readonly #halfCount: number;
  readonly #highest: number;
  #counts: Float64Array;
  #total = 0;
  #exceeds = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;
  #previousNs = 0;

  constructor(lowest: number | bigint = 1, highest: number | bigint = Number.MAX_SAFE_INTEGER, figures = 3) {
    this.#unitMagnitude = Math.floor(Math.log2(Number(lowest)));
    this.#halfMagnitude = Math.max(Math.ceil(Math.log2(2 * 10 ** figures)), 1) - 1;
    this.#halfCount = 2 ** this.#halfMagnitude;
    this.#highest = Number(highest);
    let buckets = 1;
    for (let limit = this.#halfCount * 2 * 2 ** this.#unitMagnitude; limit <= this.#highest; limit *= 2) buckets++;
    this.#counts = new Float64Array((buckets + 1) * this.#halfCount);
  }

  #bucketOf(value: number): number {
    const mask = (this.#halfCount * 2 - 1) * 2 ** this.#unitMagnitude;
    const bits = Math.floor(Math.log2(Math.max(value, mask))) + 1;
    // log2 rounds up just below a power of two.
    const exact = 2 ** (bits - 1) > Math.max(value, mask) ? bits - 1 : bits;
    return exact - this.#unitMagnitude - (this.#halfMagnitude + 1);
  }

  #indexOf(value: number): number {
    const bucket = this.#bucketOf(value);
    const sub = Math.floor(value / 2 ** (bucket + this.#unitMagnitude));
    return (bucket + 1) * this.#halfCount + (sub - this.#halfCount);
  }

  #valueAt(index: number): number {
    const bucket = Math.floor(index / this.#halfCount) - 1;
    const sub = (index % this.#halfCount) + this.#halfCount;
    return bucket < 0 ? (sub - this.#halfCount) * 2 ** this.#unitMagnitude : sub * 2 ** (bucket + this.#unitMagnitude);
  }

  /** `[lowest value, width]` of the values that count as `value`. */
  #range(value: number): [lowest: number, width: number] {
    const bucket = this.#bucketOf(value);
    const scale = 2 ** (bucket + this.#unitMagnitude);
    const sub = Math.floor(value / scale);
    return [sub * scale, sub >= this.#halfCount * 2 ? scale * 2 : scale];
  }

  #highestLike(value: number): number {
    const [lowest, width] = this.#range(value);
    return lowest + width - 1;
  }

  /** False when the value does not fit; it then counts in exceeds(). */
  #add(value: number, times = 1): boolean {
    const index = value < 0 ? -1 : this.#indexOf(value);
    if (index < 0 || index >= this.#counts.length || value > this.#highest) {
      this.#exceeds += times;
      return false;
    }
    this.#counts[index] += times;
    this.#total += times;
    if (value !== 0) this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    return true;
  }

  record(value: number | bigint): void {
    this.#add(Number(value));
  }

  /** Records the nanoseconds since the last call; the first call only starts the clock. */
  recordDelta(): number {
    const now = Math.round(clock() * 1e6);
    const delta = this.#previousNs === 0 ? 0 : now - this.#previousNs;
    if (this.#previousNs !== 0) this.#add(Math.max(delta, 1));
    this.#previousNs = now;
    return delta;
  }

  recordCorrected(value: number | bigint, expectedInterval: number | bigint): void {
    const interval = Number(expectedInterval);
    this.#add(Number(value));
    if (interval <= 0 || Number(value) <= interval) return;
    for (let missing = Number(value) - interval; missing >= interval; missing -= interval) this.#add(missing);
  }

  count(): number {
    return this.#total;
  }
  countBigInt(): bigint {
    return BigInt(this.#total);
  }
  exceeds(): number {
    return this.#exceeds;
  }
  exceedsBigInt(): bigint {
    return BigInt(this.#exceeds);
  }
  countAt(value: number): number {
    return this.#counts[this.#indexOf(Number(value))] ?? 0;
  }

  min(): number {
    return Number(this.minBigInt());
  }
  minBigInt(): bigint {
    if (this.#counts[0] > 0) return 0n;
    return this.#total === 0 ? INT64_MAX : BigInt(this.#range(this.#min)[0]);
  }
  max(): number {
    return this.#max === 0 ? 0 : this.#highestLike(this.#max);
  }
  maxBigInt(): bigint {
    return BigInt(this.max());
  }

  #each(visit: (value: number, count: number) => void): void {
    for (let index = 0; index < this.#counts.length; index++) {
      if (this.#counts[index] > 0) visit(this.#valueAt(index), this.#counts[index]);
    }
  }

  #moment(center: number, power: number): number {
    let sum = 0;
    this.#each((value, count) => {
      const [lowest, width] = this.#range(value);
      sum += count * (lowest + Math.floor(width / 2) - center) ** power;
    });
    return sum / this.#total;
  }

  mean(): number {
    return this.#total === 0 ? Number.NaN : this.#moment(0, 1);
  }
  stddev(): number {
    return this.#total === 0 ? Number.NaN : Math.sqrt(this.#moment(this.mean(), 2));
  }

  /** Of the whole, not of a sample; 0 where there is too little to say or no spread. */
  skewness(): number {
    return this.#standardised(3, 3);
  }
  /** The excess over a normal distribution's. */
  kurtosis(): number {
    const moment = this.#standardised(4, 4);
    return moment === 0 ? 0 : moment - 3;
  }
  #standardised(power: number, fewest: number): number {
    if (this.#total < fewest) return 0;
    const variance = this.#moment(this.mean(), 2);
    return variance === 0 ? 0 : this.#moment(this.mean(), power) / variance ** (power / 2);
  }

  percentile(percentile: number): number {
    const wanted = Math.max(1, Math.floor((Math.min(percentile, 100) / 100) * this.#total + 0.5));
    let seen = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      seen += this.#counts[index];
      if (seen >= wanted) {
        const value = this.#valueAt(index);
        return percentile === 0 ? this.#range(value)[0] : this.#highestLike(value);
      }
    }
    return 0;
  }
  percentileBigInt(percentile: number): bigint {
    return BigInt(this.percentile(percentile));
  }

  percentiles(out: Map<number, number>): void {
    for (const [percentile, value] of this.#percentileSteps()) out.set(percentile, value);
  }
  percentilesBigInt(out: Map<number, bigint>): void {
    for (const [percentile, value] of this.#percentileSteps()) out.set(percentile, BigInt(value));
  }

  /** hdr_iter_percentile with one tick per half distance. */
  *#percentileSteps(): Generator<[percentile: number, value: number]> {
    let next = 0;
    let seen = 0;
    let value = 0;
    for (let index = 0; index < this.#counts.length && seen < this.#total; ) {
      value = this.#valueAt(index);
      const count = this.#counts[index++];
      seen += count;
      while (count !== 0 && next <= (100 * seen) / this.#total) {
        yield [next, value];
        next += 100 / 2 ** (Math.floor(Math.log2(100 / (100 - next))) + 1);
        if (seen >= this.#total) break;
      }
    }
    yield [100, value];
  }

  reset(): void {
    this.#counts.fill(0);
    this.#total = 0;
    this.#exceeds = 0;
    this.#previousNs = 0;
    this.#min = Number.POSITIVE_INFINITY;
    this.#max = 0;
  }

  add(other: Histogram): void {
    this.#exceeds += other.#exceeds;
    other.#each((value, count) => void this.#add(value, count));
  }
}

for (const name of `subtract ksTest percentilesAt linearBuckets logBuckets welchTest mannWhitneyTest cohensD cliffsD percentileCI cdf ewmaMean ewmaStddev
ewmaErrorRate`.split(/\s+/)) {
  Object.defineProperty(Histogram.prototype, name, {
    configurable: true,
    writable: true,
    value() {
      throw unsupported(`Histogram.prototype.${name}`);
    },
  });
}

let clock = (): number => 0;

/** monitorEventLoopDelay: how much later than asked a timer of `resolutionMs` fires, in nanoseconds. */
export class IntervalHistogram extends Histogram {
  readonly #resolutionMs: number;
  readonly #browser: BrowserGlobals;
  #timer = 0;
  #running = false;

  constructor(resolutionMs: number, browser: BrowserGlobals) {
    super(1, 3.6e12, 3);
    this.#resolutionMs = resolutionMs;
    this.#browser = browser;
  }

  start(reset?: boolean): void {
    if (this.#running) return;
    if (reset) this.reset();
    this.#running = true;
    this.#arm();
  }

  #arm(): void {
    const armed = this.#browser.performanceNow();
    this.#timer = this.#browser.setTimeout(() => {
      const delay = this.#browser.performanceNow() - armed;
      if (delay > 0) this.record(Math.round(delay * 1e6));
      if (this.#running) this.#arm();
    }, this.#resolutionMs);
  }

  stop(): void {
    this.#running = false;
    this.#browser.clearTimeout(this.#timer);
  }
}

/** Tells recordDelta the time: milliseconds. */
export function setHistogramClock(now: () => number): void {
  clock = now;
}
