// The variables of one shell: values, attributes, dynamic scopes of functions. A subshell gets a copy.
import { ShellError } from './execute/control';
import { hashOrder } from './hash-order';
import { joinBytes } from './io/text';

/** Indexed arrays are sparse, associative ones are listed in the order of bash's hash table. */
export type Value = string | Map<number, string> | { readonly keys: Map<string, string> };

/** One variable. `value` undefined: declared but not set. */
export interface Variable {
  value: Value | undefined;
  exported?: boolean;
  readonly?: boolean;
  integer?: boolean;
  fold?: 'lower' | 'upper';
  reference?: boolean;
  /** Computed on each read: RANDOM, SECONDS. */
  dynamic?: () => string;
  /** What an assignment to a computed one does; without it the assignment is for nothing. */
  write?: (text: string) => void;
}

/** Whether the value is an associative array. */
export function isAssociative(value: Value | undefined): value is { keys: Map<string, string> } {
  return typeof value === 'object' && 'keys' in value && !(value instanceof Map);
}

/** Whether the value is an indexed array. */
export function isIndexed(value: Value | undefined): value is Map<number, string> {
  return value instanceof Map;
}

/** The scalar that `$name` means. */
export function scalarOf(value: Value | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return isIndexed(value) ? value.get(0) : value.keys.get('0');
}

/** The elements in the order in which bash lists them. */
export function entriesOf(value: Value | undefined): [string, string][] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [['0', value]];
  if (isIndexed(value)) return [...value].sort((a, b) => a[0] - b[0]).map(([key, element]) => [String(key), element]);
  return hashOrder(value.keys);
}

/** What the names made local there were before: for a function, or for the time of one command with assignments before it. */
interface Frame {
  before: Map<string, Variable | undefined>;
  temporary: boolean;
}

export class Variables {
  #table = new Map<string, Variable>();
  #frames: Frame[] = [];

  copy(): Variables {
    const result = new Variables();
    for (const [name, variable] of this.#table)
      result.#table.set(name, { ...variable, value: copyValue(variable.value) });
    result.#frames = this.#frames.map((frame) => ({ before: new Map(frame.before), temporary: frame.temporary }));
    return result;
  }

  /** Follows name references; a reference may name an element, which the caller resolves. */
  resolve(name: string): string {
    for (let depth = 0; depth < 10; depth++) {
      const variable = this.#table.get(name);
      if (!variable?.reference || typeof variable.value !== 'string' || variable.value === '') return name;
      name = variable.value;
    }
    return name;
  }

  /** The variable itself, references followed. */
  find(name: string): Variable | undefined {
    return this.#table.get(this.resolve(name));
  }

  /** The variable of that very name. */
  own(name: string): Variable | undefined {
    return this.#table.get(name);
  }

  get(name: string): string | undefined {
    const variable = this.find(name);
    if (!variable) return undefined;
    return variable.dynamic ? variable.dynamic() : scalarOf(variable.value);
  }

  /** Creates or finds; never sets a value. */
  declare(name: string): Variable {
    const resolved = this.resolve(name);
    let variable = this.#table.get(resolved);
    if (!variable) {
      variable = { value: undefined };
      this.#table.set(resolved, variable);
    }
    return variable;
  }

  /** Assigns a scalar (element 0 of an array). Throws ShellError for a read-only variable. */
  set(name: string, text: string): void {
    const variable = this.declare(name);
    if (variable.readonly) throw new ShellError(`${name}: readonly variable`, 1, 'line');
    const folded = joinBytes(variable.fold ? foldCase(text, variable.fold) : text);
    if (variable.dynamic) {
      variable.write?.(folded);
      return;
    }
    if (isIndexed(variable.value)) variable.value.set(0, folded);
    else if (isAssociative(variable.value)) variable.value.keys.set('0', folded);
    else variable.value = folded;
  }

  /** Replaces a whole variable; used by declarations. */
  put(name: string, variable: Variable): void {
    this.#table.set(name, variable);
  }

  unset(name: string): void {
    const variable = this.#table.get(name);
    if (variable?.readonly) throw new ShellError(`unset: ${name}: cannot unset: readonly variable`, 1);
    // What a caller has made local goes with its value, and what there was before comes back; a function's own stays local.
    const frame = this.#frames.findLast(({ before }) => before.has(name));
    const before = frame?.before.get(name);
    if (frame && frame !== this.#frames.at(-1)) frame.before.delete(name);
    if (frame && frame !== this.#frames.at(-1) && before) this.#table.set(name, before);
    else this.#table.delete(name);
  }

  names(): string[] {
    return [...this.#table.keys()].sort((a, b) => (a < b ? -1 : 1));
  }

  /** What a child process gets. */
  environment(): Record<string, string> {
    const result: Record<string, string> = {};
    for (const [name, variable] of this.#table) {
      if (!variable.exported) continue;
      const value = scalarOf(variable.value);
      if (variable.dynamic) result[name] = variable.dynamic();
      else if (value !== undefined && typeof variable.value === 'string') result[name] = value;
    }
    return result;
  }

  pushFrame(): void {
    this.#frames.push({ before: new Map(), temporary: false });
  }

  popFrame(): void {
    for (const [name, before] of this.#frames.pop()!.before) {
      if (before) this.#table.set(name, before);
      else this.#table.delete(name);
    }
  }

  /** What the innermost function has made local. */
  localNames(): string[] {
    const frame = this.#frames.findLast(({ temporary }) => !temporary);
    return [...(frame?.before.keys() ?? [])].filter((name) => this.#table.get(name)?.value !== undefined).sort();
  }

  get inFunction(): boolean {
    return this.#frames.some((frame) => !frame.temporary);
  }

  /** Makes `name` local to the innermost function; a second time it changes nothing. */
  makeLocal(name: string): Variable {
    const frame = this.#frames.findLast(({ temporary }) => !temporary)!.before;
    const before = this.#table.get(name);
    if (frame.has(name) && before) return before;
    if (before?.readonly) throw new ShellError(`local: ${name}: readonly variable`);
    if (!frame.has(name)) frame.set(name, before);
    const variable: Variable = { value: undefined };
    if (before?.exported) variable.exported = true;
    this.#table.set(name, variable);
    return variable;
  }

  /** Sets variables for one command; the result puts back what was there. */
  overlay(values: Map<string, string>): () => void {
    const before = new Map([...values.keys()].map((name) => [name, this.#table.get(name)]));
    for (const [name, value] of values) {
      if (this.#table.get(name)?.readonly) throw new ShellError(`${name}: readonly variable`, 1);
      this.#table.set(name, { value, exported: true });
    }
    this.#frames.push({ before, temporary: true });
    return () => this.popFrame();
  }
}

/** A value's copy that shares no array. */
export function copyValue(value: Value | undefined): Value | undefined {
  if (value === undefined || typeof value === 'string') return value;
  return isIndexed(value) ? new Map(value) : { keys: new Map(value.keys) };
}

/** `declare -l` and `-u`. */
export function foldCase(text: string, fold: 'lower' | 'upper'): string {
  return fold === 'lower' ? text.toLowerCase() : text.toUpperCase();
}
