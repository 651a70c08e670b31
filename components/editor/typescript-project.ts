// What the language service knows beside the open files: the project's own sources, so that imports, F12 and completion work across files that
// were never opened. Bounded: a service that reads everything is slower than one that knows enough.
import { editor, typescript } from 'monaco-editor';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { isBuffer, judgeImports, uriOf } from './monaco';
import { projectSources } from './project-sources';

const maxFiles = 400;
const maxBytes = 256 * 1024;

const followed = new WeakMap<Sandbox, { count: number; stop: () => void }>();

/** Reads the sources and follows their changes, until the returned function is called. However many ask: they are read once. */
export function followSources(sandbox: Sandbox): () => void {
  const one = followed.get(sandbox) ?? { count: 0, stop: follow(sandbox) };
  followed.set(sandbox, one);
  one.count++;
  let left = false;
  return () => {
    if (left) return;
    left = true;
    if (--one.count > 0) return;
    followed.delete(sandbox);
    one.stop();
  };
}

function follow(sandbox: Sandbox): () => void {
  const libs = new Map<string, { dispose(): void }>();
  const stop = projectSources(sandbox, {
    maxFiles,
    maxBytes,
    tell(path, text) {
      libs.get(path)?.dispose();
      libs.delete(path);
      // A look at references makes a model of a source, which counts for more than what is told here.
      const model = editor.getModel(uriOf(path));
      if (model && !isBuffer(model)) {
        if (text === undefined) model.dispose();
        else if (model.getValue() !== text) model.setValue(text);
      }
      if (text === undefined) return;
      // Both services are told: a TypeScript file may import JavaScript, and the other way round.
      const uri = uriOf(path).toString();
      const added = [typescript.typescriptDefaults, typescript.javascriptDefaults].map((defaults) =>
        defaults.addExtraLib(text, uri),
      );
      libs.set(path, { dispose: () => added.forEach((lib) => void lib.dispose()) });
    },
    onWhole: judgeImports,
  });
  return () => {
    stop();
    judgeImports(false);
    for (const lib of libs.values()) lib.dispose();
  };
}
