// Expansion of words in bash's order: braces, then tilde, parameters, commands and arithmetic from left to right, then
// splitting, file names and quote removal.
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { ShellError } from '../execute/control';
import { arithmeticText, parseText, parseWord } from '../parse';
import type { Shell } from '../state';
import { evaluate } from './arithmetic';
import { expandBraces } from './brace';
import { type Field, Fields, isPattern } from './fields';
import { glob } from './glob';
import { expandParameter, expandSimple, type Mode, type WordExpander } from './parameter';
import { promptText } from './prompt';
import { unescape } from './quote';
import { arithmeticScope } from './scope';

const PLAIN = /^[\w%+,./:@^\u0080-\uffff-]+$/u;
const BARE: Mode = { quoted: false };

/** The arguments that the words stand for. */
export async function expandWords(shell: Shell, words: readonly Word[]): Promise<string[]> {
  const result: string[] = [];
  for (const word of words) {
    if (PLAIN.test(word.text)) {
      result.push(word.text);
      continue;
    }
    for (const single of braceWords(shell, word))
      for (const field of await expandFields(shell, single)) result.push(...fileNames(shell, field));
  }
  return result;
}

/** Words after brace expansion. */
function braceWords(shell: Shell, word: Word): Word[] {
  if (
    !word.text.includes('{') ||
    !shell.options.braceexpand ||
    !word.parts?.some((part) => part.type === 'BraceExpansion')
  )
    return [word];
  return expandBraces(word.text).map((text) =>
    text === '' ? { ...word, text: '', value: '', parts: [] } : parseWord(text),
  );
}

function fileNames(shell: Shell, field: Field): string[] {
  if (shell.options.noglob || !isPattern(field)) return [field.text];
  const names = glob(field.pattern, shell.cwd, {
    dotglob: shell.shopts.has('dotglob'),
    globstar: shell.shopts.has('globstar'),
    nocaseglob: shell.shopts.has('nocaseglob'),
    ignored: shell.vars.get('GLOBIGNORE'),
    dots: !shell.shopts.has('globskipdots'),
  });
  if (names.length > 0) return names;
  if (shell.shopts.has('failglob')) throw new ShellError(`no match: ${field.text}`, 1, 'line');
  return shell.shopts.has('nullglob') ? [] : [field.text];
}

async function expandFields(shell: Shell, word: Word): Promise<Field[]> {
  const fields = new Fields(shell.ifs(), true);
  await expandInto(shell, word, fields, BARE);
  return fields.finish();
}

/** One text without splitting and file names: assignments, here-strings, `case` words, redirections of a script. */
export async function expandString(shell: Shell, word: Word, mode: Mode = BARE): Promise<string> {
  if (PLAIN.test(word.text) && !mode.assignment) return word.text;
  const fields = new Fields('', false);
  await expandInto(shell, word, fields, mode);
  return joined(fields).text;
}

/** A pattern: quoted characters of the word are escaped in it. */
export async function expandPattern(shell: Shell, word: Word, mode: Mode = BARE): Promise<string> {
  const fields = new Fields('', false);
  await expandInto(shell, word, fields, mode);
  return joined(fields).pattern;
}

function joined(fields: Fields): Field {
  const all = fields.finish();
  return { text: all.map((field) => field.text).join(' '), pattern: all.map((field) => field.pattern).join(' ') };
}

