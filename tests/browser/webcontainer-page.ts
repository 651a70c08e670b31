// Runs one case of the sandbox contract on the WebContainer backend, inside the page: the published client, and our own engine as its host.

import { WebContainer } from '@webcontainer/api';
import { contractCases } from '../../lib/sandbox/contract';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { createWebContainerSandbox } from '../../lib/sandbox/webcontainer';

declare global {
  interface Window {
    containers: {
      /** One case on a sandbox that all cases share. */
      run(name: string): Promise<void>;
      /** Boots with a limit of `timeoutMs`; the error's code and message when it fails. */
      boot(timeoutMs: number): Promise<string>;
      create(signal?: AbortSignal): Promise<Sandbox>;
      WebContainer: typeof WebContainer;
    };
  }
}

let booted: Promise<Sandbox> | undefined;

const create = (timeoutMs?: number, signal?: AbortSignal): Promise<Sandbox> =>
  createWebContainerSandbox({
    signal,
    timeoutMs,
    agentSource: async () => (await fetch('/engine/agent.js')).text(),
  });

window.containers = {
  WebContainer,
  create: (signal) => create(60_000, signal),
  boot: (timeoutMs) =>
    create(timeoutMs).then(
      async (sandbox) => {
        await sandbox.dispose();
        return 'booted';
      },
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    ),
  async run(name) {
    booted ??= create(60_000);
    const sandbox = await booted;
    for (const entry of await sandbox.fs.list(sandbox.workdir))
      await sandbox.fs.remove(`${sandbox.workdir}/${entry.name}`);
    const found = contractCases.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`There is no contract case "${name}".`);
    await found.run(sandbox);
  },
};
