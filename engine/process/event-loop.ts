// Node's event loop on a browser worker: timers → pending callbacks → immediates, one callback per macrotask, because only
// between macrotasks does the browser run the microtasks that Node would run after every callback.
import { currentFrame, runInFrame, setCurrentFrame } from '../modules/context-frame';
import type { BrowserGlobals, EventLoop, LiveHandle } from './environment';
import { rejectionCount } from './promise-states';

/** What lib registers with the loop through its bindings. */
export interface LoopHooks {
  /** `[kHasTickScheduled, kHasRejectionToWarn]`. */
  tickInfo: { 0: number; 1: number };
  tickCallback: () => void;
  processImmediate: () => void;
  /** What was begun in an earlier turn runs no more. */
  clearIds: () => void;
  /** Returns the next expiry in loop time: 0 none, negative when no timer is referenced. */
  processTimers: (now: number) => number;
  /** `[kCount, kRefCount, kHasOutstanding]`. */
  immediateInfo: Uint32Array;
  /** Nothing is left to do: emit beforeExit. May start new work. */
  beforeExit: () => void;
  /** Still nothing: exit. */
  exit: () => void;
}

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  timeoutMs: number,
) => { async: false } | { async: true; value: Promise<string> };

/** Timers up to this long use Atomics.waitAsync, which browsers do not clamp to 4 ms as they do nested setTimeout. */
const PRECISE_TIMER_LIMIT_MS = 50;
/** After this many turns in a row the loop goes through a message, so that messages from the kernel are not starved. */
const TURNS_BEFORE_MESSAGE = 64;

export class NodeEventLoop implements EventLoop {
  readonly hooks: LoopHooks;
  private readonly browser: BrowserGlobals;
  private readonly channel: MessageChannel;
  private readonly runCurrent: () => void;
  private readonly handles = new Set<LiveHandle>();
  private pending: { frame: unknown; callback: () => void }[] = [];
  private requests = 0;
  private readonly startedAt: number;
  private loopTime = 0;
  private timerAt = Number.POSITIVE_INFINITY;
  /** As lib thinks it is before it has said a word. */
  private timerReferenced = false;
  private timeoutId = 0;
  /** When the next alarm rings, and how many were set. */
  private alarmAt = Number.POSITIVE_INFINITY;
  private alarms = 0;
  private turnScheduled = false;
  private turnsSinceMessage = 0;
  private phase: 'pending' | 'immediates' = 'pending';
  private pendingInThisPhase = 0;
  /** Something has run in this round of the loop: what is not referenced gets its turn in it too. A round begins only for what keeps the process alive. */
  private isUnderWay = false;
  private idleTurns = 0;
  /** From `beforeExit` on, until something keeps the process alive again. */
  private resting = false;
  /** How often it went round, and how many callbacks of handles and requests ran. */
  rounds = 0;
  events = 0;
  /** For how long the loop has had nothing to do, in milliseconds. */
  idleMs = 0;
  private idleSince = 0;
  /** How many rejections there were when the browser was last given the time to tell. */
  private toldRejections = -1;
  private stopped = false;
  private current: (() => void) | undefined;
  private readonly waitWord = new Int32Array(new SharedArrayBuffer(4));
  private readonly waitAsync: WaitAsync | undefined;
  private readonly thenOf: (promise: Promise<unknown>, callback: () => void) => void;
  private readonly yieldTurn: (() => Promise<void>) | undefined;

  constructor(browser: BrowserGlobals, hooks: LoopHooks) {
    this.browser = browser;
    this.hooks = hooks;
    this.startedAt = browser.performanceNow();
    this.channel = new browser.MessageChannel();
    this.channel.port1.onmessage = () => {
      this.turnsSinceMessage = 0;
      this.turn();
    };
    const originalThen = Promise.prototype.then;
    this.thenOf = (promise, callback) => void originalThen.call(promise, callback);
    this.waitAsync = typeof Atomics.waitAsync === 'function' ? (Atomics.waitAsync as WaitAsync) : undefined;
    const { scheduler } = browser;
    this.yieldTurn = scheduler?.yield ? scheduler.yield.bind(scheduler) : undefined;
    this.runCurrent = browser.createRunner(() => this.current?.());
  }

  now(): number {
    return this.loopTime;
  }

