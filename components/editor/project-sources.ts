// Which sources of a project there are, and what they hold, as they change: files one by one, folders that were moved or came as a whole, and everything
// when so much happened at once that nobody can say what.
import type { FileChange, Sandbox } from '../../lib/sandbox/sandbox';

const source = /\.([cm]?[jt]sx?|json)$/;

interface SourcesOptions {
  maxFiles: number;
  /** Larger files are not told. */
  maxBytes: number;
  /** The text of a source as it is now; undefined: it is gone. */
  tell(path: string, text: string | undefined): void;
  /** Whether all that there are were told. */
  onWhole(isWhole: boolean): void;
}

/** Tells of the sources below the project, and of their changes until the returned function is called. */
export function projectSources({ fs, search, workdir }: Sandbox, options: SourcesOptions): () => void {
  const { maxFiles, maxBytes, tell, onWhole } = options;
  const told = new Set<string>();
  /** The last reading of each path: an earlier one that comes later is not told. */
  const readings = new Map<string, number>();
  let count = 0;
  let stopped = false;

  async function read(path: string): Promise<void> {
    const number = ++count;
    readings.set(path, number);
    const text = await fs.stat(path).then(
      ({ kind, size }) => (kind === 'file' && size <= maxBytes ? fs.readText(path) : undefined),
      () => undefined,
    );
    if (stopped || readings.get(path) !== number) return;
    readings.delete(path);
    if (text === undefined) {
      if (told.delete(path)) tell(path, undefined);
    } else if (told.has(path) || told.size < maxFiles) {
      told.add(path);
      tell(path, text);
    } else onWhole(false);
  }

  async function readBelow(path: string): Promise<void> {
    const found = await search.files({ path, pattern: '**', maxResults: 5000 });
    const sources = found.paths.filter(wanted);
    for (const one of sources.slice(0, maxFiles)) {
      if (stopped) return;
      await read(one);
    }
    // Of what was not read nobody can say that it is not there.
    if (!stopped && path === workdir) onWhole(!found.truncated && sources.length <= maxFiles);
  }

  async function readFolder(path: string): Promise<void> {
    try {
      if ((await fs.stat(path)).kind === 'directory') await readBelow(path);
    } catch {
      // It is gone again, and that is told too.
    }
  }

  const unwatch = fs.watch(workdir, (changes: FileChange[]) => {
    for (const { path, kind } of changes) {
      if (isLeftOut(path)) continue;
      if (source.test(path)) void read(path);
      else if (kind === 'created' || path === workdir) void readFolder(path);
      // A folder that is gone took its files along; one that came brought some.
      for (const one of told) if (one.startsWith(`${path}/`)) void read(one);
    }
  });
  void readFolder(workdir);
  return () => {
    stopped = true;
    unwatch();
  };
}

const isLeftOut = (path: string) => /\/(node_modules|\.git)(\/|$)/.test(path);
const wanted = (path: string) => source.test(path) && !isLeftOut(path);
