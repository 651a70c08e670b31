// What the IDE's service worker keeps: every file that Next wrote for browsers. Read from the build itself, at run time, so that there is no
// list that could belong to another build.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Structure of `self.clocheIde` (engine/offline/offline-words.ts). */
export interface OfflineFiles {
  build: string;
  files: string[];
}

/** Next copies the sources of workers and maps there as well; no page loads them. */
const LOADED = /\.(?:js|css|woff2?|ttf|svg|png|wasm|json)$/;

/** The list for the build in `nextFolder` (`.next`). Throws when there is none. */
export function offlineFiles(nextFolder: string): OfflineFiles {
  const build = readFileSync(path.join(nextFolder, 'BUILD_ID'), 'utf8').trim();
  const folder = path.join(nextFolder, 'static');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => LOADED.test(name))
    .map((name) => `/_next/static/${name.split(path.sep).map(encodeURIComponent).join('/')}`)
    .sort();
  return { build, files };
}
