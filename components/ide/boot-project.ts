// The real computer of a project: Cloche's engine in a hidden frame on the sandbox's origin. Its code is loaded when a project is opened.
import type { BootProgress, BootSandbox } from './boot';

/** What the engine's steps are called for people. */
const steps: Record<string, string> = {
  frame: 'Opening the sandbox',
  manifest: 'Looking for the engine',
  assets: 'Loading the engine',
  image: 'Unpacking the system',
  process: 'Starting Node',
};

/** Hosts are below the IDE's own, so that one wildcard domain is all a deployment needs. */
function hostBelow(label: string): string {
  return `${location.protocol}//${label}.${location.host}`;
}

/** Boots the engine for a project; its ports are shown on `p-<project>-<port>` hosts. */
export const bootProject: BootSandbox = async (project, onProgress: (progress: BootProgress) => void, signal) => {
  onProgress({ step: 'Loading' });
  const { createEmbeddedSandbox } = await import('../../lib/sandbox/embedded');
  signal.throwIfAborted();
  const sandbox = await createEmbeddedSandbox({
    hostUrl: `${hostBelow('sandbox')}/engine/host.html`,
    previewUrl: (port) => `${hostBelow(`p-${project.id}-${port}`)}/`,
    onProgress: (what, fraction) => onProgress({ step: steps[what] ?? 'Starting', fraction }),
  });
  if (signal.aborted) {
    await sandbox.dispose();
    signal.throwIfAborted();
  }
  return sandbox;
};