  /** Moves the loop's clock to the present (uv_update_time). */
  updateTime(): void {
    this.loopTime = Math.floor(this.browser.performanceNow() - this.startedAt);
  }

  enqueue(callback: () => void): void {
    this.enqueueIn(currentFrame(), callback);
  }

  enqueueIn(frame: unknown, callback: () => void): void {
    this.pending.push({ frame, callback });
    this.wake();
  }

  addHandle(handle: LiveHandle): void {
    this.handles.add(handle);
  }

  removeHandle(handle: LiveHandle): void {
    if (this.handles.delete(handle)) this.wake();
  }

  startRequest(): void {
    this.requests++;
  }

  endRequest(): void {
    this.requests--;
    this.wake();
  }

  /** The active handles, for process.getActiveResourcesInfo. */
  activeHandles(): LiveHandle[] {
    return [...this.handles];
  }

  scheduleTimer(delayMs: number): void {
    this.armTimer(this.loopTime + Math.max(1, delayMs));
  }

  setTimerReferenced(referenced: boolean): void {
    this.timerReferenced = referenced;
    this.wake();
  }

  /** Ends the loop: no callback runs after this. */
  stop(): void {
    this.stopped = true;
    this.channel.port1.close();
  }

  /** Nothing is under way, not even what would not keep the process alive. */
  isEmpty(): boolean {
    const { immediateInfo } = this.hooks;
    const isWaiting = this.requests > 0 || this.pending.length > 0 || this.handles.size > 0;
    return !isWaiting && this.timerAt === Number.POSITIVE_INFINITY && immediateInfo[0] === 0 && immediateInfo[2] === 0;
  }

  /** No callback runs until `resume`. */
  pause(): void {
    this.stopped = true;
  }

  /** Goes on as a loop that has just begun. */
  resume(): void {
    this.stopped = false;
    this.phase = 'pending';
    this.isUnderWay = false;
    this.revive();
  }

  /** Makes sure that a turn comes. */
  wake(): void {
    if (this.turnScheduled || this.stopped) return;
    this.turnScheduled = true;
    if (!this.resting) this.idleTurns = 0;
    if (this.yieldTurn && this.turnsSinceMessage < TURNS_BEFORE_MESSAGE) {
      this.turnsSinceMessage++;
      this.thenOf(this.yieldTurn(), () => this.turn());
    } else {
      this.channel.port2.postMessage(0);
    }
  }

  runCallback(callback: () => void, frame?: unknown): void {
    runInFrame(frame, () => this.run(callback));
    this.runTicks();
  }

  /**
   * Runs a callback as a DOM listener: an exception in it is reported to the worker's `error` event, synchronously and with the
   * position of the throw, which a catch clause could not know. The listener there (exceptions.ts) decides its fate.
   */
  private run(callback: () => void): void {
    const outer = this.current;
    this.current = callback;
    try {
      this.runCurrent();
    } finally {
      this.current = outer;
    }
  }

  private runTicks(): void {
    const { tickInfo } = this.hooks;
    // An exception in a tick leaves the rest of the queue: the tick callback is simply called again.
    while (!this.stopped && (tickInfo[0] || tickInfo[1])) this.run(this.hooks.tickCallback);
  }

