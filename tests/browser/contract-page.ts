// Runs one case of the sandbox contract on the embedded backend, inside the page.

import { contractCases } from '../../lib/sandbox/contract';
import { createEmbeddedSandbox } from '../../lib/sandbox/embedded';

declare global {
  interface Window {
    contract: { run(name: string, hostUrl: string): Promise<void> };
  }
}

let booted: ReturnType<typeof createEmbeddedSandbox> | undefined;

window.contract = {
  async run(name, hostUrl) {
    booted ??= createEmbeddedSandbox({ hostUrl, previewUrl: (port) => `http://preview.invalid/${port}` });
    const sandbox = await booted;
    for (const entry of await sandbox.fs.list(sandbox.workdir))
      await sandbox.fs.remove(`${sandbox.workdir}/${entry.name}`);
    const found = contractCases.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`There is no contract case "${name}".`);
    await found.run(sandbox);
  },
};
