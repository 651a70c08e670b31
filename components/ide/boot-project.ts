// The real computer of a project: by the person's choice Cloche's engine in a hidden frame on the sandbox's origin, or a WebContainer. The code of
// either is loaded when a project is opened.

import { previewIdsOf } from '../../lib/sandbox/preview-origins';
import { engineHostUrl, parseSiteOrigins, previewOrigin, SITE_ORIGINS_NAME } from '../../lib/std/site-origins';
import type { BootProgress, BootSandbox } from './boot';
import { bootWebContainer } from './boot-webcontainer';
import { hasEarlyFrame, takeEarlyFrame } from './early-frame';
import { afterEditor } from './first-output';
import { settings } from './settings';

const loadEmbedded = () => import('../../lib/sandbox/embedded');
// Beside the IDE's own code, when this page starts the engine.
if (hasEarlyFrame()) loadEmbedded().catch(() => {});

/** What the engine's steps are called for people. */
const steps: Record<string, string> = {
  frame: 'Opening the sandbox',
  kernel: 'Looking for the engine',
  assets: 'Loading the engine',
  image: 'Unpacking the system',
  process: 'Starting Node',
  files: 'Bringing back your files',
};

/** Boots the computer that the person has chosen. */
export const bootProject: BootSandbox = (project, onProgress, signal) => {
  const frame = takeEarlyFrame();
  if (settings.get().computer === 'webcontainer') {
    frame?.remove();
    return bootWebContainer(project, onProgress, signal);
  }
  return bootEmbedded(frame)(project, onProgress, signal).catch((error: unknown) => {
    // A boot that failed before it came to the frame: nobody else will take it.
    frame?.remove();
    throw error;
  });
};

/** Ports are shown on hosts named by project and port. */
const bootEmbedded =
  (frame: HTMLIFrameElement | undefined): BootSandbox =>
  async (project, onProgress: (progress: BootProgress) => void, signal) => {
    onProgress({ step: 'Loading' });
    const [{ createEmbeddedSandbox }, previewId] = await Promise.all([loadEmbedded(), previewIdsOf(project.id)]);
    signal.throwIfAborted();
    const meta = document.querySelector<HTMLMetaElement>(`meta[name="${SITE_ORIGINS_NAME}"]`);
    const origins = parseSiteOrigins(meta?.content);
    const sandbox = await createEmbeddedSandbox({
      hostUrl: engineHostUrl(origins),
      frame,
      keepAs: project.id,
      settled: afterEditor,
      previewUrl: (port) => `${previewOrigin(origins, previewId(port))}/`,
      onProgress: (what, fraction) => onProgress({ step: steps[what] ?? 'Starting', fraction }),
    });
    if (signal.aborted) {
      await sandbox.dispose();
      signal.throwIfAborted();
    }
    return sandbox;
  };
