// Background jobs of the main shell: what `jobs`, `wait`, `kill %1` and `$!` refer to.
import type { Os } from '../os';

/** One background pipeline. */
export interface Job {
  id: number;
  pid: number;
  command: string;
  /** Undefined while it runs; then the exit status, and the signal that ended it. */
  ended: { status: number; signal: NodeJS.Signals | undefined } | undefined;
  finished: Promise<number>;
  kill(signal: NodeJS.Signals): void;
  /** The end has been reported to the user. */
  reported: boolean;
  /** Whether it lives inside the shell's process. */
  internal: boolean;
  disowned: boolean;
}

export class Jobs {
  readonly #os: Os;
  #jobs: Job[] = [];
  /** Statuses of jobs that are gone from the list, for a later `wait pid`. */
  readonly #past = new Map<number, number>();

  constructor(os: Os) {
    this.#os = os;
    os.onJobSignal((pid, signal) => this.find(pid)?.kill(signal));
  }

  add(entry: Omit<Job, 'id' | 'ended' | 'reported' | 'disowned'>): Job {
    const id = Math.max(0, ...this.list().map((job) => job.id)) + 1;
    const job: Job = { ...entry, id, ended: undefined, reported: false, disowned: false };
    this.#jobs.push(job);
    return job;
  }

  /** Marks the end and tells the system about internal ones. */
  end(job: Job, status: number, signal: NodeJS.Signals | undefined): void {
    job.ended = { status, signal };
    this.#past.set(job.pid, status);
    if (job.internal) this.#os.endJob(job.pid, signal ? 0 : status, signal);
  }

  list(): Job[] {
    return this.#jobs.filter((job) => !job.disowned);
  }

  all(): Job[] {
    return this.#jobs;
  }

  find(pid: number): Job | undefined {
    return this.#jobs.find((job) => job.pid === pid);
  }

  past(pid: number): number | undefined {
    return this.#past.get(pid);
  }

  /** `%1`, `%%`, `%+`, `%-`, `%name`. */
  bySpec(spec: string): Job | undefined {
    const jobs = this.list();
    const key = spec.slice(1);
    if (key === '' || key === '%' || key === '+') return jobs.at(-1);
    if (key === '-') return jobs.at(-2);
    if (/^\d+$/.test(key)) return jobs.find((job) => job.id === Number(key));
    if (key.startsWith('?')) return jobs.find((job) => job.command.includes(key.slice(1)));
    return jobs.find((job) => job.command.startsWith(key));
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((other) => other !== job);
  }
}
