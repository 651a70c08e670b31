// What the person said about the files that a project brings. A yes is for exactly those bytes: what is new or was changed is asked again.
import type { BroughtFile } from './scan-project';

/** By path: the hash that was judged, and how. */
export type TrustRecord = Record<string, { hash: string; use: boolean }>;

/** Kept in the IDE's origin, where no program of the project can write. */
export interface TrustStore {
  load(): TrustRecord;
  save(record: TrustRecord): void;
}

/** `used`: the person said yes to these bytes. `open`: not asked yet. The rest was refused. */
export function judge(
  files: readonly BroughtFile[],
  record: TrustRecord,
): { used: BroughtFile[]; open: BroughtFile[] } {
  const said = (file: BroughtFile) => {
    const one = Object.hasOwn(record, file.path) ? record[file.path] : undefined;
    return one?.hash === file.hash ? one.use : undefined;
  };
  return {
    used: files.filter((file) => said(file) === true),
    open: files.filter((file) => said(file) === undefined),
  };
}

/** The record with what the person said now; nothing of a record that can't be read counts. */
export function withDecisions(
  record: TrustRecord,
  decisions: readonly { file: Pick<BroughtFile, 'path' | 'hash'>; use: boolean }[],
): TrustRecord {
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
