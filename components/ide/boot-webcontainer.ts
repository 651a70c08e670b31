// A project on a WebContainer. Its host can be out of reach, and its client can't be asked twice in one page: so the way back to Cloche's own engine is
// offered from the first moment.
import { BootFailure, type BootProgress, type BootSandbox, type Instead } from './boot';
import { chooseComputer } from './settings';

/** Where the server has the program that runs in the container. */
const AGENT_URL = '/engine/agent.js';

const useCloche: Instead = {
  label: 'Use Cloche’s engine',
  choose: () => chooseComputer('cloche'),
};

/** Boots a container; rejects with a BootFailure that says what is out of reach. */
export const bootWebContainer: BootSandbox = async (project, onProgress: (progress: BootProgress) => void, signal) => {
  onProgress({ step: 'Loading', instead: useCloche });
  const { createWebContainerSandbox } = await import('../../lib/sandbox/webcontainer');
  const { webContainerHost } = await import('../../lib/sandbox/webcontainer-boot');
  signal.throwIfAborted();
  const steps = {
    container: `Waiting for ${new URL(webContainerHost()).host}`,
    agent: 'Starting Node in the container',
    files: 'Bringing back your files',
  };
  try {
    return await createWebContainerSandbox({
      signal,
      agentSource,
      keepAs: project.id,
      onProgress: (what, fraction) => onProgress({ step: steps[what], fraction, instead: useCloche }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new BootFailure((error as Error).message, { needsReload: true, instead: useCloche, cause: error });
  }
};

async function agentSource(): Promise<string> {
  const response = await fetch(AGENT_URL);
  if (!response.ok) throw new Error(`${AGENT_URL} answered ${response.status}`);
  return response.text();
}
