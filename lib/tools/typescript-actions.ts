// Quick fixes: what TypeScript can do about its errors and hints, one by one and all of a kind in a file.
import type { CodeAction, CodeError } from './code-intelligence';
import { steadyChange } from './typescript-changes';
import {
  type CodeFix,
  type Diagnostic,
  flatMessage,
  formatOf,
  type LanguageFunctions,
  placeOf,
} from './typescript-language';

export interface ActionSource {
  service: LanguageFunctions;
  path: string;
  name: string;
  pathOf(name: string): string;
  isIgnored(code: number): boolean;
}

/** A file full of errors is asked about this many. */
const maxDiagnostics = 60;

/** In the order of the file; undefined when its text moved on meanwhile, or is not known. */
export async function typescriptActions(
  { service, path, name, pathOf, isIgnored }: ActionSource,
  line: number | undefined,
): Promise<{ text: string; actions: CodeAction[] } | undefined> {
  const text = await service.getScriptText(name);
  if (text === undefined) return undefined;
  const format = formatOf(text);
  const isSame = async () => (await service.getScriptText(name)) === text;
  const fixesOf = ({ start = 0, length = 0, code }: Diagnostic) =>
    service.getCodeFixesAtPosition(name, start, start + length, [code], format);
  const actions: CodeAction[] = [];
  const forAll = new Map<string, CodeAction>();

  function add(diagnostic: Diagnostic, error: CodeError, fix: CodeFix): void {
    actions.push({
      title: fix.description,
      error,
      isForAll: false,
      change: () =>
        steadyChange(service, pathOf, async () => {
          const again = (await fixesOf(diagnostic)).find((one) => one.description === fix.description);
          return (await isSame()) ? again?.changes : undefined;
        }),
    });
    const { fixId, fixAllDescription: title } = fix;
    if (fixId === undefined || title === undefined || forAll.has(title)) return;
    forAll.set(title, {
      title,
      error,
      isForAll: true,
      change: () =>
        steadyChange(service, pathOf, async () => {
          const changes = await service.combinedFix(name, fixId, format);
          return (await isSame()) ? changes : undefined;
        }),
    });
  }

  const found = [
    ...(await service.getSyntacticDiagnostics(name)),
    ...(await service.getSemanticDiagnostics(name)),
    ...(await service.getSuggestionDiagnostics(name)),
  ]
    .filter((one) => !isIgnored(one.code))
    .map((one) => ({ one, error: { ...placeOf(path, text, one.start ?? 0), message: flatMessage(one.messageText) } }))
    .filter(({ error }) => line === undefined || error.line === line)
    .sort((a, b) => a.error.line - b.error.line || a.error.column - b.error.column);
  for (const { one, error } of found.slice(0, maxDiagnostics))
    for (const fix of await fixesOf(one)) if (!fix.commands?.length && fix.changes.length > 0) add(one, error, fix);
  return (await isSame()) ? { text, actions: [...actions, ...forAll.values()] } : undefined;
}
