// What the language service would change, with the texts that its offsets are about. It is asked until two answers have the same texts after them:
// then the second is about these.
import type { CodeChange } from './code-intelligence';
import type { FileTextChanges, LanguageFunctions } from './typescript-language';

const patience = 4;

/** Undefined when the files move on faster than the service answers; `ask` that answers undefined has nothing to change. */
export async function steadyChange(
  service: LanguageFunctions,
  pathOf: (name: string) => string,
  ask: () => Promise<readonly FileTextChanges[] | undefined>,
): Promise<CodeChange | undefined> {
  let known: ReadonlyMap<string, string | undefined> | undefined;
  for (let attempt = 0; attempt < patience; attempt++) {
    const found = await ask();
    if (found === undefined) return undefined;
    const texts = new Map<string, string | undefined>();
    for (const { fileName } of found)
      if (!texts.has(fileName)) texts.set(fileName, await service.getScriptText(fileName));
    if (known !== undefined && [...texts].every(([name, text]) => known!.has(name) && known!.get(name) === text))
      return changeOf(found, texts, pathOf);
    known = texts;
  }
  return undefined;
}

function changeOf(
  found: readonly FileTextChanges[],
  texts: ReadonlyMap<string, string | undefined>,
  pathOf: (name: string) => string,
): CodeChange {
  const change: CodeChange = { edits: new Map(), created: new Map() };
  for (const { fileName, textChanges } of found) {
    const path = pathOf(fileName);
    const base = texts.get(fileName);
    if (base === undefined) {
      change.created.set(path, textChanges.map((one) => one.newText).join(''));
      continue;
    }
    const edits = textChanges.map(({ span, newText }) => ({
      start: span.start,
      end: span.start + span.length,
      text: newText,
    }));
    if (edits.length > 0) change.edits.set(path, { base, edits: [...(change.edits.get(path)?.edits ?? []), ...edits] });
  }
  return change;
}
