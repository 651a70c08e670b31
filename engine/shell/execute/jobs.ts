// Jobs of the main shell: what runs in the background or is stopped, and what `jobs`, `fg`, `bg`, `wait`, `kill %1` and `$!` refer to.
import type { TerminalModes } from '../../ipc/types';
import { type Gate, setGate } from '../io/gate';
import type { Os } from '../os';

/** The process group of a job; 0 until its first process has started. */
export interface JobGroup {
  id: number;
  /** Takes a child that was just started into the group. */
  join(pid: number): void;
}

/** One pipeline. */
export interface Job {
  /** Number in the list; 0 while it has always been in the foreground. */
  id: number;
  pid: number;
  /** Undefined where jobs have no groups of their own: in scripts. */
  group: JobGroup | undefined;
  command: string;
  /** Undefined while it lives; then the exit status, and the signal that ended it. */
  ended: { status: number; signal: NodeJS.Signals | undefined } | undefined;
  finished: Promise<number>;
  gate: Gate;
  /** When it was last stopped, as a number that grows; 0 while it runs. */
  stopped: number;
  /** The terminal's modes when it was stopped. */
  modes: TerminalModes | undefined;
  /** A signal for the part that lives inside the shell's process. */
  kill(signal: NodeJS.Signals): void;
  /** The present state has been told to the person. */
  reported: boolean;
  /** Whether its leader lives inside the shell's process. */
  internal: boolean;
  disowned: boolean;
}

export class Jobs {
  readonly #os: Os;
  #jobs: Job[] = [];
  /** Jobs in the foreground that have no number. */
  readonly #unlisted = new Set<Job>();
  /** Statuses of jobs that are gone from the list, for a later `wait pid`. */
  readonly #past = new Map<number, number>();
  readonly #watchers = new Map<Job, () => void>();
  /** Jobs whose SIGCONT is on its way, each with what was sent last. */
  readonly #resuming = new Map<Job, object>();
  /** Ends of jobs that outlived a shell inside this one. */
  readonly #adopted = new Set<Promise<unknown>>();
  #stops = 0;
  readonly dispose: () => void;

  constructor(os: Os) {
    this.#os = os;
    const stopSignals = os.onJobSignal((pid, signal) => this.find(pid)?.kill(signal));
    const stopStates = os.onChildState((pid, state) => {
      const job = this.find(pid);
      if (!job) return;
      if (state === 'stopped') this.stopped(job);
      else this.goOn(job);
    });
    const stop = (): void => {
      stopSignals();
      stopStates();
    };
    this.dispose = () => {
      // What outlives its shell can still be ended.
      const alive = [...this.#jobs, ...this.#unlisted].filter((job) => !job.ended);
      if (alive.length === 0) stop();
      else void Promise.all(alive.map((job) => job.finished)).then(stop);
    };
  }

  /** Notes a job that has just started; `signal` is that of its tasks. */
  add(
    entry: Pick<Job, 'pid' | 'group' | 'command' | 'finished' | 'kill' | 'internal'>,
    signal: AbortSignal,
    isBackground: boolean,
  ): Job {
    const gate: Gate = { closed: undefined, refuseKeyboard: () => this.stop(job), inForeground: !isBackground };
    const job: Job = {
      ...entry,
      id: 0,
      ended: undefined,
      gate,
      stopped: 0,
      modes: undefined,
      reported: false,
      disowned: false,
    };
    setGate(signal, gate);
    if (isBackground) this.enlist(job);
    else this.#unlisted.add(job);
    return job;
  }

  /** Gives a job a number. */
  enlist(job: Job): void {
    if (!this.#unlisted.delete(job) && this.#jobs.includes(job)) return;
    job.id = Math.max(0, ...this.list().map((other) => other.id)) + 1;
    this.#jobs.push(job);
  }

  /** The system says that the job was stopped by a signal. What it says of the time before the job was resumed is void, as it is for waitpid(2). */
  stopped(job: Job): void {
    if (!this.#resuming.has(job)) this.stop(job);
  }

  /** Lets a job go on, all its processes. */
  resume(job: Job): void {
    this.goOn(job);
    if (!job.group?.id) return job.kill('SIGCONT');
    const mark = {};
    this.#resuming.set(job, mark);
    this.#os.continueGroup(job.group.id, () => {
      if (this.#resuming.get(job) === mark) this.#resuming.delete(job);
    });
  }

  /** The job stands still from now on. */
  stop(job: Job): void {
    if (job.ended || job.stopped) return;
    job.stopped = ++this.#stops;
    job.reported = false;
    let open = (): void => {};
    job.gate.closed = new Promise((resolve) => {
      open = resolve;
    });
    this.#openers.set(job, open);
    this.#watchers.get(job)?.();
  }

  readonly #openers = new Map<Job, () => void>();

  /** The job goes on. */
  goOn(job: Job): void {
    job.stopped = 0;
    job.gate.closed = undefined;
    this.#openers.get(job)?.();
    this.#openers.delete(job);
  }

  /** Resolves when the job is stopped, or is so already. */
  whenStopped(job: Job): Promise<void> {
    if (job.stopped) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.set(job, resolve));
  }

  /** Marks the end and tells the system about internal ones. */
  end(job: Job, status: number, signal: NodeJS.Signals | undefined): void {
    job.ended = { status, signal };
    this.goOn(job);
    job.stopped = 0;
    job.reported = false;
    this.#unlisted.delete(job);
    this.#watchers.delete(job);
    this.#resuming.delete(job);
    this.#past.set(job.pid, status);
    if (job.internal) this.#os.endJob(job.pid, signal ? 0 : status, signal);
  }

  list(): Job[] {
    return this.#jobs.filter((job) => !job.disowned);
  }

  all(): Job[] {
    return this.#jobs;
  }

  /** The ends of all that still runs inside this process, jobs of shells that are gone included. */
  living(): Promise<unknown>[] {
    const own = this.#jobs.filter((job) => job.internal && !job.ended).map((job) => job.finished);
    return [...own, ...this.#adopted];
  }

  /** What outlives an inner shell lives on in this one. */
  adopt(inner: Jobs): void {
    for (const end of inner.living()) {
      this.#adopted.add(end);
      void end.then(() => this.#adopted.delete(end));
    }
  }

  /** The job that `%%` means (the one that was stopped last, else the newest), then the one that `%-` means. */
  recent(): Job[] {
    return [...this.list()].sort((a, b) => b.stopped - a.stopped || b.id - a.id);
  }

  find(pid: number): Job | undefined {
    return this.#jobs.find((job) => job.pid === pid) ?? [...this.#unlisted].find((job) => job.pid === pid);
  }

  past(pid: number): number | undefined {
    return this.#past.get(pid);
  }

  /** `%1`, `%%`, `%+`, `%-`, `%name`. */
  bySpec(spec: string): Job | undefined {
    const jobs = this.list();
    const key = spec.slice(1);
    if (key === '' || key === '%' || key === '+') return this.recent()[0];
    if (key === '-') return this.recent()[1];
    if (/^\d+$/.test(key)) return jobs.find((job) => job.id === Number(key));
    if (key.startsWith('?')) return jobs.find((job) => job.command.includes(key.slice(1)));
    return jobs.find((job) => job.command.startsWith(key));
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((other) => other !== job);
  }
}