  private turn(): void {
    this.turnScheduled = false;
    if (this.stopped) return;
    if (this.idleSince !== 0) this.idleMs += this.browser.performanceNow() - this.idleSince;
    this.idleSince = 0;
    // What an await restored last is nobody's any more.
    setCurrentFrame(undefined);
    this.hooks.clearIds();
    this.updateTime();
    const { tickInfo, immediateInfo } = this.hooks;
    if (tickInfo[0] || tickInfo[1]) {
      this.runTicks();
      this.wake();
      return;
    }
    if (this.awaitsRejections()) return;
    // What a phase began with runs before the timers, as in libuv, though each callback has a turn of its own.
    const isAmidPhase = this.pendingInThisPhase > 0 || (this.phase === 'immediates' && immediateInfo[2] > 0);
    if (!isAmidPhase && this.loopTime >= this.timerAt && (this.isUnderWay || this.isAlive())) {
      this.revive();
      this.isUnderWay = true;
      this.runTimers();
      this.wake();
      return;
    }
    if (this.phase === 'pending') {
      if (this.pendingInThisPhase === 0) this.pendingInThisPhase = this.pending.length;
      if (this.pendingInThisPhase > 0) {
        this.revive();
        this.pendingInThisPhase--;
        const { frame, callback } = this.pending.shift() as { frame: unknown; callback: () => void };
        if (this.pendingInThisPhase === 0) this.phase = 'immediates';
        this.isUnderWay = true;
        this.events++;
        this.runCallback(callback, frame);
        this.wake();
        return;
      }
    }
    this.phase = 'pending';
    this.rounds++;
    const hasImmediates = immediateInfo[0] > 0 || immediateInfo[2] > 0;
    if (hasImmediates && (this.isUnderWay || this.isAlive())) {
      this.revive();
      this.runCallback(this.hooks.processImmediate);
      this.isUnderWay = immediateInfo[2] > 0;
      if (this.isUnderWay) this.phase = 'immediates';
      this.wake();
      return;
    }
    this.isUnderWay = false;
    if (this.pending.length > 0) {
      this.wake();
      return;
    }
    if (this.isAlive()) {
      this.revive();
      if (this.timerAt !== Number.POSITIVE_INFINITY) this.armTimer(this.timerAt);
      this.idleSince = this.browser.performanceNow();
      return;
    }
    this.rest();
  }

  /** Lets the browser tell of rejections first: it queued that before this turn's message, and our turns overtake what it queues. */
  private awaitsRejections(): boolean {
    const count = rejectionCount();
    if (count === this.toldRejections) return false;
    this.toldRejections = count;
    this.turnScheduled = true;
    this.channel.port2.postMessage(0);
    return true;
  }

  /**
   * Nothing keeps the process alive. Two turns let the browser report rejections, then comes `beforeExit`, then turns for the ticks and
   * microtasks that it left, then the exit. What it starts, or any wake before it, starts over; ticks alone (a console.log in it) do not.
   */
  private rest(): void {
    this.idleTurns++;
    if (this.idleTurns >= 4) {
      this.run(this.hooks.exit);
      return;
    }
    if (this.idleTurns === 3) {
      this.resting = true;
      this.runCallback(this.hooks.beforeExit);
      if (this.stopped) return;
      if (this.isAlive()) {
        this.revive();
        this.wake();
        return;
      }
      if (this.turnScheduled) return;
    }
    this.turnScheduled = true;
    this.channel.port2.postMessage(0);
  }

  /** The way to the exit begins anew. */
  private revive(): void {
    this.resting = false;
    this.idleTurns = 0;
  }

  private runTimers(): void {
    this.timerAt = Number.POSITIVE_INFINITY;
    let next: number | undefined;
    this.runCallback(() => {
      next = this.hooks.processTimers(this.loopTime);
    });
    // It threw, and the process lives on: the timers behind it are still due.
    if (next === undefined) this.armTimer(this.loopTime);
    else if (next !== 0) {
      this.timerReferenced = next > 0;
      this.armTimer(Math.min(this.timerAt, Math.abs(next)));
    }
  }

  private armTimer(at: number): void {
    this.timerAt = at;
    if (this.alarmAt <= at) return; // an alarm that comes no later is set; the turn that it causes sets the next one
    this.alarmAt = at;
    const alarm = ++this.alarms;
    const ring = (): void => {
      if (alarm === this.alarms) this.alarmAt = Number.POSITIVE_INFINITY;
      this.wake();
    };
    const delay = Math.max(0, at - (this.browser.performanceNow() - this.startedAt));
    this.browser.clearTimeout(this.timeoutId);
    if (delay <= PRECISE_TIMER_LIMIT_MS && this.waitAsync) {
      const result = this.waitAsync.call(Atomics, this.waitWord, 0, 0, delay);
      if (result.async) this.thenOf(result.value, ring);
      else this.browser.queueMicrotask(ring);
    } else {
      this.timeoutId = this.browser.setTimeout(ring, Math.min(delay, 0x7fffffff));
    }
  }

  private isAlive(): boolean {
    if (this.requests > 0 || this.pending.length > 0 || this.hooks.immediateInfo[1] > 0) return true;
    if (this.timerAt !== Number.POSITIVE_INFINITY && this.timerReferenced) return true;
    for (const handle of this.handles) if (handle.hasRef()) return true;
    return false;
  }
}
