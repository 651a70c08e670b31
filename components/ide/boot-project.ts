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

/** What the engine's steps are called for people, and which part of the start they are: loading is most of it on a slow line. */
const steps: Record<string, { words: string; from: number; to: number }> = {
  frame: { words: 'Opening the sandbox', from: 0, to: 0 },
  kernel: { words: 'Looking for the engine', from: 0, to: 0 },
  assets: { words: 'Loading the engine', from: 0, to: 0.8 },
  process: { words: 'Starting Node', from: 0.85, to: 0.85 },
  files: { words: 'Bringing back your files', from: 0.85, to: 0.95 },
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
    let reached = 0;
    const tell = (what: string, fraction: number) => {
      const step = steps[what];
      if (step === undefined) return;
      // Files come back while the engine is still being loaded.
      reached = Math.max(reached, step.from + (step.to - step.from) * fraction);
      onProgress({ step: step.words, fraction: reached });
    };
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
      onProgress: tell,
    });
    if (signal.aborted) {
      await sandbox.dispose();
      signal.throwIfAborted();
    }
    return sandbox;
  };
