// What the language service knows beside the open files: the project's own sources, so that imports, F12 and completion work across files that
// were never opened. Bounded: a service that reads everything is slower than one that knows enough.
import { typescript } from 'monaco-editor';
import type { FileChange, Sandbox } from '../../lib/sandbox/sandbox';
import { judgeImports, uriOf } from './monaco';

const maxFiles = 400;
const maxBytes = 256 * 1024;
const source = /\.([cm]?[jt]sx?|json)$/;

const followed = new WeakMap<Sandbox, { count: number; stop: () => void }>();

/** Reads the sources and follows their changes, until the returned function is called. However many ask: they are read once. */
export function followSources(sandbox: Sandbox): () => void {
  const one = followed.get(sandbox) ?? { count: 0, stop: follow(sandbox) };
  followed.set(sandbox, one);
  one.count++;
  let left = false;
  return () => {
    if (left) return;
    left = true;
    if (--one.count > 0) return;
    followed.delete(sandbox);
    one.stop();
  };
}

function follow(sandbox: Sandbox): () => void {
  const libs = new Map<string, { dispose(): void }>();
  let stopped = false;

  async function read(path: string): Promise<void> {
    const text = await sandbox.fs.stat(path).then(
      ({ kind, size }) => (kind === 'file' && size <= maxBytes ? sandbox.fs.readText(path) : undefined),
      () => undefined,
    );
    if (stopped) return;
    libs.get(path)?.dispose();
    libs.delete(path);
    if (text === undefined || libs.size >= maxFiles) return;
    // Both services are told: a TypeScript file may import JavaScript, and the other way round.
    const uri = uriOf(path).toString();
    const added = [typescript.typescriptDefaults, typescript.javascriptDefaults].map((defaults) =>
      defaults.addExtraLib(text, uri),
    );
    libs.set(path, { dispose: () => added.forEach((lib) => void lib.dispose()) });
  }

  const wanted = (path: string) => source.test(path) && !path.includes('/node_modules/') && !path.includes('/.git/');
  const unwatch = sandbox.fs.watch(sandbox.workdir, (changes: FileChange[]) => {
    for (const { path } of changes) if (wanted(path)) void read(path);
  });
  const start = async () => {
    const found = await sandbox.search.files({ path: sandbox.workdir, pattern: '**', maxResults: 5000 });
    const sources = found.paths.filter(wanted);
    for (const path of sources.slice(0, maxFiles)) {
      if (stopped) return;
      await read(path);
    }
    // Of what was not read nobody can say that it is not there.
    judgeImports(!found.truncated && sources.length <= maxFiles);
  };
  void start().catch(() => {});
  return () => {
    stopped = true;
    judgeImports(false);
    unwatch();
    for (const lib of libs.values()) lib.dispose();
  };
}
