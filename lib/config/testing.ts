// For tests: the fixture project, in the style of projects that were made for OpenCode, and a trust that a test decides.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMemorySandbox, type MemoryOptions } from '../sandbox/memory';
import type { Sandbox } from '../sandbox/sandbox';
import { createProjectCustoms } from './project-customs';
import { storedTrust } from './trust';

/** The fixture's folder on this machine. */
export const fixtureFolder = fileURLToPath(new URL('../../tests/fixtures/opencode-project', import.meta.url));

/** Its files by path. */
export function fixtureFiles(): Record<string, string> {
  const entries = readdirSync(fixtureFolder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .map((path) => [path.slice(fixtureFolder.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** Storage as a browser has it. */
export function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** Customs of a memory sandbox with these files, looked at and not trusted yet. */
export async function customsOf(
  files: Record<string, string>,
  { person = '', ...memory }: { person?: string } & MemoryOptions = {},
) {
  const sandbox: Sandbox = await createMemorySandbox({ ...memory, files });
  const storage = memoryStorage();
  const customs = createProjectCustoms({ sandbox, trust: storedTrust('p', storage), personConfig: () => person });
  await customs.look();
  /** Says yes to everything. */
  const trustAll = () => customs.decide(customs.state().files.map((file) => ({ file, use: true })));
  return { sandbox, customs, trustAll, storage };
}
