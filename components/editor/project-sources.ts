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

/** Tells of the sources below the project, and of their changes until the returned function is called. One is read at a time, and none for nothing. */
export function projectSources({ fs, search, workdir }: Sandbox, options: SourcesOptions): () => void {
  const { maxFiles, maxBytes, tell, onWhole } = options;
  const told = new Set<string>();
  /** In the order in which they are looked at. A path that changes while it is read is in here again. */
  const waiting = new Set<string>();
  let isLooking = false;
  let wasWhole: boolean | undefined;
  let stopped = false;

  function tellWhole(isWhole: boolean): void {
    if (isWhole !== wasWhole) onWhole(isWhole);
    wasWhole = isWhole;
  }

  async function read(path: string): Promise<void> {
    if (told.size >= maxFiles && !told.has(path)) return tellWhole(false);
    const text = await fs.stat(path).then(
      ({ kind, size }) => (kind === 'file' && size <= maxBytes ? fs.readText(path).catch(() => undefined) : undefined),
      () => undefined,
    );
    if (stopped) return;
    if (text !== undefined) {
      told.add(path);
      tell(path, text);
    } else if (told.delete(path)) tell(path, undefined);
  }

  async function readBelow(path: string): Promise<void> {
    const found = await search.files({ path, pattern: '**', maxResults: 5000 });
    const sources = found.paths.filter(wanted);
    for (const one of sources.slice(0, maxFiles)) {
      if (stopped) return;
      await read(one);
    }
    // Of what was not read nobody can say that it is not there.
    if (!stopped && path === workdir) tellWhole(!found.truncated && sources.length <= maxFiles);
  }

  async function readFolder(path: string): Promise<void> {
    if (told.size >= maxFiles && path !== workdir) return tellWhole(false);
    try {
      if ((await fs.stat(path)).kind === 'directory') await readBelow(path);
    } catch {
      // It is gone again, and that is told too.
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (const path of waiting) {
      if (stopped) return;
      waiting.delete(path);
      await (source.test(path) ? read(path) : readFolder(path));
    }
    isLooking = false;
  }

  const unwatch = fs.watch(workdir, (changes: FileChange[]) => {
    for (const { path, kind } of changes) {
      if (isLeftOut(path)) continue;
      const isSource = source.test(path);
      // A folder that is gone took its files along; one that came brought some.
      if (!isSource || kind === 'deleted') for (const one of told) if (one.startsWith(`${path}/`)) waiting.add(one);
      if (isSource || kind === 'created' || path === workdir) waiting.add(path);
    }
    void look();
  });
  waiting.add(workdir);
  void look();
  return () => {
    stopped = true;
    unwatch();
  };
}

const isLeftOut = (path: string) => /\/(node_modules|\.git)(\/|$)/.test(path);
const wanted = (path: string) => source.test(path) && !isLeftOut(path);
