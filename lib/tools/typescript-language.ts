// What is used of TypeScript's language service. The same functions exist in Monaco's worker (with ours added) and in the `typescript` package, so this
// names their shape and knows neither.
import type { CodePlace } from './code-intelligence';

export interface Span {
  start: number;
  length: number;
}

export interface Located {
  fileName: string;
  textSpan: Span;
}

type MessageText = string | { messageText: string; next?: MessageText[] };

export interface Diagnostic {
  start?: number | undefined;
  length?: number | undefined;
  category: number;
  code: number;
  messageText: MessageText;
}

export interface Tree {
  text: string;
  kind: string;
  spans: Span[];
  childItems?: Tree[] | undefined;
}

export type Text = { text: string }[] | undefined;

/** What is to become of one file. */
export interface FileTextChanges {
  fileName: string;
  textChanges: readonly { span: Span; newText: string }[];
  isNewFile?: boolean | undefined;
}

export interface CodeFix {
  description: string;
  changes: readonly FileTextChanges[];
  /** What else would have to be done, by whoever runs the service: nothing here can. */
  commands?: readonly unknown[] | undefined;
  /** Set when the same can be done about all errors of the kind. */
  fixId?: unknown;
  fixAllDescription?: string | undefined;
}

/** TypeScript's `FormatCodeSettings`, as far as they follow from a text. */
export interface FormatSettings {
  indentSize: number;
  tabSize: number;
  convertTabsToSpaces: boolean;
  newLineCharacter: string;
}

/** What is used of `typescript.LanguageService` and of our `TypeScriptWorker`. */
export interface LanguageFunctions {
  getScriptText(fileName: string): Promise<string | undefined>;
  getSyntacticDiagnostics(fileName: string): Promise<Diagnostic[]>;
  getSemanticDiagnostics(fileName: string): Promise<Diagnostic[]>;
  getSuggestionDiagnostics(fileName: string): Promise<Diagnostic[]>;
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
  getCodeFixesAtPosition(
    fileName: string,
    start: number,
    end: number,
    codes: number[],
    format: FormatSettings,
  ): Promise<readonly CodeFix[]>;
  /** The fix of that id for all errors of the file. */
  combinedFix(fileName: string, fixId: unknown, format: FormatSettings): Promise<readonly FileTextChanges[]>;
  organizedImports(fileName: string, format: FormatSettings): Promise<readonly FileTextChanges[]>;
}

/** A message with all that it says about its causes, on one line. */
export function flatMessage(message: MessageText): string {
  if (typeof message === 'string') return message;
  return [message.messageText, ...(message.next ?? []).map(flatMessage)].join(' ');
}

/** Where an offset lies. */
export function placeOf(path: string, text: string, offset: number): CodePlace {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { path, line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** A place beyond the end of its line is its end. */
export function offsetOf(text: string, { line, column }: CodePlace): number {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, start + Math.min(column - 1, lines[line - 1]?.length ?? 0));
}

/** How new lines are written so that they look like those of this text. */
export function formatOf(text: string): FormatSettings {
  const indents = [...text.matchAll(/^([ \t]+)\S/gm)].slice(0, 200).map((match) => match[1]!);
  const isTabbed = indents.filter((one) => one.startsWith('\t')).length * 2 > indents.length;
  const widths = indents.filter((one) => !one.includes('\t') && one.length > 1).map((one) => one.length);
  const width = isTabbed || widths.length === 0 ? 2 : Math.min(...widths, 8);
  return {
    indentSize: isTabbed ? 4 : width,
    tabSize: isTabbed ? 4 : width,
    convertTabsToSpaces: !isTabbed,
    newLineCharacter: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
