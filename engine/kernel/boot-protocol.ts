// Messages of the boot: between the page and the host frame, and between the host and the kernel worker.
import type { EngineManifest } from './manifest';

/** What the IDE's server tells the host page: which pages may embed and drive it. Served as `host-config.json` beside the host page. */
export interface HostConfig {
  /** Origins, such as `http://cloche.localhost:3000`. */
  allowedOrigins: string[];
  /** Origins whose pages may boot the engine by the WebContainer protocol. */
  embedders: string[];
  /** Origin of previews with `*` where the id goes, for those pages. */
  preview: string;
}

/** Host frame → page (window.postMessage, to the exact origin). */
export type HostToPage =
  /** The host has checked its embedder and waits for `connect`. */
  | { cloche: 'waiting' }
  | { cloche: 'progress'; what: string; fraction: number }
  | { cloche: 'failed'; message: string };

/** Page → host frame. */
export type PageToHost =
  /** A page that found the frame in its HTML may have missed what the host said: it says its last word again. */
  | { cloche: 'ask' }
  /** Carries the kernel's MessagePort, and that of the project file when files are to be kept. `roots`: absolute paths of what is kept. `settles`: it will say `settled`. */
  | { cloche: 'connect'; roots: string[]; settles: boolean };

/** Where files are kept: the project file behind its port, and what goes into it. */
export interface KeptStorage {
  /** engine/kernel/persistence/port-storage.ts is spoken over it. */
  port: MessagePort;
  roots: string[];
}

/** Host → kernel worker, first message: it starts at once, before anybody knows the project. */
export interface KernelBoot {
  role: 'kernel';
  manifest: EngineManifest;
  /** Against which the manifest's names are resolved. */
  baseUrl: string;
}

/** Host → kernel worker, second message; carries the page's MessagePort and the project file's. */
export interface KernelConnect {
  role: 'connect';
  port: MessagePort;
  storage?: KeptStorage;
  /** The page loads things of its own after the first prompt, and says `settled` when it has them. */
  settles?: boolean;
}

/** Kernel → search worker, first message. */
export interface SearchBoot {
  role: 'search';
  memory: WebAssembly.Memory;
  /** Its id in the tree's lock. */
  owner: number;
}

export type WorkerBoot = KernelBoot | KernelConnect | SearchBoot;
