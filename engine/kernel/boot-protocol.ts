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

/** Page → host frame; carries the kernel's MessagePort. */
export interface PageToHost {
  cloche: 'connect';
}

/** Host → kernel worker, first message; carries the page's MessagePort. */
export interface KernelBoot {
  role: 'kernel';
  manifest: EngineManifest;
  /** Against which the manifest's names are resolved. */
  baseUrl: string;
  port: MessagePort;
}

/** Kernel → search worker, first message. */
export interface SearchBoot {
  role: 'search';
  memory: WebAssembly.Memory;
  /** Its id in the tree's lock. */
  owner: number;
}

export type WorkerBoot = KernelBoot | SearchBoot;
