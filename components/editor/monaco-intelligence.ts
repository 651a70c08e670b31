// The editor's language service for the agent's tools. It is loaded when a tool first needs it, and follows the project's sources whether or not an
// editor is open.
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { sleep } from '../../lib/std/signals';
import type { CodeIntelligence } from '../../lib/tools/code-intelligence';
import { typescriptIntelligence } from '../../lib/tools/typescript-intelligence';
import type { LanguageFunctions } from '../../lib/tools/typescript-language';

/** `dispose` ends the following of the sources. */
export function monacoIntelligence(sandbox: Sandbox): CodeIntelligence & { dispose(): void } {
  let loading: ReturnType<typeof load> | undefined;
  let stop: (() => void) | undefined;
  let isOver = false;

  async function load() {
    const [{ monaco, isUnknowable }, { followSources }] = await Promise.all([
      import('./monaco'),
      import('./typescript-project'),
    ]);
    if (!isOver) stop = followSources(sandbox);
    // The services start with the first model of their language.
    for (const language of ['typescript', 'javascript']) monaco.editor.createModel('', language).dispose();
    return { monaco, isUnknowable };
  }

  let ignored: (code: number) => boolean = () => false;
  const code = typescriptIntelligence({
    async serviceFor(path) {
      loading ??= load();
      const { monaco, isUnknowable } = await loading;
      ignored = isUnknowable;
      const { typescript } = monaco;
      const uri = monaco.Uri.file(path);
      const worker = /\.[cm]?jsx?$/.test(path)
        ? await untilRegistered(typescript.getJavaScriptWorker)
        : await untilRegistered(typescript.getTypeScriptWorker);
      // Our worker (workers/ts.worker.ts) has the same functions; its types call what they give `any`.
      return (await worker(uri)) as unknown as LanguageFunctions;
    },
    nameOf: (path) => `file://${encodeURI(path)}`,
    pathOf: (name) => decodeURIComponent(new URL(name).pathname),
    isIgnored: (one) => ignored(one),
  });
  return {
    ...code,
    dispose() {
      isOver = true;
      stop?.();
    },
  };
}

const patienceMs = 10_000;
const pollMs = 50;

/** The language registers a moment after its first model. */
async function untilRegistered<Worker>(get: () => Promise<Worker>): Promise<Worker> {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    try {
      return await get();
    } catch (error) {
      if (waitedMs >= patienceMs) throw error;
      await sleep(pollMs);
    }
  }
}
