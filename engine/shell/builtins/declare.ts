// declare, typeset, local, export, readonly, unset: variables with attributes.

import { ShellError } from '../execute/control';
import { attributes } from '../expand/parameter';
import { isUnprintable, quoteAnsi, quoteDouble } from '../expand/quote';
import { assign, assignElement, elementOf, position } from '../expand/scope';
import type { Shell } from '../state';
import { entriesOf, foldCase, isAssociative, isIndexed, scalarOf, type Variable } from '../variables';
import { type Builtin, builtinOptions, isName } from './types';

interface Attributes {
  add: Set<string>;
  remove: Set<string>;
  print: boolean;
  functions: boolean;
  names: boolean;
  global: boolean;
}

function parseAttributes(name: string, args: string[]): { wanted: Attributes; rest: string[] } {
  const wanted: Attributes = {
    add: new Set(),
    remove: new Set(),
    print: false,
    functions: false,
    names: false,
    global: false,
  };
  let i = 0;
  for (; i < args.length && /^[-+]./.test(args[i]!); i++) {
    if (args[i] === '--') {
      i++;
      break;
    }
    const target = args[i]![0] === '-' ? wanted.add : wanted.remove;
    for (const letter of args[i]!.slice(1)) {
      if (!'aAilnrtuxpfFgI'.includes(letter))
        throw new ShellError(`${name}: ${args[i]![0]}${letter}: invalid option`, 2);
      if (letter === 'p') wanted.print = true;
      else if (letter === 'f') wanted.functions = true;
      else if (letter === 'F') wanted.functions = wanted.names = true;
      else if (letter === 'g') wanted.global = true;
      else target.add(letter);
    }
  }
  return { wanted, rest: args.slice(i) };
}

const OPERAND = /^([A-Za-z_]\w*)(?:\[(.*)\])?(\+?=)?([\s\S]*)$/;

async function declareOne(
  shell: Shell,
  command: string,
  operand: string,
  wanted: Attributes,
  local: boolean,
): Promise<number> {
  const match = operand.match(OPERAND);
  if (!match || (match[3] === undefined && match[4] !== '')) {
    await shell.complain(`${command}: \`${operand}': not a valid identifier`);
    return 1;
  }
  const [, name, index, operator, value] = match as unknown as [
    string,
    string,
    string | undefined,
    string | undefined,
    string,
  ];
  const array = value === '(' && operator ? shell.arrayValues.get(name) : undefined;
  shell.arrayValues.delete(name);
  const variable =
    local && !wanted.global && shell.vars.inFunction
      ? shell.vars.makeLocal(name)
      : wanted.add.has('n')
        ? ownVariable(shell, name)
        : shell.vars.declare(name);
  if (variable.readonly && (operator || wanted.remove.has('r'))) {
    await shell.complain(`${command === 'declare' ? '' : ''}${name}: readonly variable`);
    return 1;
  }
  applyShape(variable, wanted);
  if (wanted.add.has('n')) {
    variable.value = operator ? value : variable.value;
    variable.reference = true;
  } else if (array) variable.value = array;
  else if (operator && index !== undefined) assignElement(shell, name, index, value, operator === '+=');
  else if (operator) assign(shell, name, value, operator === '+=');
  if (array && (variable.integer || variable.fold)) foldArray(shell, name, variable);
  if (wanted.add.has('r')) variable.readonly = true;
  return 0;
}

function ownVariable(shell: Shell, name: string): Variable {
  const known = shell.vars.own(name);
  if (known) return known;
  shell.vars.put(name, { value: undefined });
  return shell.vars.own(name)!;
}

function foldArray(shell: Shell, name: string, variable: Variable): void {
  for (const [key, value] of entriesOf(variable.value))
    assignElement(shell, name, key, variable.fold ? foldCase(value, variable.fold) : value);
}

function applyShape(variable: Variable, { add, remove }: Attributes): void {
  if (add.has('A') && !isAssociative(variable.value))
    variable.value = {
      keys: new Map(scalarOf(variable.value) === undefined ? [] : [['0', scalarOf(variable.value)!]]),
    };
  if (add.has('a') && !isIndexed(variable.value))
    variable.value = new Map(scalarOf(variable.value) === undefined ? [] : [[0, scalarOf(variable.value)!]]);
  if (add.has('i')) variable.integer = true;
  if (remove.has('i')) variable.integer = false;
  if (add.has('l')) variable.fold = 'lower';
  if (add.has('u')) variable.fold = 'upper';
  if (remove.has('l') || remove.has('u')) delete variable.fold;
  if (add.has('x')) variable.exported = true;
  if (remove.has('x')) variable.exported = false;
  if (remove.has('n')) variable.reference = false;
}

/** `declare -p name` as bash prints it. */
export function declaration(shell: Shell, name: string): string {
  const variable = shell.vars.own(name)!;
  const letters = attributes(shell, name) || '-';
  const value = variable.dynamic ? variable.dynamic() : variable.value;
  if (value === undefined) return `declare -${letters} ${name}`;
  if (typeof value === 'string') return `declare -${letters} ${name}=${quoteDouble(value)}`;
  const key = (text: string) => (isAssociative(value) && !/^\w+$/.test(text) ? quoteDouble(text) : text);
  const quote = (text: string) => (isUnprintable(text) ? quoteAnsi(text) : quoteDouble(text));
  const body = entriesOf(value).map(([index, element]) => `[${key(index)}]=${quote(element)}`);
  return `declare -${letters} ${name}=(${body.join(' ')}${isAssociative(value) && body.length > 0 ? ' ' : ''})`;
}

