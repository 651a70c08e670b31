// What the person said about what a project brings: its files, and the servers that they name. A yes is for exactly those bytes: what is new or
// was changed is asked again.

/** Something that is judged: a file by its path, a server by `serverPath` of its name; `hash`: SHA-256 of all that the yes covers. */
export interface Judged {
  path: string;
  hash: string;
}

/** Where the word on an MCP server is kept among those on files: no file is scanned at such a path. */
export function serverPath(name: string): string {
  return `mcp:${name}`;
}

/** By path: the hash that was judged, and how. */
export type TrustRecord = Record<string, { hash: string; use: boolean }>;

/** Kept in the IDE's origin, where no program of the project can write. */
export interface TrustStore {
  load(): TrustRecord;
  save(record: TrustRecord): void;
}

/** The person's word on exactly this; undefined: not asked yet. */
export function wordOn({ path, hash }: Judged, record: TrustRecord): boolean | undefined {
  const one = Object.hasOwn(record, path) ? record[path] : undefined;
  return one?.hash === hash ? one.use : undefined;
}

/** `used`: the person said yes to these bytes. `open`: not asked yet. The rest was refused. */
export function judge<One extends Judged>(files: readonly One[], record: TrustRecord): { used: One[]; open: One[] } {
  return {
    used: files.filter((file) => wordOn(file, record) === true),
    open: files.filter((file) => wordOn(file, record) === undefined),
  };
}

/** The record with what the person said now; nothing of a record that can't be read counts. */
export function withDecisions(record: TrustRecord, decisions: readonly { file: Judged; use: boolean }[]): TrustRecord {
  return { ...record, ...Object.fromEntries(decisions.map(({ file, use }) => [file.path, { hash: file.hash, use }])) };
}

/** The record of a project in the browser's storage. */
export function storedTrust(projectId: string, storage: Pick<Storage, 'getItem' | 'setItem'>): TrustStore {
  const key = `cloche:trust:${projectId}`;
  return {
    load() {
      const record: TrustRecord = {};
      try {
        for (const [path, one] of Object.entries(JSON.parse(storage.getItem(key) ?? '{}') as TrustRecord))
          if (typeof one?.hash === 'string' && typeof one.use === 'boolean') record[path] = one;
      } catch {
        return {};
      }
      return record;
    },
    save: (record) => storage.setItem(key, JSON.stringify(record)),
  };
}
