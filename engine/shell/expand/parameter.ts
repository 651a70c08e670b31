// `$name` and every form of `${…}`.
import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash';
import { ShellError } from '../execute/control';
import { parseWord } from '../parse';
import type { Shell } from '../state';
import { isAssociative, isIndexed } from '../variables';
import type { Fields } from './fields';
import { patternRegex, patternSource } from './pattern';
import { isUnprintable, quoteAnsi, quoteDouble, quoteSingle, unescape } from './quote';
import { assign, assignElement, elementOf, lookup, type Parameter } from './scope';

/** How a word is being expanded. */
export interface Mode {
  /** Inside double quotes (or a here-document). */
  quoted: boolean;
  /** An assignment's value: `~` counts after `:` too. */
  assignment?: boolean;
  /** The operand of an unquoted `${x:-…}`: its own unquoted text is split like an expansion. */
  operand?: boolean;
}

/** The word expansions that operands need; given in, because words and parameters contain each other. */
export interface WordExpander {
  into(shell: Shell, word: Word, fields: Fields, mode: Mode): Promise<void>;
  pattern(shell: Shell, word: Word, mode?: Mode): Promise<string>;
  string(shell: Shell, word: Word, mode?: Mode): Promise<string>;
  arithmetic(shell: Shell, text: string): Promise<bigint>;
  prompt(shell: Shell, text: string): Promise<string>;
}

/** `$name`, `$1`, `$@` … */
export function expandSimple(shell: Shell, name: string, fields: Fields, mode: Mode): void {
  const parameter = lookup(shell, name, undefined);
  requireSet(shell, parameter, name);
  emit(shell, parameter, fields, mode);
}

function requireSet(shell: Shell, parameter: Parameter, name: string): void {
  if (parameter.set || !shell.options.nounset || parameter.list) return;
  throw new ShellError(`${/^\d/.test(name) ? '$' : ''}${name}: unbound variable`, shell.fromCommand ? 127 : 1, true);
}

/** Puts values into the fields by the rules of `$@` and `$*`. */
function emit(shell: Shell, { values, list }: Pick<Parameter, 'values' | 'list'>, fields: Fields, mode: Mode): void {
  const joinedByIfs = () => values.join(shell.vars.get('IFS') === undefined ? ' ' : (shell.ifs()[0] ?? ''));
  if (!list) {
    const text = values[0] ?? '';
    if (mode.quoted) fields.quoted(text);
    else fields.expansion(text);
  } else if (mode.assignment) fields.quoted(list === '*' ? joinedByIfs() : values.join(' '));
  else if (list === '*' && mode.quoted) fields.quoted(joinedByIfs());
  else
    for (const [position, value] of values.entries()) {
      if (position > 0) fields.endField();
      if (mode.quoted) fields.quoted(value);
      else fields.expansion(value);
      // An empty word stays one where IFS is no blank.
      if (!mode.quoted && value === '' && position < values.length - 1 && keepsEmpty(shell)) fields.literal('', '');
    }
}

function keepsEmpty(shell: Shell): boolean {
  const ifs = shell.ifs();
  return ifs !== '' && !' \t\n'.includes(ifs[0]!);
}

