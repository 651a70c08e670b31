// The tools and plugins of one project: which are wanted, one process for each, and what became of it. A file that breaks is quarantined with its
// reason; it is tried again before the next answer, three times in all, until it is changed or the person wants it again.
import type { FilePolicy, Sandbox } from '../sandbox/sandbox';
import { joinPath } from '../std/paths';
import { steadyNow } from '../std/steady';
import { type ExtensionProcess, startExtensionProcess } from './extension-process';
import { withInstall } from './missing-package';
import type { Loaded } from './protocol';

/** One file that the person said yes to. */
export interface ExtensionFile {
  kind: 'tool' | 'plugin';
  /** Below the project; names it for people. */
  path: string;
  text: string;
  /** Of all that the yes covers. */
  hash: string;
  /** A package that the project has installed, in place of a file. */
  packageName?: string;
}

export type ExtensionStatus =
  | { kind: 'starting' }
  | { kind: 'running'; loaded: Loaded; process: ExtensionProcess }
  /** `isFinal`: it is not tried again by itself. */
  | { kind: 'failed'; why: string; isFinal: boolean };

/** Immutable; a new one for every change. */
export interface ExtensionState {
  file: ExtensionFile;
  status: ExtensionStatus;
  /** What it turned out to be when it was last loaded. */
  loaded: Loaded | undefined;
  /** What went wrong that ended nothing, the last ones. */
  problems: readonly string[];
}

/** Programs of one project. */
export interface Extensions {
  /** In the order they were wanted; the same array until something changed. */
  states(): readonly ExtensionState[];
  subscribe(listener: () => void): () => void;
  /** Makes what is there what is wanted: a changed file is another one. */
  want(files: readonly ExtensionFile[]): void;
  /** Tries what failed again, and resolves when all are loaded or have failed. */
  ready(): Promise<void>;
  /** Resolves when this one is loaded or has failed, and nothing that was stopped is still at it. */
  settled(path: string): Promise<ExtensionState | undefined>;
  /** At the person's word. */
  restart(path: string): void;
  /** Remembers what went wrong with it. */
  note(path: string, problem: string): void;
  dispose(): Promise<void>;
}

export interface ExtensionsOptions {
  sandbox: Sandbox;
  /** The text of the program (guest/host.ts, bundled). */
  loadProgram(): Promise<string>;
  /** The project's configuration as `config` hooks are given it, now. */
  config?(): Record<string, unknown>;
  /** Which files no program may see, now. */
  policy?(): FilePolicy | undefined;
  /** Is all that the person's yes to this file covers still the same? Asked before it is started, and again once it is loaded. */
  isUnchanged?(file: ExtensionFile): Promise<boolean>;
  loadTimeoutMs?: number;
}

const maxTries = 3;
const maxFiles = 24;
const keptProblems = 8;
const defaultLoadTimeoutMs = 45_000;

interface Entry {
  key: string;
  state: ExtensionState;
  tries: number;
  loading: Promise<void>;
}

