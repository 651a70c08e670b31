// What the parts of "works without the server" say to each other, and the paths at which they meet. The service workers learn what only the
// server knows from scripts that they import: a browser keeps those with the worker itself, where no guest can write.

/** On the IDE's origin. */
export const IDE_WORKER_PATH = '/sw.js';
/** On the sandbox's origin; its scope is the folder. */
export const ENGINE_WORKER_PATH = '/engine/sw.js';

/** One file as the build knows it. */
export interface KnownFile {
  /** SHA-256 of its bytes, base64. */
  sha256: string;
  /** Content type. */
  type: string;
}

/** By absolute path. */
export type KnownFiles = Readonly<Record<string, KnownFile>>;

/** `self.clocheEngine`, from `/engine/offline.js`. */
export interface EngineOfflineConfig {
  /** The body of `/engine/host-config.json`. */
  hostConfig: unknown;
  /** Headers of the pages that the IDE frames. */
  pageHeaders: Record<string, string>;
  /** Headers of the page in which a model's programs run. */
  programHeaders: Record<string, string>;
  /** Headers of everything else. */
  fileHeaders: Record<string, string>;
}

/** `self.clocheIde`, from `/api/offline`. */
export interface IdeOfflineConfig {
  /** Names the deployment's build. */
  build: string;
  /** Paths whose names carry a hash of their content. */
  files: readonly string[];
}

/** IDE's page → a service worker of the IDE that waits: the scripts that the page has loaded, as paths. */
export interface TakeOverOffer {
  cloche: 'take-over';
  scripts: string[];
}

/** Keep frame → engine's service worker; carries the port for the answer. */
export interface FillRequest {
  cloche: 'fill';
}

/** The engine's service worker → keep frame → the IDE's page. */
export type FillAnswer = { cloche: 'kept' } | { cloche: 'not-kept'; why: string };
