// The border to the parser (unbash): cached parses of whole inputs and of fragments, syntax errors in bash's words, and
// the test for input that is merely incomplete.
import { type ArithmeticExpansionPart, type ParsedScript, parse, type Word, type WordPart } from 'unbash';

const LIMIT = 500;
const words = new Map<string, Word>();
const texts = new Map<string, readonly WordPart[]>();

/** The script, and its first syntax error if it has one. Incomplete means that more lines could make it correct. */
export interface Parsed {
  script: ParsedScript;
  source: string;
  error: { message: string; line: number; incomplete: boolean } | undefined;
}

/** Parses a whole input. */
export function parseScript(source: string): Parsed {
  const script = parse(source);
  const first = script.errors?.[0];
  if (!first) {
    const open = unclosedHereDocument(source);
    return { script, source, error: open ? { message: '', line: 1, incomplete: true } : undefined };
  }
  // An empty group is complained of at its opening brace.
  const isGroup = /^expected command in (brace group|subshell)/.test(first.message);
  const atEnd = source.slice(first.pos + (isGroup ? 1 : 0)).trim() === '';
  const incomplete =
    /^unterminated/.test(first.message) ||
    (atEnd && /^expected/.test(first.message) && !/redirect/.test(first.message));
  const isCondition =
    /^unexpected token/.test(first.message) && /to close '\[\['/.test(script.errors?.[1]?.message ?? '');
  const said = isCondition ? conditionWording(first.pos, source) : wording(first, source, incomplete);
  return { script, source, error: { message: said.message, line: said.line, incomplete } };
}

/** Whether the last here-document still waits for its end mark: bash runs such a script, an interactive shell asks for more. */
function unclosedHereDocument(source: string): boolean {
  if (!source.includes('<<')) return /(^|[^\\])(\\\\)*\\\n?$/.test(source) && !source.endsWith('\\\\');
  let open = false;
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (!node || typeof node !== 'object') return;
    const typed = node as { type?: string; closing?: unknown };
    if (typed.type === 'HereDoc' && !typed.closing) open = true;
    if (typed.type !== 'Word') Object.values(node).forEach(visit);
  };
  visit(parse(source).commands);
  return open;
}

/** Inside `[[ ]]` a word after a word should have been an operator. */
function conditionWording(pos: number, source: string) {
  const before = source.slice(0, pos);
  const isAfterWord = /(?:\[\[|&&|\|\||[(!])\s+[^\s()&|<>!-][^\s()&|<>]*\s*$/.test(before);
  const message = isAfterWord ? 'conditional binary operator expected' : 'syntax error in conditional expression';
  return { message, line: before.split('\n').length };
}

function wording(error: { message: string; pos: number }, source: string, incomplete: boolean) {
  const line = source.slice(0, error.pos).split('\n').length;
  const last = source.replace(/\n$/, '').split('\n').length + (source.endsWith('\n') ? 1 : 0);
  if (incomplete) {
    const quote = /double quote/.test(error.message) ? '"' : /single quote/.test(error.message) ? "'" : undefined;
    if (quote) return { message: `unexpected EOF while looking for matching \`${quote}'`, line };
    if (/backtick/.test(error.message)) return { message: "unexpected EOF while looking for matching ``'", line };
    if (/substitution|arithmetic|glob/.test(error.message))
      return { message: "unexpected EOF while looking for matching `)'", line };
    if (/parameter/.test(error.message)) return { message: "unexpected EOF while looking for matching `}'", line };
    return {
      message: 'syntax error: unexpected end of file',
      line: Math.max(last, source.endsWith('\n') ? last : last + 1),
    };
  }
  const token = source.slice(error.pos).match(/^\s*(\n|;;&|;;|;&|&&|\|\||[;&|()<>]|[^\s;&|()<>]+)/)?.[1] ?? 'newline';
  return { message: `syntax error near unexpected token \`${token === '\n' ? 'newline' : token}'`, line };
}

/** One shell word from its source text, as it would stand in a command. */
export function parseWord(text: string): Word {
  let word = words.get(text);
  if (!word) {
    const command = parse(`_ ${text}`).commands[0]?.command;
    const found = command?.type === 'Command' ? command.suffix[0] : undefined;
    word = found?.type === 'Word' ? found : { type: 'Word', text, value: text, pos: 0, end: text.length };
    remember(words, text, word);
  }
  return word;
}

/** The parts of a text in which only `$`, backquotes and backslash before them are special: here-documents, arithmetic, prompts. */
export function parseText(text: string): readonly WordPart[] {
  let parts = texts.get(text);
  if (!parts) {
    const end = 'CLOCHE_END_OF_TEXT';
    const command = parse(`_ <<${end}\n${text}\n${end}\n`).commands[0]?.command;
    const redirect = command?.type === 'Command' ? command.redirects[0] : undefined;
    const body = redirect?.type === 'HereDoc' ? redirect.body : undefined;
    parts = body ? trimNewline(body.parts ?? [literal(unescapeText(body.text))]) : [literal(text)];
    remember(texts, text, parts);
  }
  return parts;
}

/** A text without expansions, in which a backslash still quotes `$`, backquotes, itself and the end of a line. */
export function unescapeText(text: string): string {
  return text.replace(/\\([$`\\]|\n)/g, (_, quoted: string) => (quoted === '\n' ? '' : quoted));
}

function literal(text: string): WordPart {
  return { type: 'Literal', pos: 0, end: 0, value: text, text };
}

/** Takes away the newline that parseText itself has added. */
function trimNewline(parts: readonly WordPart[]): readonly WordPart[] {
  const last = parts.at(-1);
  if (last?.type !== 'Literal' || !last.value.endsWith('\n')) return parts;
  return [...parts.slice(0, -1), literal(last.value.slice(0, -1))];
}

function remember<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= LIMIT) cache.clear();
  cache.set(key, value);
}

/** The expression between the brackets of `$(( ))` or `$[ ]`. */
export function arithmeticText(part: ArithmeticExpansionPart): string {
  return part.text.startsWith('$((') ? part.text.slice(3, -2) : part.text.slice(2, -1);
}
