// Bringing skills, agents and commands in from files, and handing them out as files.
import { zipSync } from 'fflate';
import { type ChosenBytes, entriesIn, filesFor, type ReadEntries } from '../../lib/config/entry-files';
import type { EntryKind, OwnEntry } from '../../lib/config/own-entries';
import { readZipInSteps } from '../../lib/project/zip-import';
import { chooseFiles, chooseFolder } from '../files/choose-files';
import { saveBlob } from '../files/save-blob';

const maxBytes = 20 * 2 ** 20;
const tooLarge = () => new Error('That is more than 20 MB: choose the folder of the skill alone.');

/** What the person chose, as entries; undefined when they chose nothing. Rejects with an Error fit to show. */
export async function chooseEntries(kind: EntryKind, from: 'files' | 'folder'): Promise<ReadEntries | undefined> {
  const chosen = from === 'folder' ? await chooseFolder() : await chooseFiles('.md,.markdown,.zip', true);
  if (chosen.length === 0) return undefined;
  if (chosen.reduce((sum, { contents }) => sum + contents.size, 0) > maxBytes) throw tooLarge();
  const files: ChosenBytes[] = [];
  for (const { path, contents } of chosen) {
    const bytes = new Uint8Array(await contents.arrayBuffer());
    if (/\.zip$/i.test(path)) files.push(...unzipped(path, bytes));
    else if (!path.split('/').includes('.git')) files.push({ path, contents: bytes });
  }
  return entriesIn(kind, files);
}

/** What lies in it alone is named by it. */
function unzipped(name: string, bytes: Uint8Array): ChosenBytes[] {
  const steps = readZipInSteps(bytes, { maxFiles: 2000, maxBytes, maxDepth: 16, maxNameBytes: 255 });
  for (;;) {
    const step = steps.next();
    if (!step.done) continue;
    const files = step.value.filter(({ kind }) => kind === 'file');
    const folder = name.replace(/\.zip$/i, '');
    return files.map(({ path, contents }) => ({ path: path.includes('/') ? path : `${folder}/${path}`, contents }));
  }
}

/** Into the person's downloads: Markdown, or a zip of a skill that brings files. */
export async function saveEntry(entry: OwnEntry): Promise<void> {
  const files = (await filesFor(entry)).map(({ path, text }) => [path, new TextEncoder().encode(text)] as const);
  const [first] = files;
  if (files.length === 1) return saveBlob(first![0].split('/').at(-1)!, first![1]);
  saveBlob(`${first![0].split('/')[0]}.zip`, new Uint8Array(zipSync(Object.fromEntries(files))));
}
