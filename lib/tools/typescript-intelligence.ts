// TypeScript's language service as CodeIntelligence. The same functions exist in Monaco's worker and in the `typescript` package, so this is written
// against their shape and knows neither.
import { sleep } from '../std/signals';
import type { CodeEdit, CodeError, CodeIntelligence, CodePlace, CodeSymbol } from './code-intelligence';

interface Span {
  start: number;
  length: number;
}
interface Located {
  fileName: string;
  textSpan: Span;
}
type MessageText = string | { messageText: string; next?: MessageText[] };
interface Diagnostic {
  start?: number | undefined;
  category: number;
  code: number;
  messageText: MessageText;
}
interface Tree {
  text: string;
  kind: string;
  spans: Span[];
  childItems?: Tree[] | undefined;
}
type Text = { text: string }[] | undefined;

/** What is used of `typescript.LanguageService` and of Monaco's `TypeScriptWorker`. */
export interface LanguageFunctions {
  getScriptText(fileName: string): Promise<string | undefined>;
  getSyntacticDiagnostics(fileName: string): Promise<Diagnostic[]>;
  getSemanticDiagnostics(fileName: string): Promise<Diagnostic[]>;
  getDefinitionAtPosition(fileName: string, position: number): Promise<readonly Located[] | undefined>;
  getReferencesAtPosition(fileName: string, position: number): Promise<readonly Located[] | undefined>;
  getQuickInfoAtPosition(
    fileName: string,
    position: number,
  ): Promise<{ displayParts?: Text; documentation?: Text } | undefined>;
  getNavigationTree(fileName: string): Promise<Tree | undefined>;
  getRenameInfo(
    fileName: string,
    position: number,
    options: object,
  ): Promise<{ canRename: boolean; localizedErrorMessage?: string }>;
  findRenameLocations(
    fileName: string,
    position: number,
    inStrings: boolean,
    inComments: boolean,
    withAffixes: boolean,
  ): Promise<readonly (Located & { prefixText?: string; suffixText?: string })[] | undefined>;
}

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
      const text = await service.getScriptText(name);
      if (text === undefined) return [];
      const found = [...(await service.getSyntacticDiagnostics(name)), ...(await service.getSemanticDiagnostics(name))];
      return found
        .filter((one) => one.category === errorCategory && isIgnored?.(one.code) !== true)
        .map((one): CodeError => ({ ...placeOf(path, text, one.start ?? 0), message: flat(one.messageText) }));
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
      const able = await at(place, (service, name, position) => service.getRenameInfo(name, position, {}));
      if (!able?.canRename) return { refused: able?.localizedErrorMessage ?? 'Nothing here has a name.' };
      const found = await at(place, (service, name, position) =>
        service.findRenameLocations(name, position, false, false, true),
      );
      const edits = new Map<string, CodeEdit[]>();
      for (const { fileName, textSpan, prefixText = '', suffixText = '' } of found ?? []) {
        const path = pathOf(fileName);
        const text = `${prefixText}${newName}${suffixText}`;
        edits.set(path, [
          ...(edits.get(path) ?? []),
          { start: textSpan.start, end: textSpan.start + textSpan.length, text },
        ]);
      }
      return { edits };
    },
  };
}

function symbolsOf(path: string, text: string, trees: readonly Tree[] | undefined, depth: number): CodeSymbol[] {
  return (trees ?? []).flatMap((tree) => [
    { ...placeOf(path, text, tree.spans[0]?.start ?? 0), name: tree.text, kind: tree.kind, depth },
    ...symbolsOf(path, text, tree.childItems, depth + 1),
  ]);
}

function placeOf(path: string, text: string, offset: number): CodePlace {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { path, line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** A place beyond the end of its line is its end. */
function offsetOf(text: string, { line, column }: CodePlace): number {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, start + Math.min(column - 1, lines[line - 1]?.length ?? 0));
}

function flat(message: MessageText): string {
  if (typeof message === 'string') return message;
  return [message.messageText, ...(message.next ?? []).map(flat)].join(' ');
}

function joined(parts: Text): string {
  return parts?.map((part) => part.text).join('') ?? '';
}