/** The text of a here-document, an arithmetic expression or a prompt. */
export async function expandText(shell: Shell, text: string): Promise<string> {
  if (!/[$`\\]/.test(text)) return text;
  return expandParts(shell, parseText(text));
}

/** Parts in which nothing is split. */
export async function expandParts(shell: Shell, parts: readonly WordPart[]): Promise<string> {
  const fields = new Fields('', false);
  for (const part of parts) await expandPart(shell, part, fields, { quoted: true });
  return joined(fields).text;
}

/** The value of an arithmetic text: its expansions first, then the expression. */
export async function evaluateText(shell: Shell, text: string): Promise<bigint> {
  const expanded = /[$`"'\\]/.test(text) ? (await expandText(shell, text)).replace(/"/g, '') : text;
  return evaluate(expanded, arithmeticScope(shell));
}

/** Appends a word's expansion to the fields. */
export async function expandInto(shell: Shell, word: Word, fields: Fields, mode: Mode): Promise<void> {
  const parts = word.parts;
  if (!parts) {
    if (mode.quoted) fields.quoted(word.value);
    else if (word.text !== '') expandLiteral(shell, word.text, fields, mode, true);
    return;
  }
  for (const [position, part] of parts.entries()) {
    if (part.type === 'Literal' && !mode.quoted) expandLiteral(shell, part.text, fields, mode, position === 0);
    else await expandPart(shell, part, fields, mode);
  }
}

/** Unquoted script text: tilde prefixes, backslashes, active pattern characters. */
function expandLiteral(shell: Shell, text: string, fields: Fields, mode: Mode, first: boolean): void {
  let rest = text;
  const named = first && !mode.assignment ? rest.match(/^[A-Za-z_]\w*=(?=~)/) : null;
  if (named) {
    fields.literal(named[0], named[0]);
    rest = tilde(shell, rest.slice(named[0].length), fields, true);
  }
  if (first && rest.startsWith('~')) rest = tilde(shell, rest, fields, mode.assignment === true);
  let run = '';
  const flush = () => {
    if (run !== '' && mode.operand) fields.expansion(run);
    else if (run !== '') fields.literal(run, run);
    run = '';
  };
  for (let i = 0; i < rest.length; i++) {
    const character = rest[i]!;
    if (character === '\\' && i + 1 < rest.length) {
      flush();
      i++;
      if (rest[i] === '\n') continue;
      const point = String.fromCodePoint(rest.codePointAt(i)!);
      i += point.length - 1;
      fields.quoted(point);
    } else if (mode.assignment && character === ':' && rest[i + 1] === '~') {
      run += ':';
      flush();
      rest = rest.slice(0, i + 1) + tilde(shell, rest.slice(i + 1), fields, true);
    } else run += character;
  }
  flush();
}

/** Expands a tilde prefix into the fields and returns what follows it. */
function tilde(shell: Shell, text: string, fields: Fields, assignment: boolean): string {
  const prefix = text.match(assignment ? /^~([\w.+-]*)(?=[/:]|$)/ : /^~([\w.+-]*)(?=\/|$)/);
  if (!prefix) return text;
  const name = prefix[1]!;
  let folder: string | undefined;
  if (name === '') folder = shell.vars.get('HOME') ?? shell.home();
  else if (name === '+') folder = shell.cwd;
  else if (name === '-') folder = shell.vars.get('OLDPWD');
  else if (name === 'root' || name === shell.userName()) folder = name === 'root' ? '/root' : shell.home();
  if (folder === undefined) return text;
  fields.quoted(folder);
  return text.slice(prefix[0].length);
}

/** Appends one part. */
export async function expandPart(shell: Shell, part: WordPart, fields: Fields, mode: Mode): Promise<void> {
  const add = (text: string) => (mode.quoted ? fields.quoted(text) : fields.expansion(text));
  switch (part.type) {
    case 'Literal':
      if (mode.quoted) fields.quoted(part.value);
      else expandLiteral(shell, part.text, fields, mode, false);
      return;
    case 'SingleQuoted':
      fields.quoted(part.value);
      return;
    case 'AnsiCQuoted':
      // The parser's own value has lost what is no UTF-8.
      fields.quoted(
        /[\ufffd\ud800-\udfff]/.test(part.value) ? unescape(part.text.slice(2, -1), 'ansi').text : part.value,
      );
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      await expandQuoted(shell, part.parts, fields);
      return;
    case 'SimpleExpansion':
      expandSimple(shell, part.text.slice(1), fields, mode);
      return;
    case 'ParameterExpansion':
      await expandParameter(shell, part, fields, mode, EXPANDER);
      return;
    case 'CommandExpansion':
      add(await shell.executor.substitute(shell, part.script, part.text));
      return;
    case 'ArithmeticExpansion':
      add(String(await evaluateText(shell, arithmeticText(part))));
      return;
    case 'ProcessSubstitution':
      fields.quoted(await shell.executor.processSubstitution(shell, part.operator, part.script!));
      return;
    case 'Glob':
      if (mode.quoted) fields.quoted(part.text);
      else if (part.kind === 'bracket') {
        fields.literal('[', '[');
        for (const inner of part.parts) await expandInnerPattern(shell, inner, fields);
        fields.literal(']', ']');
      } else fields.literal(part.text, part.text);
      return;
    case 'ExtendedGlob':
      fields.literal(`${part.operator}(`, `${part.operator}(`);
      if (part.parts) for (const inner of part.parts) await expandInnerPattern(shell, inner, fields);
      else expandLiteral(shell, part.pattern, fields, BARE, false);
      fields.literal(')', ')');
      return;
    case 'BraceExpansion':
      if (part.parts) {
        const braces = part.parts;
        fields.literal('{', '{');
        for (const inner of braces) await expandPart(shell, inner, fields, mode);
        fields.literal('}', '}');
      } else expandLiteral(shell, part.text, fields, mode, false);
      return;
    default:
      part satisfies never;
  }
}

/** Inside a pattern, an expansion's text is never split. */
async function expandInnerPattern(shell: Shell, part: WordPart, fields: Fields): Promise<void> {
  const inner = new Fields('', false);
  await expandPart(shell, part, inner, BARE);
  const { text, pattern } = joined(inner);
  fields.literal(text, pattern);
}

async function expandQuoted(shell: Shell, parts: readonly DoubleQuotedChild[], fields: Fields): Promise<void> {
  // `"$@"` without arguments makes no field at all, but `""` makes one.
  if (parts.length === 0) fields.quoted('');
  for (const part of parts) await expandPart(shell, part, fields, { quoted: true });
}

/** A word as the source of a regular expression: quoted parts match themselves. */
export async function expandRegex(shell: Shell, word: Word): Promise<string> {
  if (!word.parts) return word.text;
  let source = '';
  for (const part of word.parts) {
    const fields = new Fields('', false);
    await expandPart(shell, part, fields, BARE);
    const { text } = joined(fields);
    if (part.type === 'SingleQuoted' || part.type === 'DoubleQuoted' || part.type === 'AnsiCQuoted')
      source += text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    else source += part.type === 'Literal' ? part.text : text;
  }
  return source;
}

const EXPANDER: WordExpander = {
  into: expandInto,
  pattern: expandPattern,
  string: expandString,
  arithmetic: evaluateText,
  prompt: (shell, text) => promptText(shell, text, expandText),
};