async function printAll(shell: Shell, wanted: Attributes, names: string[], command: string): Promise<number> {
  let status = 0;
  const matches = (name: string) => [...wanted.add].every((letter) => attributes(shell, name).includes(letter));
  for (const name of names.length > 0 || command === 'local'
    ? names
    : shell.vars.names().filter((known) => matches(known) && !shell.vars.own(known)?.dynamic)) {
    if (shell.vars.own(name)) await shell.write(1, `${declaration(shell, name)}\n`);
    else {
      await shell.complain(`${command}: ${name}: not found`);
      status = 1;
    }
  }
  return status;
}

async function functions(shell: Shell, wanted: Attributes, names: string[]): Promise<number> {
  let status = 0;
  for (const name of names.length > 0 ? names : [...shell.functions.keys()].sort()) {
    const text = functionText(shell, name);
    if (text === undefined) status = 1;
    else if (wanted.names) await shell.write(1, names.length > 0 ? `${name}\n` : `declare -f ${name}\n`);
    else await shell.write(1, `${text}\n`);
  }
  return status;
}

/** A function's source text. */
export function functionText(shell: Shell, name: string): string | undefined {
  const definition = shell.functions.get(name);
  if (!definition) return undefined;
  const body = definition.source.slice(definition.body.pos, definition.body.end).trim();
  return `${name} () \n${body}`;
}

async function declare(shell: Shell, args: string[], name: string, local: boolean): Promise<number> {
  const { wanted, rest } = parseAttributes(name, args);
  if (wanted.functions && !wanted.add.has('x')) return functions(shell, wanted, rest);
  if (rest.length === 0 && !wanted.print && wanted.add.size === 0 && name !== 'local')
    return shell.executor.runWords(shell, ['set'], { functions: false });
  if (name === 'local' && rest.length === 0) return printAll(shell, wanted, shell.vars.localNames(), name);
  if (wanted.print || rest.length === 0) return printAll(shell, wanted, rest, name);
  let status = 0;
  for (const operand of rest) status = (await declareOne(shell, name, operand, wanted, local)) || status;
  return status;
}

/** Builtins of this file by name. */
export const DECLARE_BUILTINS: Record<string, Builtin> = {
  declare: (shell, args, name) => declare(shell, args, name, true),
  typeset: (shell, args, name) => declare(shell, args, name, true),
  local(shell, args, name) {
    if (!shell.vars.inFunction) throw new ShellError('local: can only be used in a function');
    return declare(shell, args, name, true);
  },
  async export(shell, args, name) {
    const { options, rest } = builtinOptions('export', args, 'fnp');
    if (rest.length === 0) {
      const wanted = parseAttributes(name, ['-x']).wanted;
      return printAll(shell, wanted, [], name);
    }
    const { wanted } = parseAttributes(name, [options.has('n') ? '+x' : '-x']);
    let status = 0;
    for (const operand of rest) status = (await declareOne(shell, name, operand, wanted, false)) || status;
    return status;
  },
  async readonly(shell, args, name) {
    const { wanted, rest } = parseAttributes(name, ['-r', ...args]);
    if (rest.length === 0 || wanted.print) return printAll(shell, wanted, rest, name);
    let status = 0;
    for (const operand of rest) status = (await declareOne(shell, name, operand, wanted, false)) || status;
    return status;
  },
  async unset(shell, args) {
    const { options, rest } = builtinOptions('unset', args, 'fvn', 'unset [-f] [-v] [-n] [name ...]');
    let status = 0;
    for (const operand of rest) {
      try {
        const element = elementOf(shell, operand);
        if (options.has('f')) shell.functions.delete(operand);
        else if (element) unsetElement(shell, element.name, element.key);
        else if (!isName(operand) && options.has('v'))
          throw new ShellError(`unset: \`${operand}': not a valid identifier`);
        else if (options.has('n')) shell.vars.unset(operand);
        else if (shell.vars.own(shell.vars.resolve(operand))) shell.vars.unset(shell.vars.resolve(operand));
        else if (!options.has('v')) shell.functions.delete(operand);
      } catch (error) {
        if (!(error instanceof ShellError)) throw error;
        await shell.complain(error.message);
        status = 1;
      }
    }
    return status;
  },
};

function unsetElement(shell: Shell, name: string, key: string): void {
  const variable = shell.vars.find(name);
  if (variable?.readonly) throw new ShellError(`unset: ${name}: cannot unset: readonly variable`);
  if (key === '@' || key === '*') {
    if (isIndexed(variable?.value)) variable.value.clear();
    else if (isAssociative(variable?.value)) variable.value.keys.clear();
  } else if (isAssociative(variable?.value)) variable.value.keys.delete(key);
  else if (isIndexed(variable?.value)) {
    variable.value.delete(position(shell, name, key, variable.value));
  }
}
