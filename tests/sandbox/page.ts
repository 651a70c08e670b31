// What the IDE-like page of real-browser runs does: boots the engine and runs one command at a time for Node, streams over fetch.

import { bootEngine } from '../../engine/client/boot-engine';
import { defaultEnvironment } from '../../engine/client/default-environment';
import type { Engine } from '../../engine/client/engine';
import { connectPreviews } from '../../engine/client/preview-bridge';
import type { RunEnd } from '../../engine/kernel/page-protocol';

export interface PageRun {
  /** Id of the server's channels for this run. */
  channel: string;
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  terminal?: { columns: number; rows: number };
  timeoutMs: number;
  hasStdin: boolean;
  /** Report files that change below this directory. */
  watch?: string;
}

export interface PageRunResult {
  end: RunEnd;
  timedOut: boolean;
  durationMs: number;
  changedFiles: string[];
}

export interface TestPage {
  bootEngine: typeof bootEngine;
  connectPreviews: typeof connectPreviews;
  engine: Engine | undefined;
  faults: string[];
  progress: string[];
  boot(hostUrl: string, timeoutMs: number): Promise<void>;
  /** Mounts the snapshot at `/blob/<channel>` on `path`; `replace` empties the directory first. */
  mount(channel: string, path: string, replace: boolean): Promise<void>;
  run(request: PageRun): Promise<PageRunResult>;
}

declare global {
  interface Window {
    cloche: TestPage;
  }
}

async function post(stream: ReadableStream<Uint8Array>, url: string): Promise<void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await fetch(url, { method: 'POST', body: value as Uint8Array<ArrayBuffer> });
  }
}

const page: TestPage = {
  bootEngine,
  connectPreviews,
  engine: undefined,
  faults: [],
  progress: [],
  async boot(hostUrl, timeoutMs) {
    page.engine?.dispose();
    page.engine = await bootEngine({
      hostUrl,
      timeoutMs,
      onFault(message) {
        page.faults.push(message);
        console.warn(message);
      },
      onProgress: (what) => page.progress.push(what),
    });
  },
  async mount(channel, path, replace) {
    const engine = page.engine!;
    const snapshot = new Uint8Array(await (await fetch(`/blob/${channel}`)).arrayBuffer());
    if (replace) for (const { name } of await engine.list(path)) await engine.remove(`${path}/${name}`);
    await engine.mount(snapshot, path);
  },
  async run(request) {
    const engine = page.engine!;
    const changed = new Set<string>();
    const unwatch = request.watch
      ? await engine.watch(request.watch, (changes) => {
          for (const change of changes) changed.add(change.path);
        })
      : undefined;
    const started = performance.now();
    const { command, args, cwd, terminal } = request;
    const env = { ...defaultEnvironment(cwd, terminal !== undefined), ...request.env };
    const process = await engine.spawn({ command, args, cwd, env, terminal });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      process.kill('SIGKILL');
    }, request.timeoutMs);
    if (request.hasStdin) {
      const { body } = await fetch(`/stdin/${request.channel}`);
      // The process may end without reading everything.
      void body!.pipeTo(process.input).catch(() => {});
    } else if (!terminal) void process.input.close().catch(() => {});
    const outputs = [
      post(process.output, `/chunk/${request.channel}/output`),
      post(process.stderr, `/chunk/${request.channel}/stderr`),
    ];
    const end = await process.exit;
    const durationMs = performance.now() - started;
    clearTimeout(timer);
    await Promise.all(outputs);
    if (unwatch) {
      // The watch's last batch comes a little later.
      await new Promise((resolve) => setTimeout(resolve, 120));
      unwatch();
    }
    return { end, timedOut, durationMs, changedFiles: [...changed].sort() };
  },
};
window.cloche = page;
