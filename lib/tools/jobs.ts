// The commands that agents run in one sandbox. All of them are jobs: a foreground call waits for its job, and may let go of it, so that a server
// or a long build goes on while the agent does something else.
import { perSandbox } from '../sandbox/per-sandbox';
import type { FilePolicy, ProcessEnd, Sandbox } from '../sandbox/sandbox';
import { steadyNow } from '../std/steady';
import { type CollectedOutput, collectOutput, endProcess } from './process-output';
import { spawnShell } from './shell-process';

/** What can be shown of a job. Plain and immutable. */
export interface JobView {
  id: string;
  /** The call that started it. */
  callId: string;
  command: string;
  directory: string;
  pid: number;
  startedAtMs: number;
  endedAtMs?: number;
  /** When the agent's wait ends it (epoch); undefined while nothing does. */
  deadlineMs?: number;
  end?: ProcessEnd;
  /** Ports that opened while it ran and that no other job has. */
  ports: readonly number[];
  /** Nobody waits for it. */
  isBackground: boolean;
  /** It was started by an agent that may only look. */
  isReadOnly: boolean;
}

/** One running or ended command. */
export interface Job {
  view(): JobView;
  readonly output: CollectedOutput;
  readonly exit: Promise<ProcessEnd>;
  /** Resolves when it is let go of. */
  readonly detached: Promise<void>;
  detach(): void;
  /** Moves its end, or sets it. Nothing where it is over or runs in the background. */
  endAt(deadlineMs: number): void;
  /** Called after every piece of output and every change of the view, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** To its standard input. Rejects when that is closed. */
  write(text: string): Promise<void>;
  /** SIGTERM, then SIGKILL; resolves when it has ended or did not in time. */
  stop(graceMs: number): Promise<void>;
}

/** What is run, and as whom. */
export interface JobRequest {
  /** The view whose policy holds. */
  sandbox: Sandbox;
  command: string;
  directory: string;
  callId: string;
  background: boolean;
  /** Variables beyond those that every command has. */
  environment?: Record<string, string>;
  /** Names of files with secrets that the person allowed for this command. */
  shows?: readonly string[];
}

/** The jobs of one sandbox. */
export interface Jobs {
  /** Background jobs, newest first; the same array until it changes. */
  list(): readonly JobView[];
  subscribe(listener: () => void): () => void;
  get(id: string): Job | undefined;
  ofCall(callId: string): Job | undefined;
  /** Starts bash with this line through the caller's view of the sandbox. A ToolError where there is no bash. */
  start(request: JobRequest): Promise<Job>;
}

const keptEnded = 20;

/** The jobs of the sandbox that this is a view of. */
export const jobsOf = perSandbox((sandbox) => createJobs(sandbox));

function createJobs(sandbox: Sandbox): Jobs {
  const jobs = new Map<string, Job>();
  const listeners = new Set<() => void>();
  let shown: readonly JobView[] = [];
  let started = 0;

  function changed(): void {
    const views = [...jobs.values()].map((job) => job.view()).reverse();
    const ended = views.filter((view) => view.end !== undefined);
    // A foreground job that has ended was told in full; of the others the last ones may still be asked about.
    for (const view of ended) if (!view.isBackground || ended.indexOf(view) >= keptEnded) jobs.delete(view.id);
    shown = views.filter((view) => view.isBackground && jobs.has(view.id));
    for (const listener of [...listeners]) listener();
  }

  return {
    list: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (id) => jobs.get(id),
    ofCall: (callId) => [...jobs.values()].find((job) => job.view().callId === callId),
    async start({ sandbox: caller, command, directory, callId, background, shows = [], environment }) {
      const before = new Set(sandbox.ports.list().map((one) => one.port));
      const policy = shownThrough(caller.policy, shows);
      const child = await spawnShell(caller, ['-c', command], { cwd: directory, policy, environment });
      const own = new Set<() => void>();
      const tell = () => {
        for (const listener of [...own]) listener();
      };
      let view: JobView = {
        id: `job_${++started}`,
        callId,
        command,
        directory,
        pid: child.pid,
        startedAtMs: steadyNow(),
        ports: [],
        isBackground: background,
        isReadOnly: policy?.writable !== undefined,
      };
      const change = (patch: Partial<JobView>) => {
        view = { ...view, ...patch };
        tell();
        changed();
      };
      let letGo!: () => void;
      const detached = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const output = collectOutput(child, tell);
      const writer = child.input.getWriter();
      // A command that nobody writes to must not wait for input.
      let isOpen = background;
      if (!isOpen) writer.close().catch(() => {});
      const stopHearing = sandbox.ports.subscribe((open) => {
        const taken = new Set([...jobs.values()].flatMap((job) => job.view().ports));
        const ports = open.map((one) => one.port).filter((port) => !before.has(port));
        const mine = ports.filter((port) => view.ports.includes(port) || !taken.has(port));
        if (mine.join() !== view.ports.join()) change({ ports: mine });
      });
      child.exit.then(
        (end) => {
          stopHearing();
          change({ end, endedAtMs: steadyNow(), ports: [] });
        },
        (error: unknown) => {
          stopHearing();
          change({ end: { kind: 'crashed', message: String(error) }, endedAtMs: steadyNow(), ports: [] });
        },
      );
      const job: Job = {
        view: () => view,
        output,
        exit: child.exit,
        detached,
        detach() {
          if (view.isBackground || view.end !== undefined) return;
          change({ isBackground: true });
          letGo();
        },
        endAt(deadlineMs) {
          if (!view.isBackground && view.end === undefined) change({ deadlineMs });
        },
        subscribe(listener) {
          own.add(listener);
          return () => own.delete(listener);
        },
        async write(text) {
          if (!isOpen || view.end !== undefined) throw new Error('Its standard input is closed.');
          await writer.write(new TextEncoder().encode(text)).catch((error) => {
            isOpen = false;
            throw error;
          });
        },
        stop: (graceMs) => endProcess(child, graceMs),
      };
      jobs.set(view.id, job);
      changed();
      return job;
    },
  };
}

/** The policy, without what hides these names. */
function shownThrough(policy: FilePolicy | undefined, names: readonly string[]): FilePolicy | undefined {
  if (policy?.hidden === undefined || names.length === 0) return policy;
  return { ...policy, hidden: [...policy.hidden, ...names.map((name) => `!${name}`)] };
}