/** `${…}`. */
export async function expandParameter(
  shell: Shell,
  part: ParameterExpansionPart,
  fields: Fields,
  mode: Mode,
  words: WordExpander,
): Promise<void> {
  let name = part.parameter;
  let index = await expandIndex(shell, part, name, words);
  const operation = part.operation;
  if (part.prefix === '!' && operation?.type === 'Names') {
    const values = shell.vars.names().filter((known) => known.startsWith(name));
    return emit(shell, { values, list: operation.operator }, fields, mode);
  }
  if (part.prefix === '!' && (index === '@' || index === '*')) {
    const { keys } = lookup(shell, name, index);
    return emit(shell, { values: keys, list: index }, fields, mode);
  }
  if (part.prefix === '!') {
    if (shell.vars.own(name)?.reference)
      return emit(shell, { values: [shell.vars.resolve(name)], list: undefined }, fields, mode);
    const target = lookup(shell, name, index).values[0];
    if (!target) throw new ShellError(`${name}: invalid indirect expansion`);
    const element = elementOf(shell, target);
    if (!/^(\w+(\[.*\])?|[@*#?$!-])$/s.test(target)) throw new ShellError(`${target}: invalid variable name`);
    name = element ? element.name : target;
    index = element?.key;
  }
  const parameter = lookup(shell, name, index);
  if (part.prefix === '#') {
    if (!parameter.list) requireSet(shell, parameter, part.parameter);
    const count = parameter.list ? parameter.values.length : [...(parameter.values[0] ?? '')].length;
    return emit(shell, { values: [String(count)], list: undefined }, fields, mode);
  }
  if (!operation) {
    if (part.text.length > 3 && part.parameter === '')
      throw new ShellError(`${part.text}: bad substitution`, 1, 'line');
    requireSet(shell, parameter, part.parameter);
    return emit(shell, parameter, fields, mode);
  }
  await applyOperation({ shell, part, name, index, parameter, fields, mode, words }, operation);
}

async function expandIndex(
  shell: Shell,
  part: ParameterExpansionPart,
  name: string,
  words: WordExpander,
): Promise<string | undefined> {
  if (!part.index) return undefined;
  if (part.index.text === '@' || part.index.text === '*') return part.index.text;
  if (isAssociative(shell.vars.find(name)?.value)) return words.string(shell, part.index);
  return (await words.string(shell, part.index)).replace(/"/g, '');
}

interface Job {
  shell: Shell;
  part: ParameterExpansionPart;
  name: string;
  index: string | undefined;
  parameter: Parameter;
  fields: Fields;
  mode: Mode;
  words: WordExpander;
}

async function applyOperation(job: Job, operation: ParameterOperation): Promise<void> {
  const { shell, part, parameter, fields, mode, words } = job;
  const map = (change: (value: string) => string) => {
    requireSet(shell, parameter, part.parameter);
    const values = parameter.values.map(change);
    emit(shell, { values: parameter.list || values.length > 0 ? values : [''], list: parameter.list }, fields, mode);
  };
  switch (operation.type) {
    case 'Default':
      return applyDefault(job, operation.operator, operation.operand);
    case 'Remove': {
      const pattern = await words.pattern(shell, operation.operand, { quoted: false });
      return map((value) => remove(value, pattern, operation.operator));
    }
    case 'Replace': {
      const pattern = await words.pattern(shell, operation.pattern, { quoted: false });
      const replacement = await words.string(shell, operation.replacement, { quoted: false });
      return map((value) => replace(value, pattern, replacement, operation.operator, shell.shopts.has('nocasematch')));
    }
    case 'CaseModification': {
      const pattern = operation.operand ? await words.pattern(shell, operation.operand) : '?';
      return map((value) => changeCase(value, patternRegex(pattern === '' ? '?' : pattern), operation.operator));
    }
    case 'Slice':
      return slice(job, operation.offset, operation.length);
    case 'Transform':
      return transform(job, operation.operand.text);
    case 'Unknown': {
      // The parser has no name for `~` and `~~`, which turn the case round.
      const [, operator, rest] = /^(~~?)([\s\S]*)$/.exec(operation.operator) ?? [];
      if (operator === undefined) throw new ShellError(`${part.text}: bad substitution`, 1, 'line');
      const pattern = rest === '' ? '?' : await words.pattern(shell, parseWord(rest!));
      return map((value) => changeCase(value, patternRegex(pattern), operator as '~'));
    }
    case 'Names':
      throw new ShellError(`${part.text}: bad substitution`, 1, 'line');
    default:
      operation satisfies never;
  }
}

async function applyDefault(job: Job, operator: string, operand: Word): Promise<void> {
  const { shell, parameter, fields, mode, part, words } = job;
  // Several empty words are something when they are put together.
  const joint = parameter.list && !(parameter.list === '*' && shell.ifs() === '') ? ' ' : '';
  const empty = parameter.values.join(joint) === '';
  const missing = operator.startsWith(':') ? !parameter.set || empty : !parameter.set;
  const kind = operator.at(-1)!;
  if (kind === '+') {
    if (!missing) await words.into(shell, operand, fields, mode.quoted ? mode : { ...mode, operand: true });
    else if (mode.quoted) fields.quoted('');
    return;
  }
  if (!missing) return emit(shell, parameter, fields, mode);
  if (kind === '-') {
    if (mode.quoted && operand.text === '') fields.quoted('');
    return words.into(shell, operand, fields, mode.quoted ? mode : { ...mode, operand: true });
  }
  const text = await words.string(shell, operand, mode);
  if (kind === '?') {
    const reason = operand.text === '' ? `parameter ${operator === '?' ? 'not set' : 'null or not set'}` : text;
    throw new ShellError(`${part.prefix ?? ''}${part.parameter}: ${reason}`, shell.fromCommand ? 127 : 1, true);
  }
  if (/^\d|^[@*#?$!-]$/.test(job.name)) throw new ShellError(`$${job.name}: cannot assign in this way`, 1, 'line');
  if (job.index === undefined) assign(shell, job.name, text);
  else assignElement(shell, job.name, job.index, text);
  const value = lookup(shell, job.name, job.index);
  emit(shell, value, fields, mode);
}

function remove(value: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string {
  const regex = patternRegex(pattern);
  const points = boundaries(value);
  const shortestFirst = operator.length === 1;
  if (operator.startsWith('#')) {
    for (const end of shortestFirst ? points : points.reverse())
      if (regex.test(value.slice(0, end))) return value.slice(end);
  } else
    for (const start of shortestFirst ? points.reverse() : points)
      if (regex.test(value.slice(start))) return value.slice(0, start);
  return value;
}

/** Positions between characters (not between halves of a surrogate pair). */
function boundaries(value: string): number[] {
  const result = [0];
  let at = 0;
  for (const character of value) result.push((at += character.length));
  return result;
}

function replace(value: string, pattern: string, replacement: string, operator: string, ignoreCase: boolean): string {
  if (pattern === '') return operator === '/#' ? replacement + value : operator === '/%' ? value + replacement : value;
  const source = patternSource(pattern);
  const flags = ignoreCase ? 'isu' : 'su';
  const fill = () => replacement;
  if (operator === '/#') return value.replace(new RegExp(`^(?:${source})`, flags), fill);
  if (operator === '/%') return value.replace(new RegExp(`(?:${source})$`, flags), fill);
  if (value === '') return patternRegex(pattern).test('') ? replacement : value;
  const regex = new RegExp(source, operator === '//' ? `g${flags}` : flags);
  return value.replace(regex, (match) => (match === '' ? '' : replacement));
}

function changeCase(value: string, pattern: RegExp, operator: '^' | '^^' | ',' | ',,' | '~' | '~~'): string {
  const characters = [...value];
  const change = (character: string) => {
    if (!pattern.test(character)) return character;
    const isUpper = operator.startsWith('~') ? character === character.toLowerCase() : operator.startsWith('^');
    return isUpper ? upper(character) : character.toLowerCase();
  };
  if (operator.length === 2) return characters.map(change).join('');
  return characters.map((character, position) => (position === 0 ? change(character) : character)).join('');
}

/** One character for one character: ß stays as it is. */
function upper(text: string): string {
  return [...text].map((one) => ([...one.toUpperCase()].length === 1 ? one.toUpperCase() : one)).join('');
}

async function slice(job: Job, offsetWord: Word, lengthWord: Word | undefined): Promise<void> {
  const { shell, parameter, fields, mode, part, words } = job;
  requireSet(shell, parameter, part.parameter);
  const offset = Number(await words.arithmetic(shell, offsetWord.text));
  const length = lengthWord ? Number(await words.arithmetic(shell, lengthWord.text)) : undefined;
  if (!parameter.list) {
    const characters = [...(parameter.values[0] ?? '')];
    const start = offset < 0 ? characters.length + offset : offset;
    if (start < 0 || start > characters.length) return emit(shell, { values: [''], list: undefined }, fields, mode);
    const end = length === undefined ? characters.length : length < 0 ? characters.length + length : start + length;
    if (end < start) throw new ShellError(`${length}: substring expression < 0`, 1, 'line');
    return emit(shell, { values: [characters.slice(start, end).join('')], list: undefined }, fields, mode);
  }
  const positional = job.index === undefined;
  if (length !== undefined && length < 0) throw new ShellError(`${length}: substring expression < 0`, 1, 'line');
  const value = shell.vars.find(job.name)?.value;
  let from: [number, string][];
  if (positional) from = [shell.name, ...parameter.values].map((text, position) => [position, text]);
  else if (isIndexed(value)) from = [...value].sort((a, b) => a[0] - b[0]);
  else from = parameter.values.map((text, position) => [position, text]);
  const end = from.length === 0 ? 0 : from.at(-1)![0] + 1;
  const start = offset < 0 ? end + offset : offset;
  const rest = start < 0 ? [] : from.filter(([position]) => position >= start);
  const chosen = (length === undefined ? rest : rest.slice(0, length)).map(([, text]) => text);
  emit(shell, { values: chosen, list: parameter.list }, fields, mode);
}

async function transform(job: Job, operator: string): Promise<void> {
  const { shell, parameter, fields, mode, part, name, words } = job;
  requireSet(shell, parameter, part.parameter);
  const each = (change: (value: string) => string) =>
    emit(shell, { values: parameter.values.map(change), list: parameter.list }, fields, mode);
  switch (operator) {
    case 'Q':
      return each((value) => (isUnprintable(value) ? quoteAnsi(value) : quoteSingle(value)));
    case 'U':
      return each((value) => upper(value));
    case 'u':
      return each((value) => upper(value.slice(0, 1)) + value.slice(1));
    case 'L':
      return each((value) => value.toLowerCase());
    case 'E':
      return each((value) => unescape(value, 'ansi').text);
    case 'P': {
      const values: string[] = [];
      for (const value of parameter.values) values.push(await words.prompt(shell, value));
      return emit(shell, { values, list: parameter.list }, fields, mode);
    }
    case 'a':
      return each(() => attributes(shell, name));
    case 'A':
      if (parameter.list && job.index !== undefined) {
        const body = parameter.keys
          .map((key, position) => `[${key}]=${quoteDouble(parameter.values[position]!)}`)
          .join(' ');
        return emit(
          shell,
          { values: [`declare -${attributes(shell, name) || '-'} ${name}=(${body})`], list: undefined },
          fields,
          mode,
        );
      }
      return each((value) => {
        const letters = attributes(shell, name);
        return letters ? `declare -${letters} ${name}=${quoteSingle(value)}` : `${name}=${quoteSingle(value)}`;
      });
    case 'K':
    case 'k': {
      if (!parameter.list) return each((value) => quoteSingle(value));
      const pairs = parameter.keys.flatMap((key, position) => [
        key,
        operator === 'K' ? quoteDouble(parameter.values[position]!) : parameter.values[position]!,
      ]);
      return emit(
        shell,
        operator === 'K'
          ? // bash ends the list of an associative array with a blank.
            { values: [pairs.join(' ') + (isAssociative(shell.vars.find(name)?.value) ? ' ' : '')], list: undefined }
          : { values: pairs, list: parameter.list },
        fields,
        mode,
      );
    }
    default:
      throw new ShellError(`${part.text}: bad substitution`, 1, 'line');
  }
}

/** The letters of `declare` for a variable's attributes. */
export function attributes(shell: Shell, name: string): string {
  const variable = shell.vars.find(name);
  if (!variable) return '';
  let letters = isAssociative(variable.value) ? 'A' : isIndexed(variable.value) ? 'a' : '';
  if (variable.integer) letters += 'i';
  if (variable.fold === 'lower') letters += 'l';
  if (shell.vars.own(name)?.reference) letters += 'n';
  if (variable.readonly) letters += 'r';
  if (variable.fold === 'upper') letters += 'u';
  if (variable.exported) letters += 'x';
  return letters;
}
