// The start of a project's computer, as the views see it. The IDE gets it as a function, so that tests can bring another sandbox.
import type { Project } from '../../lib/project/projects';
import type { Sandbox } from '../../lib/sandbox/sandbox';

/** What is being done, in words, and how far the whole start is (0–1) when that is known. */
export interface BootProgress {
  step: string;
  fraction?: number;
  /** Another way to start, offered at once. */
  instead?: Instead;
}

/** A way out: `choose` makes the next attempt go that way. */
export interface Instead {
  label: string;
  choose(): void;
}

/** A boot that failed, with what can be done about it. */
export class BootFailure extends Error {
  override readonly name = 'BootFailure';
  /** Trying again in the same page would fail in the same way. */
  readonly needsReload: boolean;
  readonly instead: Instead | undefined;

  constructor(message: string, remedies: { needsReload: boolean; instead?: Instead; cause: unknown }) {
    super(message, { cause: remedies.cause });
    this.needsReload = remedies.needsReload;
    this.instead = remedies.instead;
  }
}

/** Boots the computer of a project. Rejects with what broke; must settle soon after the signal aborts. */
export type BootSandbox = (
  project: Project,
  onProgress: (progress: BootProgress) => void,
  signal: AbortSignal,
) => Promise<Sandbox>;

/** Longer than this without any progress and the person is offered to try again. */
export const bootTimeoutMs = 90_000;
