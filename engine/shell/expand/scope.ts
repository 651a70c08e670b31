// Reading and writing variables, elements and parameters by name: what arithmetic, assignments and `${ }` share.
import { ShellError } from '../execute/control';
import type { Shell } from '../state';
import { entriesOf, foldCase, isAssociative, isIndexed, scalarOf } from '../variables';
import { type ArithmeticScope, evaluate } from './arithmetic';

/** Arithmetic's view of the shell's variables. */
export function arithmeticScope(shell: Shell): ArithmeticScope {
  return {
    read(name, index) {
      if (index !== undefined) return readElement(shell, name, stripQuotes(index)) ?? '';
      const value = shell.vars.get(name);
      if (value === undefined && shell.options.nounset)
        throw new ShellError(`${name}: unbound variable`, shell.fromCommand ? 127 : 1, true);
      return value ?? '';
    },
    write(name, index, value) {
      if (index === undefined) assign(shell, name, value);
      else assignElement(shell, name, stripQuotes(index), value);
    },
  };
}

/** The element of an array; `key` is an expression for indexed arrays, a text for associative ones. */
export function readElement(shell: Shell, name: string, key: string): string | undefined {
  const value = shell.vars.find(name)?.value;
  if (isAssociative(value)) return value.keys.get(key);
  if (value === undefined) return undefined;
  const elements = isIndexed(value) ? value : new Map([[0, value as string]]);
  try {
    return elements.get(position(shell, name, key, elements));
  } catch (error) {
    if (!(error instanceof ShellError) || !error.message.endsWith(': bad array subscript')) throw error;
    // Reading before the first element is complained of, and nothing more.
    void shell.complain(`${name}: bad array subscript`);
    return undefined;
  }
}

function stripQuotes(key: string): string {
  return /^".*"$|^'.*'$/s.test(key) ? key.slice(1, -1) : key;
}

/** A name that is given as a text (`unset 'a[$k]'`, `${!r}`, a name reference), its subscript expanded; undefined when it names no element. */
export function elementOf(shell: Shell, text: string): { name: string; key: string } | undefined {
  const match = text.match(/^([A-Za-z_]\w*)\[(.+)\]$/s);
  if (!match) return undefined;
  const [, name, subscript] = match as unknown as [string, string, string];
  if (subscript === '@' || subscript === '*') return { name, key: subscript };
  return { name, key: expandSubscript(shell, subscript) };
}

/** Variables, quotes and backslashes; an assignment inside a name runs no commands here. */
function expandSubscript(shell: Shell, text: string): string {
  if (!/[$`\\"']/.test(text)) return text;
  return text.replace(
    /\\([\s\S])|'([^']*)'|"|\$(?:(\w+)|\{(\w+)(?:\[([^\]]*)\])?\})|\$\(|\$\{|`/g,
    (whole, escaped, single, plain, braced, index) => {
      if (escaped !== undefined || single !== undefined) return escaped ?? single;
      if (whole === '"') return '';
      const name = plain ?? braced;
      if (name === undefined)
        throw new ShellError(`${text}: only variables are expanded in the subscript of a name that is given as a text`);
      return lookup(shell, name, index).values.join(' ');
    },
  );
}

/** The index that an expression means; negative ones count from the end. */
export function position(shell: Shell, name: string, key: string, elements: Map<number, string>): number {
  const index = Number(evaluate(key, arithmeticScope(shell)));
  if (index >= 0) return index;
  const last = elements.size === 0 ? -1 : Math.max(...elements.keys());
  if (last + 1 + index < 0) throw new ShellError(`${name}[${key}]: bad array subscript`, 1, 'line');
  return last + 1 + index;
}

/** Assigns a scalar, honouring integer and case attributes; `append` is `+=`. */
export function assign(shell: Shell, name: string, text: string, append = false): void {
  const target = shell.vars.resolve(name);
  const element = elementOf(shell, target);
  if (element) {
    assignElement(shell, element.name, element.key, text, append);
    return;
  }
  const variable = shell.vars.find(name);
  const before = append ? (shell.vars.get(name) ?? '') : '';
  let value = append ? before + text : text;
  if (variable?.integer)
    value = String(evaluate(append ? `${before || 0}+(${text || 0})` : text, arithmeticScope(shell)));
  shell.vars.set(name, value);
  if (shell.options.allexport) shell.vars.declare(name).exported = true;
}

/** Assigns `name[key]`. */
export function assignElement(shell: Shell, name: string, key: string, text: string, append = false): void {
  const variable = shell.vars.declare(name);
  if (variable.readonly) throw new ShellError(`${name}: readonly variable`, 1, 'line');
  if (!isAssociative(variable.value) && !isIndexed(variable.value)) {
    const before = scalarOf(variable.value);
    variable.value = new Map(before === undefined ? [] : [[0, before]]);
  }
  const value = variable.value;
  const prepare = (before: string): string => {
    const whole = append && !variable.integer ? before + text : text;
    if (variable.integer)
      return String(evaluate(append ? `${before || 0}+(${text || 0})` : text, arithmeticScope(shell)));
    return variable.fold ? foldCase(whole, variable.fold) : whole;
  };
  if (isAssociative(value)) {
    if (key === '') throw new ShellError(`${name}[${key}]: bad array subscript`, 1, 'line');
    value.keys.set(key, prepare(value.keys.get(key) ?? ''));
  } else if (isIndexed(value)) {
    const index = position(shell, name, key, value);
    value.set(index, prepare(value.get(index) ?? ''));
  }
}

/** A parameter's values. `list`: it stands for several words, joined (`*`) or separate (`@`). */
export interface Parameter {
  set: boolean;
  values: string[];
  list: '@' | '*' | undefined;
  /** Keys of the values, for `${!a[@]}`. */
  keys: string[];
}

const single = (value: string | undefined): Parameter => ({
  set: value !== undefined,
  values: value === undefined ? [] : [value],
  list: undefined,
  keys: value === undefined ? [] : ['0'],
});

/** Looks up a name, a number, a special character, or an element; `index` is already expanded. */
export function lookup(shell: Shell, name: string, index: string | undefined): Parameter {
  if (index !== undefined) {
    if (index !== '@' && index !== '*') return single(readElement(shell, name, index));
    const variable = shell.vars.find(name);
    const entries = variable?.dynamic
      ? ([['0', variable.dynamic()]] as [string, string][])
      : entriesOf(variable?.value);
    return {
      set: entries.length > 0,
      values: entries.map(([, value]) => value),
      list: index,
      keys: entries.map(([key]) => key),
    };
  }
  if (name === '@' || name === '*') {
    const keys = shell.args.map((_, position) => String(position + 1));
    return { set: shell.args.length > 0, values: [...shell.args], list: name, keys };
  }
  if (/^\d+$/.test(name)) return single(name === '0' ? shell.name : shell.args[Number(name) - 1]);
  switch (name) {
    case '#':
      return single(String(shell.args.length));
    case '?':
      return single(String(shell.status));
    case '-':
      return single(shell.optionLetters());
    case '$':
      return single(String(shell.pid));
    case '!':
      return single(shell.lastBackground === undefined ? undefined : String(shell.lastBackground));
    default: {
      const target = shell.vars.resolve(name);
      const element = elementOf(shell, target);
      return element ? lookup(shell, element.name, element.key) : single(shell.vars.get(target));
    }
  }
}
