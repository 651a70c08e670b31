// TypeScript's language service as CodeIntelligence.
import { sleep } from '../std/signals';
import type { CodeError, CodeIntelligence, CodePlace, CodeSymbol } from './code-intelligence';
import { typescriptActions } from './typescript-actions';
import { steadyChange } from './typescript-changes';
import {
  flatMessage,
  formatOf,
  type LanguageFunctions,
  type Located,
  offsetOf,
  placeOf,
  type Text,
  type Tree,
} from './typescript-language';

interface TypeScriptOptions {
  /** The one that knows the file: TypeScript's or JavaScript's. */
  serviceFor(path: string): Promise<LanguageFunctions>;
  nameOf(path: string): string;
  pathOf(name: string): string;
  /** Codes that are nobody's mistake here. */
  isIgnored?(code: number): boolean;
}

const covered = /\.[cm]?[jt]sx?$/;
const errorCategory = 1;
const pollMs = 50;
/** So often is a text judged again that moved on meanwhile. */
const judgements = 3;

/** Answers about TypeScript and JavaScript files. */
export function typescriptIntelligence({ serviceFor, nameOf, pathOf, isIgnored }: TypeScriptOptions): CodeIntelligence {
  async function at<Answer>(
    place: CodePlace,
    ask: (service: LanguageFunctions, name: string, position: number) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const service = await serviceFor(place.path);
    const name = nameOf(place.path);
    const text = await service.getScriptText(name);
    if (text === undefined) return undefined;
    return ask(service, name, offsetOf(text, place));
  }

  async function placesOf(found: readonly Located[] | undefined): Promise<CodePlace[]> {
    const texts = new Map<string, string | undefined>();
    const places: CodePlace[] = [];
    for (const { fileName, textSpan } of found ?? []) {
      const path = pathOf(fileName);
      if (!texts.has(fileName)) texts.set(fileName, await (await serviceFor(path)).getScriptText(fileName));
      const text = texts.get(fileName);
      if (text !== undefined) places.push(placeOf(path, text, textSpan.start));
    }
    return places;
  }

  return {
    covers: (path) => covered.test(path),
    async knows(path, text, timeoutMs) {
      const service = await serviceFor(path);
      for (let waitedMs = 0; ; waitedMs += pollMs) {
        if ((await service.getScriptText(nameOf(path))) === text) return true;
        if (waitedMs >= timeoutMs) return false;
        await sleep(pollMs);
      }
    },
    async errors(path) {
      const service = await serviceFor(path);
      const name = nameOf(path);
      for (let attempt = 0; attempt < judgements; attempt++) {
        const text = await service.getScriptText(name);
        if (text === undefined) return undefined;
        const found = [
          ...(await service.getSyntacticDiagnostics(name)),
          ...(await service.getSemanticDiagnostics(name)),
        ];
        if ((await service.getScriptText(name)) !== text) continue;
        const errors = found
          .filter((one) => one.category === errorCategory && isIgnored?.(one.code) !== true)
          .map((one): CodeError => ({ ...placeOf(path, text, one.start ?? 0), message: flatMessage(one.messageText) }));
        return { text, errors };
      }
      return undefined;
    },
    definition: async (place) =>
      placesOf(await at(place, (service, name, position) => service.getDefinitionAtPosition(name, position))),
    references: async (place) =>
      placesOf(await at(place, (service, name, position) => service.getReferencesAtPosition(name, position))),
    async hover(place) {
      const found = await at(place, (service, name, position) => service.getQuickInfoAtPosition(name, position));
      const text = [joined(found?.displayParts), joined(found?.documentation)].filter(Boolean).join('\n\n');
      return text || undefined;
    },
    async symbols(path) {
      const service = await serviceFor(path);
      const text = await service.getScriptText(nameOf(path));
      const tree = await service.getNavigationTree(nameOf(path));
      return text === undefined ? [] : symbolsOf(path, text, tree?.childItems, 0);
    },
    async rename(place, newName) {
      const service = await serviceFor(place.path);
      const name = nameOf(place.path);
      const text = (await service.getScriptText(name)) ?? '';
      const position = offsetOf(text, place);
      const able = await service.getRenameInfo(name, position, {});
      if (!able.canRename) return { refused: able.localizedErrorMessage ?? 'Nothing here has a name.' };
      const change = await steadyChange(service, pathOf, async () => {
        const found = await service.findRenameLocations(name, position, false, false, true);
        if ((await service.getScriptText(name)) !== text) return undefined;
        return found?.map(({ fileName, textSpan, prefixText = '', suffixText = '' }) => ({
          fileName,
          textChanges: [{ span: textSpan, newText: `${prefixText}${newName}${suffixText}` }],
        }));
      });
      return change === undefined ? { refused: 'The files are being changed. Try again.' } : { change };
    },
    async actions(path, line) {
      const source = { service: await serviceFor(path), path, name: nameOf(path), pathOf };
      return typescriptActions({ ...source, isIgnored: (code) => isIgnored?.(code) === true }, line);
    },
    async organizeImports(path) {
      const service = await serviceFor(path);
      return steadyChange(service, pathOf, async () => {
        const text = await service.getScriptText(nameOf(path));
        return text === undefined ? undefined : service.organizedImports(nameOf(path), formatOf(text));
      });
    },
  };
}

function symbolsOf(path: string, text: string, trees: readonly Tree[] | undefined, depth: number): CodeSymbol[] {
  return (trees ?? []).flatMap((tree) => [
    { ...placeOf(path, text, tree.spans[0]?.start ?? 0), name: tree.text, kind: tree.kind, depth },
    ...symbolsOf(path, text, tree.childItems, depth + 1),
  ]);
}

function joined(parts: Text): string {
  return parts?.map((part) => part.text).join('') ?? '';
}
