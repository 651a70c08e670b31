// A folder, or the whole project, into the person's downloads: what takes a while says how far it is and can be stopped.

import { exportZip, zipName } from '../../lib/project/zip-export';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { counted } from '../../lib/std/counted';
import type { Documents } from '../editor/documents';
import { showError, showProgress, showToast } from '../ui/toasts';
import { saveBlob } from './save-blob';

/** Shorter work needs no notice. */
const quietMs = 300;
const sayEveryMs = 200;

/** Packs `folder` (default: the project) and hands it to the browser under the name of `title`; failures are told in a notice. */
export async function downloadZip(
  sandbox: Sandbox,
  documents: Documents,
  title: string,
  folder?: string,
): Promise<void> {
  const name = zipName(title);
  const stop = new AbortController();
  let files = 0;
  let progress: ReturnType<typeof showProgress> | undefined;
  const words = () => (files === 0 ? `Packing ${name}…` : `Packing ${name}: ${counted(files, 'file')}…`);
  const say = () => {
    progress ??= showProgress(words(), () => stop.abort());
    progress.say(words());
  };
  const starting = setTimeout(say, quietMs);
  let saidAtMs = performance.now();
  try {
    await documents.saveAll();
    const bytes = await exportZip(sandbox, folder, {
      signal: stop.signal,
      onProgress(done) {
        files = done;
        if (performance.now() - saidAtMs < sayEveryMs || !progress) return;
        saidAtMs = performance.now();
        say();
      },
    });
    saveBlob(name, bytes);
    if (progress) showToast(`Packed ${name}: ${counted(files, 'file')}`);
  } catch (error) {
    if (!stop.signal.aborted) showError(`Could not pack ${name}`, error);
  } finally {
    clearTimeout(starting);
    progress?.done();
  }
}
