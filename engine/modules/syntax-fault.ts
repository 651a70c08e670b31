// Why a source does not parse, in V8's words and at V8's place. A body is compiled between a head and a tail of ours, and a module as a function, so
// V8 sometimes meets the tail where it should meet the end of the file, or a brace of the source where ours should be: that is put right here.
import { type Refusal, scriptRefusal } from './parse';

/** 1-based line and column in the source; `carets`: how much of the line is marked; `none`: not even a line for marks. */
export interface SyntaxFault {
  message: string;
  line: number;
  column: number;
  carets: number | 'none';
}

/** What V8 says of a text: its message and where, or undefined when it finds nothing wrong. */
export type Judge = (text: string) => { message: string; line: number; column: number } | undefined;

interface Body {
  source: string;
  /** What is compiled instead of the source, line by line. */
  text: string;
  head: string;
  /** The column in the source of a column of the text (with its head). */
  columnOf(line: number, column: number): number;
}

/** The fault of the body of a function (a CommonJS module). */
export function bodyFault(judge: Judge, body: Body): SyntaxFault | undefined {
  return faultOf(judge, body, scriptRefusal(body.source));
}

/** The fault of a module; `refusal`: what acorn says of it. */
export function moduleFault(judge: Judge, source: string, refusal: Refusal): SyntaxFault {
  const head = '(async()=>{"use strict";';
  const columnOf = (line: number, column: number) => (line === 1 ? Math.max(1, column - head.length) : column);
  const own = MODULE_WORDS.find(([acorn]) => acorn.test(refusal.message));
  const found = own ? undefined : faultOf(judge, { source, text: withoutModules(source), head, columnOf }, refusal);
  const { line, column } = refusal;
  const message = own ? refusal.message.replace(own[0], own[1]) : unexpected(source, refusal);
  return found ?? { message, line, column, carets: tokenLength(source, line, column) };
}

/** V8 names the token that acorn only points at. */
function unexpected(source: string, { message, line, column, position }: Refusal): string {
  if (message !== 'Unexpected token') return message;
  if (position >= source.length) return 'Unexpected end of input';
  const token = source.substr(position, tokenLength(source, line, column));
  if (/^['"]/.test(token)) return 'Unexpected string';
  if (/^\d/.test(token)) return 'Unexpected number';
  return `Unexpected ${/^[\p{ID_Start}$_]/u.test(token) ? 'identifier' : 'token'} '${token}'`;
}

/** What a function may do and a module may not, or only a module's compiler knows: acorn's words, V8's words. */
const MODULE_WORDS: [RegExp, string][] = [
  [/^'return' outside of function$/, 'Illegal return statement'],
  [/^Cannot use keyword 'await' outside an async function$/, 'Unexpected reserved word'],
  [/^(Export '.*' is not defined)$/, '$1 in module'],
  [/^Duplicate export ('.*')$/, 'Duplicate export of $1'],
  [/^(Identifier '.*' has already been declared)$/, '$1'],
  [/^Assigning to rvalue$/, 'Invalid left-hand side in assignment'],
];

function faultOf(
  judge: Judge,
  { source, text, head, columnOf }: Body,
  refusal: Refusal | undefined,
): SyntaxFault | undefined {
  const said = judge(`${head}${text}\n})`);
  if (!said) return undefined;
  const lines = text.split('\n');
  const at = (message: string, line: number, column: number): SyntaxFault => ({
    message,
    line,
    column,
    // It stands within a token.
    carets: /^Invalid (?:Unicode|hexadecimal) escape/.test(message) ? 1 : tokenLength(source, line, column),
  });
  // A brace too many closes our head; V8 stumbles behind it.
  if (
    refusal &&
    source[refusal.position] === '}' &&
    refusal.line <= said.line &&
    scriptRefusal(source.slice(0, refusal.position)) === undefined
  )
    return at("Unexpected token '}'", refusal.line, refusal.column);
  if (said.line <= lines.length) return at(said.message, said.line, columnOf(said.line, said.column));
  const untailed = judge(`${head}${text}`) ?? said;
  if (untailed.message !== 'Unexpected end of input' && untailed.line <= lines.length)
    return { message: untailed.message, line: untailed.line, column: 1, carets: 'none' };
  return { message: 'Unexpected end of input', line: lines.length, column: lines.at(-1)!.length + 1, carets: 0 };
}

/** The same text, as long and in the same lines, without what only modules have. */
function withoutModules(source: string): string {
  const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
  return source
    .replace(/^#!.*/, blank)
    .replace(/(?<![.\w$])import\.meta\b/g, 'this.meta__')
    .replace(
      /(?<=^|[;}\n])([ \t]*)import\s*(?:[\w$*{},\s]+?\bfrom\s*)?(['"])[^'"\n]*\2(?:\s*with\s*\{[^}]*\})?/g,
      blank,
    )
    .replace(/(?<=^|[;}\n])([ \t]*)export\s*(?:\*(?:\s*as\s+[\w$]+)?|\{[^}]*\})(?:\s*from\s*(['"])[^'"\n]*\2)?/g, blank)
    .replace(/(?<=^|[;}\n])([ \t]*)export(\s+)default\b/g, (_, indent, gap) => `${indent}void 0${gap}      ,`)
    .replace(/(?<=^|[;}\n])([ \t]*)export(?=\s+(?:const|let|var|function|class|async)\b)/g, blank);
}

const TOKEN =
  /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*|\d+(?:\.\d+)?|(['"])(?:\\.|(?!\1).)*\1?|=>|\.{3}|>>>=|[*&|?]{2}=|<<=|>>=|>>>|[=!]==|\+\+|--|[*&|?]{2}|<<|>>|[=!<>+\-*/%&|^]=|\?\./uy;

/** How long the token is that begins there, at least 1. */
function tokenLength(source: string, line: number, column: number): number {
  TOKEN.lastIndex = column - 1;
  return TOKEN.exec(source.split('\n')[line - 1] ?? '')?.[0].length ?? 1;
}
