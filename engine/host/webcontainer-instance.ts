// One booted container as the WebContainer client drives it. What the client asks for and we do not have is refused by name.

import type { Engine } from '../client/engine';
import { connectPreviews } from '../client/preview-bridge';
import { Reference, type RemoteFunction } from './comlink-wire';
import { insideWorkdir, webContainerFs } from './webcontainer-fs';
import { type RunOptions, runProcess } from './webcontainer-run';
import { exportSnapshot, snapshotOfMount } from './webcontainer-tree';

interface InstanceOptions {
  engine: Engine;
  workdir: string;
  /** Where a frame shows the port. */
  previewUrl(port: number): string;
  /** Calls back with what no call can be blamed for, until the returned function is called. */
  subscribeFaults(listener: (message: string) => void): () => void;
  /** The container has been torn down. */
  onTeardown(): void;
}

interface SerializeOptions {
  format: string;
  includes?: string[];
  excludes?: string[];
}

const absent = (what: string) => () => {
  throw new Error(`Cloche's WebContainer host has no ${what}.`);
};

/** The object that `server.build()` resolves with. */
export function webContainerInstance({ engine, workdir, previewUrl, ...options }: InstanceOptions): object {
  const stopPreviews = connectPreviews(engine, previewUrl);
  const stops = new Set<() => void>([stopPreviews]);

  const subscribe = (event: string, listener: RemoteFunction): (() => void) => {
    if (event === 'error') return options.subscribeFaults((message) => void listener.call({ message }));
    if (event !== 'port' && event !== 'server-ready') return () => {};
    let open: number[] = [];
    return engine.subscribePorts((ports) => {
      const opened = ports.filter((port) => !open.includes(port));
      const closed = open.filter((port) => !ports.includes(port));
      open = ports;
      if (event === 'server-ready') for (const port of opened) void listener.call(port, previewUrl(port));
      else {
        for (const port of closed) void listener.call(port, 'close', previewUrl(port));
        for (const port of opened) void listener.call(port, 'open', previewUrl(port));
      }
    });
  };

  return {
    fs: () => new Reference(webContainerFs(engine, workdir)),
    // The client asks for it at boot and does not use it.
    previewScript: () => undefined,
    runtimeInfo: () => ({ path: '/usr/local/bin:/usr/bin:/bin', cwd: workdir }),
    run: (run: RunOptions, _stdout: unknown, _stderr: unknown, output?: RemoteFunction) =>
      runProcess(engine, workdir, run, output),
    async loadFiles(bytes: Uint8Array, { mountPoints }: { mountPoints?: string } = {}) {
      await engine.mount(snapshotOfMount(bytes), insideWorkdir(workdir, mountPoints ?? ''));
    },
    async serialize(path: string, { format, includes, excludes }: SerializeOptions) {
      if (includes?.length || excludes?.length) absent('globs for exports: leave out "includes" and "excludes"')();
      return exportSnapshot(await engine.snapshot(insideWorkdir(workdir, path)), format);
    },
    on(event: string, listener: RemoteFunction) {
      const stop = subscribe(event, listener);
      stops.add(stop);
      return new Reference(() => {
        stops.delete(stop);
        stop();
        listener.release();
      });
    },
    setPreviewScript: absent('preview scripts'),
    setCredentials: absent('accounts'),
    teardown() {
      for (const stop of stops) stop();
      engine.dispose();
      options.onTeardown();
    },
  };
}
