// Colours of code outside of the editor: the editor's own tokenizers, once they are there, asked for data. Until then, and for languages that they do
// not know, code is plain text.
import { useEffect, useMemo, useState } from 'react';
import { afterFirstOutput } from '../ide/first-output';

export type CodeKind = 'comment' | 'string' | 'number' | 'keyword' | 'type' | 'function';

export interface CodePiece {
  text: string;
  kind?: CodeKind;
}

/** The pieces of each line; together they are the text. */
export type Tokenize = (text: string) => CodePiece[][];

/** More would make a long task. */
const maxChars = 30_000;

const known = new Map<string, Tokenize | undefined>();

/** By a name that people give it (`ts`, `typescript`, `sh`); undefined: no such language. */
async function load(name: string): Promise<Tokenize | undefined> {
  if (known.has(name)) return known.get(name);
  await afterFirstOutput();
  const { monaco } = await import('../editor/monaco');
  const language = monaco.languages
    .getLanguages()
    .find(
      ({ id, aliases = [], extensions = [] }) =>
        id === name || aliases.some((alias) => alias.toLowerCase() === name) || extensions.includes(`.${name}`),
    );
  // Colouring nothing loads the tokenizer.
  if (language !== undefined) await monaco.editor.colorize('', language.id, {});
  const tokenize = language && ((text: string) => piecesOf(text, monaco.editor.tokenize(text, language.id)));
  known.set(name, tokenize);
  return tokenize;
}

/** Undefined while there are no colours. */
export function useCodeColours(text: string, language: string): CodePiece[][] | undefined {
  const [tokenize, setTokenize] = useState(() => known.get(language));
  useEffect(() => {
    let gone = false;
    setTokenize(() => known.get(language));
    if (language !== '' && !known.has(language))
      // Without the editor's code there is text, as before.
      load(language).then(
        (loaded) => !gone && setTokenize(() => loaded),
        () => {},
      );
    return () => {
      gone = true;
    };
  }, [language]);
  return useMemo(() => (text.length > maxChars ? undefined : tokenize?.(text)), [text, tokenize]);
}

interface Token {
  offset: number;
  type: string;
}

/** `tokens` has a list for each line. */
export function piecesOf(text: string, tokens: readonly (readonly Token[])[]): CodePiece[][] {
  return text.split(/\r\n|\r|\n/).map((line, row) => {
    const pieces: CodePiece[] = [];
    const list = tokens[row] ?? [];
    for (const [at, { offset, type }] of list.entries()) {
      const piece = line.slice(at === 0 ? 0 : offset, list[at + 1]?.offset);
      const kind = kindOf(type);
      const last = pieces.at(-1);
      if (last !== undefined && last.kind === kind) last.text += piece;
      else pieces.push({ text: piece, ...(kind && { kind }) });
    }
    return list.length === 0 && line !== '' ? [{ text: line }] : pieces;
  });
}

/** As monaco-theme.ts colours them. */
const kinds: [scope: RegExp, kind: CodeKind][] = [
  [/^comment/, 'comment'],
  [/^string\.key/, 'function'],
  [/^(string|regexp|attribute\.value)/, 'string'],
  [/^number/, 'number'],
  [/^(keyword|tag)/, 'keyword'],
  [/^type/, 'type'],
  [/^attribute\.name/, 'function'],
];

function kindOf(type: string): CodeKind | undefined {
  return kinds.find(([scope]) => scope.test(type))?.[1];
}