/** None yet. */
export function createExtensions(options: ExtensionsOptions): Extensions {
  const { sandbox, loadProgram, loadTimeoutMs = defaultLoadTimeoutMs } = options;
  const listeners = new Set<() => void>();
  let entries: Entry[] = [];
  let states: readonly ExtensionState[] = [];
  let wanted: readonly ExtensionFile[] = [];

  function changed(): void {
    states = entries.map((entry) => entry.state);
    for (const listener of [...listeners]) listener();
  }

  function update(entry: Entry, more: Partial<ExtensionState>): void {
    entry.state = { ...entry.state, ...more };
    if (entries.includes(entry)) changed();
  }

  function failed(entry: Entry, why: string): void {
    update(entry, { status: { kind: 'failed', why, isFinal: entry.tries >= maxTries } });
  }

  async function load(entry: Entry): Promise<void> {
    const { file } = entry.state;
    const sinceMs = steadyNow();
    entry.tries++;
    update(entry, { status: { kind: 'starting' } });
    try {
      await checkUnchanged(file);
      const policy = options.policy?.();
      const process = await startExtensionProcess({
        sandbox,
        program: await loadProgram(),
        kind: file.kind,
        target: file.packageName ?? joinPath(sandbox.workdir, file.path),
        ...(file.packageName === undefined ? { text: file.text } : {}),
        config: options.config?.() ?? {},
        ...(policy === undefined ? {} : { policy }),
        loadTimeoutMs,
        onEnd: (why, stopped) => {
          if (entry.state.status.kind !== 'running') return;
          if (!stopped) return failed(entry, why);
          // A call that the person stopped is not the file's fault.
          entry.tries = 0;
          entry.loading = load(entry);
        },
        onProblem: (message) => noteIn(entry, message),
      });
      // What it imported was read by Node after the look: only if all is still as it was, that is what was agreed to.
      await checkUnchanged(file).catch((error: unknown) => {
        void process.end();
        throw error;
      });
      if (!entries.includes(entry)) return void process.end();
      update(entry, { status: { kind: 'running', loaded: process.loaded, process }, loaded: process.loaded });
    } catch (error) {
      // Nobody wants to wait for it a second time.
      if (steadyNow() - sinceMs >= loadTimeoutMs) entry.tries = maxTries;
      failed(entry, await withInstall(error instanceof Error ? error.message : String(error), sandbox));
    }
  }

  async function checkUnchanged(file: ExtensionFile): Promise<void> {
    if ((await options.isUnchanged?.(file)) === false)
      throw new Error('what it imports was changed since you said yes to it');
  }

  async function calm(entry: Entry): Promise<void> {
    for (;;) {
      await entry.loading;
      const { status } = entry.state;
      // Ended by a stop: it is being loaded again.
      if (status.kind !== 'running' || (await status.process.calm()) || entry.state.status === status) return;
    }
  }

  function noteIn(entry: Entry, problem: string): void {
    if (entry.state.problems.at(-1) === problem) return;
    update(entry, { problems: [...entry.state.problems, problem].slice(-keptProblems) });
  }

  function start(file: ExtensionFile, key: string, at: number): Entry {
    const state: ExtensionState = { file, status: { kind: 'starting' }, loaded: undefined, problems: [] };
    const entry: Entry = { key, state, tries: 0, loading: Promise.resolve() };
    if (at < maxFiles) entry.loading = Promise.resolve().then(() => load(entry));
    else {
      const why = `more than ${maxFiles} files of tools and plugins are not loaded`;
      entry.tries = maxTries;
      entry.state = { ...state, status: { kind: 'failed', why, isFinal: true } };
    }
    return entry;
  }

  function wantNow(): void {
    const before = entries;
    const policy = JSON.stringify(options.policy?.() ?? null);
    entries = wanted.map((file, at) => {
      const key = JSON.stringify([file.kind, file.path, file.hash, policy]);
      return before.find((one) => one.key === key) ?? start(file, key, at);
    });
    const gone = before.filter((one) => !entries.includes(one));
    for (const one of gone) if (one.state.status.kind === 'running') void one.state.status.process.end();
    if (gone.length > 0 || entries.length !== before.length) changed();
  }

  const named = (path: string) => entries.find((entry) => entry.state.file.path === path);

  return {
    states: () => states,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    want(files) {
      wanted = files;
      wantNow();
    },
    async ready() {
      wantNow();
      for (const entry of entries) {
        const { status } = entry.state;
        if (status.kind === 'failed' && !status.isFinal) entry.loading = load(entry);
      }
      await Promise.all(entries.map(calm));
    },
    async settled(path) {
      const entry = named(path);
      if (entry !== undefined) await calm(entry);
      return named(path)?.state;
    },
    restart(path) {
      const entry = named(path);
      if (entry?.state.status.kind !== 'failed') return;
      entry.tries = 0;
      entry.loading = load(entry);
    },
    note(path, problem) {
      const entry = named(path);
      if (entry !== undefined) noteIn(entry, problem);
    },
    async dispose() {
      const before = entries;
      wanted = [];
      entries = [];
      await Promise.all(
        before.map(({ state: { status } }) => (status.kind === 'running' ? status.process.end() : undefined)),
      );
    },
  };
}

/** Why it can't be used, as sentences that say what to do. */
export function whyNotUsed({ status }: ExtensionState): string {
  switch (status.kind) {
    case 'starting':
      return 'It is being loaded.';
    case 'running':
      return 'It is loaded.';
    case 'failed':
      return `Not loaded: ${status.why.replace(/\.$/, '')}. ${
        status.isFinal
          ? 'It is not tried again by itself: change the file, or press Try again.'
          : 'It is tried again with the next message.'
      }`;
  }
}
