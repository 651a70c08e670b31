// The sandbox as somebody sees it who looks over the person's shoulder: text that was typed and not saved yet is what a file holds, and what a
// tool writes goes into the editor's buffer (one step of its undo) and to the file. Commands only know files, so all is saved before one starts.
import { textMatches } from '../sandbox/memory-search';
import type { Sandbox, SearchOptions, TextMatch } from '../sandbox/sandbox';
import { searchExpression } from '../sandbox/search-expression';
import { escapeGlob, globMatcher } from '../std/glob';
import { isInside } from '../std/paths';
import { searchableText } from '../std/text-file';

/** The editor's side. A file with a conflict that the person must settle, or one that is gone, is not among these: there the disk is the truth. */
export interface OpenBuffers {
  /** Files with text that was typed and not saved. */
  unsavedPaths(): string[];
  /** The bytes that saving would write, or undefined when there is nothing unsaved. Throws a SandboxError when they can't be made. */
  unsaved(path: string): Uint8Array | undefined;
  /**
   * Puts what a tool wrote into the buffer as one undoable step, and writes the file. `base`: what the tool read; typing since then is merged in, and
   * a SandboxError says that it can't be. False when no such text is open: then nothing was done.
   */
  write(path: string, contents: Uint8Array, base: Uint8Array | undefined): Promise<boolean>;
  /** To be told after a file was moved. */
  moved(from: string, to: string): Promise<void>;
  /** Saves what can be saved. */
  saveAll(): Promise<void>;
}

/** A view of `sandbox`; without unsaved text it is the same. */
export function bufferedSandbox(sandbox: Sandbox, buffers: OpenBuffers): Sandbox {
  const { fs, search } = sandbox;
  const bases = new Map<string, Uint8Array>();
  const read = async (path: string) => {
    const unsaved = buffers.unsaved(path);
    const bytes = unsaved ?? (await fs.read(path));
    if (unsaved === undefined) bases.delete(path);
    else bases.set(path, unsaved);
    return bytes;
  };
  const saveBelow = async (path: string) => {
    for (const one of buffers.unsavedPaths().filter((other) => isInside(other, path))) {
      const bytes = buffers.unsaved(one);
      if (bytes !== undefined) await buffers.write(one, bytes, bytes);
    }
  };
  return {
    ...sandbox,
    fs: {
      ...fs,
      read,
      readText: async (path) => (buffers.unsaved(path) === undefined ? fs.readText(path) : textOf(await read(path))),
      async stat(path) {
        const stat = await fs.stat(path);
        const unsaved = buffers.unsaved(path);
        return unsaved === undefined ? stat : { ...stat, size: unsaved.length };
      },
      async write(path, contents) {
        const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
        if (!(await buffers.write(path, bytes, bases.get(path)))) await fs.write(path, contents);
        bases.delete(path);
      },
      async move(from, to) {
        await saveBelow(from);
        await fs.move(from, to);
        await buffers.moved(from, to);
      },
      async copy(from, to) {
        await saveBelow(from);
        await fs.copy(from, to);
      },
    },
    search: {
      ...search,
      async text(options) {
        const found = await search.text(options);
        const typed = await unsavedWithin(sandbox, buffers, options);
        if (typed.length === 0) return found;
        const matches: TextMatch[] = found.matches.filter((match) => !typed.includes(match.path));
        const expression = searchExpression(options);
        for (const path of typed) {
          const text = textOf(buffers.unsaved(path) ?? (await fs.read(path)));
          let left = options.maxPerFile ?? Number.POSITIVE_INFINITY;
          for (const match of textMatches(text, expression, options.multiline ?? false)) {
            if (left-- <= 0) break;
            matches.push({ path, ...match });
          }
        }
        matches.sort((a, b) => (a.path === b.path ? a.line - b.line || a.column - b.column : a.path < b.path ? -1 : 1));
        const limit = options.maxResults ?? Number.POSITIVE_INFINITY;
        return { ...found, matches: matches.slice(0, limit), truncated: found.truncated || matches.length > limit };
      },
    },
    async spawn(command, args, options) {
      await buffers.saveAll();
      return sandbox.spawn(command, args, options);
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return searchableText(bytes)?.text ?? new TextDecoder().decode(bytes);
}

/** The unsaved files that a search would look into. */
async function unsavedWithin(sandbox: Sandbox, buffers: OpenBuffers, options: SearchOptions): Promise<string[]> {
  const root = options.path === '/' ? '' : options.path;
  const included = options.include === undefined ? () => true : globMatcher(options.include);
  const within: string[] = [];
  for (const path of buffers.unsavedPaths()) {
    const relative = path.slice(root.length + 1);
    if (!isInside(path, options.path) || path === options.path || !included(relative)) continue;
    const { respectIgnore, signal } = options;
    const { paths } = await sandbox.search.files({
      path: options.path,
      pattern: `/${escapeGlob(relative)}`,
      ...(respectIgnore === undefined ? {} : { respectIgnore }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (paths.includes(path)) within.push(path);
  }
  return within;
}
