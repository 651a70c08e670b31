// awk: the interpreter. Input is read line by line as it comes; output to files and commands goes through channels.
import fs from 'node:fs';
import { printf } from '../builtins/printf';
import { CaptureChannel, type Channel, DescriptorChannel } from '../io/channel';
import { Input, Output } from '../io/streams';
import { awkRegex, type Expression, type Program, parseProgram, type Statement } from './awk-parser';
import { lastValue, parseOptions } from './options';
import { strftime } from './strftime';
import { type Applet, complain, fileError, openInput, readText, resolvePath, type Tool, UsageError } from './tool';

/** A value; `numeric` strings come from input and compare as numbers. */
type Value = number | string | Numeric | undefined;

/** Input that looks like a number. */
class Numeric {
  readonly text: string;
  readonly value: number;
  constructor(text: string, value: number) {
    this.text = text;
    this.value = value;
  }
}

type Table = Map<string, Value>;

class Jump {
  readonly kind: 'break' | 'continue' | 'next' | 'nextfile' | 'exit' | 'return';
  readonly value: Value;
  constructor(kind: Jump['kind'], value?: Value) {
    this.kind = kind;
    this.value = value;
  }
}

/** Lines from an input, one at a time. */
class Records {
  readonly #input: Input;
  readonly #close: () => void;
  #rest = '';
  #decoder = new TextDecoder();
  #ended = false;

  constructor(opened: { input: Input; close(): void }) {
    this.#input = opened.input;
    this.#close = opened.close;
  }

  /** The next record by the separator in force now. */
  async next(separator: string): Promise<string | undefined> {
    for (;;) {
      const record = this.#cut(separator);
      if (record !== undefined) return record;
      if (this.#ended) {
        if (this.#rest === '') return undefined;
        const last = separator === '' ? this.#rest.replace(/^\n+|\n+$/g, '') : this.#rest;
        this.#rest = '';
        return last === '' && separator === '' ? undefined : last;
      }
      const chunk = await this.#input.chunk();
      if (chunk) this.#rest += this.#decoder.decode(chunk, { stream: true });
      else {
        this.#ended = true;
        if (separator === '\n' && this.#rest.endsWith('\n')) this.#rest = this.#rest.slice(0, -1);
      }
    }
  }

  #cut(separator: string): string | undefined {
    if (separator === '') this.#rest = this.#rest.replace(/^\n+/, '');
    const regex = separator === '' ? /\n\n+/g : separator.length > 1 ? awkRegex(separator) : undefined;
    let at: number;
    let length = 1;
    if (regex) {
      regex.lastIndex = 0;
      const match = regex.exec(this.#rest);
      at = match && (this.#ended || match.index + match[0].length < this.#rest.length) ? match.index : -1;
      length = match?.[0].length ?? 1;
    } else at = this.#rest.indexOf(separator);
    if (at < 0) return undefined;
    const record = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at + length);
    return record;
  }

  close(): void {
    this.#close();
  }
}

const NUMBER = /^[ \t\n]*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|nan)[ \t\n]*$/i;

function fromInput(text: string): Value {
  return NUMBER.test(text) ? new Numeric(text, Number(text)) : text;
}

function toNumber(value: Value): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  if (value instanceof Numeric) return value.value;
  return Number(value.match(/^[ \t\n]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/)?.[1] ?? 0);
}

function toBoolean(value: Value): boolean {
  if (value instanceof Numeric) return value.value !== 0;
  return typeof value === 'number' ? value !== 0 : value !== undefined && value !== '';
}

class Interpreter {
  readonly #tool: Tool;
  readonly #program: Program;
  readonly #globals = new Map<string, Value | Table>();
  readonly #frames: Map<string, Value | Table>[] = [];
  readonly #outputs = new Map<string, { output: Output; finish(): Promise<number> }>();
  readonly #inputs = new Map<string, Records>();
  readonly #ranges = new Set<number>();
  #operands: string[];
  #main: Records | undefined;
  #fields: string[] = [];
  #record = '';
  #recordStale = false;
  #fieldsStale = false;
  #seed = 0;
  #random = 1;
  #steps = 0;
  #sliceStart = performance.now();
  exitStatus = 0;

  constructor(tool: Tool, program: Program, operands: string[]) {
    this.#tool = tool;
    this.#program = program;
    this.#operands = operands;
    const defaults: Record<string, Value> = {
      FS: ' ',
      OFS: ' ',
      RS: '\n',
      ORS: '\n',
      SUBSEP: '\x1c',
      NF: 0,
      NR: 0,
      FNR: 0,
      CONVFMT: '%.6g',
      OFMT: '%.6g',
      RSTART: 0,
      RLENGTH: -1,
      FILENAME: '',
    };
    for (const [name, value] of Object.entries(defaults)) this.#globals.set(name, value);
    this.#globals.set(
      'ENVIRON',
      new Map(Object.entries(tool.environment).map(([name, value]): [string, Value] => [name, fromInput(value)])),
    );
    const argv: Table = new Map<string, Value>([['0', 'awk']]);
    for (const [position, operand] of operands.entries()) argv.set(String(position + 1), fromInput(operand));
    this.#globals.set('ARGV', argv);
    this.#globals.set('ARGC', operands.length + 1);
  }

  assign(name: string, text: string): void {
    this.#setVariable(
      name,
      fromInput(text.replace(/\\([nt\\"])/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter)),
    );
  }

  async run(): Promise<number> {
    const rules = this.#program.rules;
    try {
      await this.#catchExit(async () => {
        for (const rule of rules) if (rule.kind === 'begin') await this.#execute(rule.body!);
        if (rules.some((rule) => rule.kind !== 'begin')) await this.#readAll();
      });
      await this.#catchExit(async () => {
        for (const rule of rules) if (rule.kind === 'end') await this.#execute(rule.body!);
      });
    } finally {
      for (const key of [...this.#outputs.keys()]) await this.#close(key);
      for (const records of this.#inputs.values()) records.close();
    }
    return this.exitStatus;
  }

  #exited = false;
  async #catchExit(body: () => Promise<void>): Promise<void> {
    if (this.#exited) return;
    try {
      await body();
    } catch (error) {
      if (!(error instanceof Jump) || error.kind !== 'exit') throw error;
      this.#exited = this.#inEnd;
      this.#inEnd = true;
    }
    this.#inEnd = true;
  }
  #inEnd = false;

  async #readAll(): Promise<void> {
    while (await this.#nextMain()) {
      try {
        for (const [position, rule] of this.#program.rules.entries()) {
          if (rule.kind !== 'main' || !(await this.#selects(position))) continue;
          if (rule.body) await this.#execute(rule.body);
          else await this.#tool.stdout.write(this.#wholeRecord() + this.#text(this.#variable('ORS')));
        }
      } catch (error) {
        if (!(error instanceof Jump) || (error.kind !== 'next' && error.kind !== 'nextfile')) throw error;
        if (error.kind === 'nextfile') {
          this.#main?.close();
          this.#main = undefined;
        }
      }
    }
  }

  async #selects(position: number): Promise<boolean> {
    const { from, to } = this.#program.rules[position]!;
    if (!from) return true;
    if (!to) return toBoolean(await this.#value(from));
    const active = this.#ranges.has(position) || toBoolean(await this.#value(from));
    if (!active) return false;
    if (toBoolean(await this.#value(to))) this.#ranges.delete(position);
    else this.#ranges.add(position);
    return true;
  }

  /** Makes the next record of the operands current. */
  async #nextMain(): Promise<boolean> {
    const record = await this.#mainRecord();
    if (record === undefined) return false;
    this.#setRecord(record);
    return true;
  }

  #started = false;
  async #mainRecord(): Promise<string | undefined> {
    for (;;) {
      if (!this.#main) {
        const operand = this.#nextOperand();
        if (operand === undefined) return undefined;
        try {
          this.#main = new Records(openInput(this.#tool, operand));
        } catch (error) {
          await complain(
            this.#tool,
            `warning: command line argument \`${operand}' cannot be opened: ${fileError('', error).slice(2)}`.replace(
              /^.*$/,
              `cannot open "${operand}" (${fileError('', error).slice(2)})`,
            ),
          );
          this.exitStatus = 2;
          continue;
        }
        this.#setVariable('FILENAME', operand === '-' ? '' : operand);
        this.#setVariable('FNR', 0);
      }
      const record = await this.#main.next(this.#text(this.#variable('RS')));
      if (record !== undefined) {
        this.#setVariable('NR', toNumber(this.#variable('NR')) + 1);
        this.#setVariable('FNR', toNumber(this.#variable('FNR')) + 1);
        return record;
      }
      this.#main.close();
      this.#main = undefined;
    }
  }

  #nextOperand(): string | undefined {
    while (this.#operands.length > 0) {
      const operand = this.#operands.shift()!;
      const assignment = operand.match(/^([A-Za-z_]\w*)=([\s\S]*)$/);
      if (assignment) this.assign(assignment[1]!, assignment[2]!);
      else if (operand !== '') {
        this.#started = true;
        return operand;
      }
    }
    if (this.#started) return undefined;
    this.#started = true;
    return '-';
  }

  #setRecord(text: string): void {
    this.#record = text;
    this.#recordStale = false;
    this.#fieldsStale = true;
  }

  #wholeRecord(): string {
    if (this.#recordStale) {
      this.#record = this.#fields.join(this.#text(this.#variable('OFS')));
      this.#recordStale = false;
    }
    return this.#record;
  }

  #splitRecord(): void {
    if (!this.#fieldsStale) return;
    this.#fieldsStale = false;
    this.#fields = this.#split(
      this.#record,
      this.#text(this.#globals.get('FS') as Value),
      this.#text(this.#globals.get('RS') as Value) === '',
    );
    this.#globals.set('NF', this.#fields.length);
  }

  #split(text: string, separator: string, paragraphs = false): string[] {
    if (text === '') return [];
    if (separator === ' ') {
      const trimmed = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
      return trimmed === '' ? [] : trimmed.split(/[ \t\n]+/);
    }
    if (separator === '') return [...text];
    if (paragraphs)
      return text.split(
        new RegExp(
          `${separator.length === 1 ? separator.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : awkRegex(separator).source}|\\n`,
        ),
      );
    if (separator === '\t' || (separator.length === 1 && separator !== '\\')) return text.split(separator);
    const parts: string[] = [];
    let last = 0;
    for (const match of text.matchAll(awkRegex(separator))) {
      if (match[0] === '') continue;
      parts.push(text.slice(last, match.index));
      last = match.index + match[0].length;
    }
    return [...parts, text.slice(last)];
  }

  #text(value: Value, format = 'CONVFMT'): string {
    if (typeof value === 'string') return value;
    if (value === undefined) return '';
    if (value instanceof Numeric) return value.text;
    if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value === 0 ? 0 : value);
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
    if (Number.isInteger(value)) return BigInt(value).toString();
    return printf(this.#globals.get(format) as string, [String(value)]).text;
  }

  #variable(name: string): Value {
    if (name === 'NF') this.#splitRecord();
    const frame = this.#frames.at(-1);
    const value = frame?.has(name) ? frame.get(name) : this.#globals.get(name);
    if (value instanceof Map) throw new UsageError(`attempt to use array \`${name}' in a scalar context`, 2);
    return value;
  }

  #setVariable(name: string, value: Value): void {
    const frame = this.#frames.at(-1);
    if (frame?.has(name)) {
      frame.set(name, value);
      return;
    }
    if (name === 'NF') {
      this.#splitRecord();
      const count = toNumber(value);
      while (this.#fields.length < count) this.#fields.push('');
      this.#fields.length = count;
      this.#recordStale = true;
    }
    this.#globals.set(name, value);
  }

  #table(name: string): Table {
    const frame = this.#frames.at(-1);
    const scope = frame?.has(name) ? frame : this.#globals;
    const known = scope.get(name);
    if (known instanceof Map) return known;
    if (known !== undefined) throw new UsageError(`attempt to use scalar \`${name}' as an array`, 2);
    const table: Table = new Map();
    scope.set(name, table);
    return table;
  }

  async #key(keys: Expression[]): Promise<string> {
    const parts: string[] = [];
    for (const key of keys) parts.push(this.#text(await this.#value(key)));
    return parts.join(this.#text(this.#globals.get('SUBSEP') as Value));
  }

  #field(index: number): Value {
    if (index === 0) return fromInput(this.#wholeRecord());
    this.#splitRecord();
    const text = this.#fields[index - 1];
    return text === undefined ? undefined : fromInput(text);
  }

  async #store(target: Expression, value: Value): Promise<Value> {
    if (target.type === 'name') this.#setVariable(target.name, value);
    else if (target.type === 'element') this.#table(target.name).set(await this.#key(target.keys), value);
    else if (target.type === 'field') {
      const index = toNumber(await this.#value(target.index));
      if (index < 0) throw new UsageError(`attempt to access field ${index}`, 2);
      if (index === 0) this.#setRecord(this.#text(value));
      else {
        this.#splitRecord();
        while (this.#fields.length < index) this.#fields.push('');
        this.#fields[index - 1] = this.#text(value);
        this.#globals.set('NF', this.#fields.length);
        this.#recordStale = true;
      }
    } else throw new UsageError('assignment to something that is no variable', 2);
    return value;
  }

  async #regex(pattern: Expression): Promise<RegExp> {
    const regex = pattern.type === 'regex' ? pattern.regex : awkRegex(this.#text(await this.#value(pattern)));
    regex.lastIndex = 0;
    return regex;
  }

  async #value(expression: Expression): Promise<Value> {
    switch (expression.type) {
      case 'number':
      case 'string':
        return expression.value;
      case 'regex':
        expression.regex.lastIndex = 0;
        return expression.regex.test(this.#wholeRecord()) ? 1 : 0;
      case 'name':
        return this.#variable(expression.name);
      case 'field':
        return this.#field(toNumber(await this.#value(expression.index)));
      case 'element': {
        const table = this.#table(expression.name);
        const key = await this.#key(expression.keys);
        if (!table.has(key)) table.set(key, undefined);
        return table.get(key);
      }
      case 'in':
        return this.#table(expression.name).has(await this.#key(expression.keys)) ? 1 : 0;
      case 'group':
        if (expression.items.length === 1) return this.#value(expression.items[0]!);
        return this.#key(expression.items);
      case 'assign': {
        const right = await this.#value(expression.value);
        if (expression.operator === '=') return this.#store(expression.target, right);
        const left = toNumber(await this.#value(expression.target));
        return this.#store(expression.target, arithmetic(expression.operator.slice(0, -1), left, toNumber(right)));
      }
      case 'binary':
        return this.#binary(expression.operator, expression.left, expression.right);
      case 'unary': {
        const value = await this.#value(expression.operand);
        return expression.operator === '!'
          ? toBoolean(value)
            ? 0
            : 1
          : expression.operator === '-'
            ? -toNumber(value)
            : toNumber(value);
      }
      case 'step': {
        const before = toNumber(await this.#value(expression.target));
        const after = before + (expression.operator === '++' ? 1 : -1);
        await this.#store(expression.target, after);
        return expression.prefix ? after : before;
      }
      case 'ternary':
        return this.#value(toBoolean(await this.#value(expression.test)) ? expression.yes : expression.no);
      case 'match': {
        const text = this.#text(await this.#value(expression.text));
        return (await this.#regex(expression.pattern)).test(text) !== expression.negated ? 1 : 0;
      }
      case 'call':
        return this.#call(expression.name, expression.args);
      case 'builtin':
        return this.#builtin(expression.name, expression.args);
      case 'getline':
        return this.#getline(expression);
      default:
        return expression satisfies never;
    }
  }

  async #binary(operator: string, leftSide: Expression, rightSide: Expression): Promise<Value> {
    const left = await this.#value(leftSide);
    if (operator === '&&') return toBoolean(left) && toBoolean(await this.#value(rightSide)) ? 1 : 0;
    if (operator === '||') return toBoolean(left) || toBoolean(await this.#value(rightSide)) ? 1 : 0;
    const right = await this.#value(rightSide);
    if (operator === ' ') return this.#text(left) + this.#text(right);
    if (!['<', '<=', '==', '!=', '>', '>='].includes(operator))
      return arithmetic(operator, toNumber(left), toNumber(right));
    const numeric = typeof left !== 'string' && typeof right !== 'string';
    const [a, b] = numeric ? [toNumber(left), toNumber(right)] : [this.#text(left), this.#text(right)];
    const holds = { '<': a < b, '<=': a <= b, '==': a === b, '!=': a !== b, '>': a > b, '>=': a >= b }[operator]!;
    return holds ? 1 : 0;
  }

  async #call(name: string, args: Expression[]): Promise<Value> {
    const definition = this.#program.functions.get(name);
    if (!definition) throw new UsageError(`function \`${name}' not defined`, 2);
    if (this.#frames.length > 1000) throw new UsageError(`function \`${name}' nested too deeply`, 2);
    const frame = new Map<string, Value | Table>();
    for (const [position, parameter] of definition.parameters.entries()) {
      const arg = args[position];
      if (arg?.type === 'name') {
        const outer = this.#frames.at(-1)?.has(arg.name) ? this.#frames.at(-1)! : this.#globals;
        const known = outer.get(arg.name);
        if (known === undefined && usesAsArray(definition.body, parameter)) frame.set(parameter, this.#table(arg.name));
        else frame.set(parameter, known);
      } else frame.set(parameter, arg ? await this.#value(arg) : undefined);
    }
    this.#frames.push(frame);
    try {
      await this.#execute(definition.body);
      return undefined;
    } catch (error) {
      if (error instanceof Jump && error.kind === 'return') return error.value;
      throw error;
    } finally {
      this.#frames.pop();
    }
  }

  async #builtin(name: string, args: Expression[]): Promise<Value> {
    if (name === 'length' && args[0]?.type === 'name') {
      const frame = this.#frames.at(-1);
      const known = frame?.has(args[0].name) ? frame.get(args[0].name) : this.#globals.get(args[0].name);
      if (known instanceof Map) return known.size;
    }
    if (name === 'split') return this.#splitInto(args);
    if (name === 'sub' || name === 'gsub') return this.#substitute(name === 'gsub', args);
    if (name === 'match') return this.#match(args);
    if (name === 'asort' || name === 'asorti') {
      const table = this.#table((args[0] as { name: string }).name);
      const items = (name === 'asort' ? [...table.values()] : [...table.keys()]).sort((a, b) =>
        typeof a === 'string' || typeof b === 'string'
          ? this.#text(a) < this.#text(b)
            ? -1
            : 1
          : toNumber(a) - toNumber(b),
      );
      const into = args[1] ? this.#table((args[1] as { name: string }).name) : table;
      into.clear();
      for (const [position, item] of items.entries()) into.set(String(position + 1), item);
      return items.length;
    }
    if (name === 'gensub') {
      const regex = await this.#regex(args[0]!);
      const replacement = this.#text(await this.#value(args[1]!));
      const how = this.#text(await this.#value(args[2]!));
      const text = args[3] ? this.#text(await this.#value(args[3])) : this.#wholeRecord();
      let count = 0;
      return text.replace(regex, (...groups) =>
        ++count === Number(how) || /^[gG]/.test(how)
          ? replacement.replace(/\\(\d|\\|&)|&/g, (whole, letter?: string) =>
              letter === undefined
                ? groups[0]
                : /\d/.test(letter)
                  ? (groups[Number(letter)] ?? '')
                  : letter === '&'
                    ? '&'
                    : whole.slice(1),
            )
          : groups[0],
      );
    }
    const values: Value[] = [];
    for (const arg of args) values.push(await this.#value(arg));
    const text = (at: number) => this.#text(values[at]);
    const number = (at: number) => toNumber(values[at]);
    switch (name) {
      case 'length':
        return args.length === 0 ? [...this.#wholeRecord()].length : [...text(0)].length;
      case 'substr': {
        const characters = [...text(0)];
        const from = Math.round(number(1));
        const to = args.length > 2 ? from + Math.round(number(2)) : Number.POSITIVE_INFINITY;
        return characters.slice(Math.max(0, from - 1), Math.max(0, to - 1)).join('');
      }
      case 'index':
        return text(0).indexOf(text(1)) + 1;
      case 'sprintf':
        return printf(
          text(0),
          values.slice(1).map((value) => this.#text(value)),
        ).text;
      case 'tolower':
        return text(0).toLowerCase();
      case 'toupper':
        return text(0).toUpperCase();
      case 'sin':
        return Math.sin(number(0));
      case 'cos':
        return Math.cos(number(0));
      case 'atan2':
        return Math.atan2(number(0), number(1));
      case 'exp':
        return Math.exp(number(0));
      case 'log':
        return Math.log(number(0));
      case 'sqrt':
        return Math.sqrt(number(0));
      case 'int':
        return Math.trunc(number(0));
      case 'rand':
        this.#random = (this.#random * 48271) % 2147483647;
        return this.#random / 2147483647;
      case 'srand': {
        const before = this.#seed;
        this.#seed = args.length > 0 ? number(0) : Math.floor(Date.now() / 1000);
        this.#random = (Math.abs(this.#seed) % 2147483646) + 1;
        return before;
      }
      case 'and':
        return Number(BigInt(number(0)) & BigInt(number(1)));
      case 'or':
        return Number(BigInt(number(0)) | BigInt(number(1)));
      case 'xor':
        return Number(BigInt(number(0)) ^ BigInt(number(1)));
      case 'lshift':
        return number(0) * 2 ** number(1);
      case 'rshift':
        return Math.floor(number(0) / 2 ** number(1));
      case 'systime':
        return Math.floor(Date.now() / 1000);
      case 'strftime':
        return strftime(
          args.length > 0 ? text(0) : '%a %b %e %H:%M:%S %Z %Y',
          args.length > 1 ? new Date(number(1) * 1000) : new Date(),
          args.length > 2 && toBoolean(values[2]),
        );
      case 'mktime': {
        const [year, month, day, hour, minute, second] = text(0).split(/\s+/).map(Number);
        return Math.floor(new Date(year!, month! - 1, day, hour, minute, second).getTime() / 1000);
      }
      case 'system':
        await this.#flush();
        return this.#tool.run(['sh', '-c', text(0)]);
      case 'close':
        return this.#close(text(0));
      case 'fflush':
        await this.#flush();
        return 0;
      default:
        throw new UsageError(`function ${name} is not supported`, 2);
    }
  }

  async #flush(): Promise<void> {
    await this.#tool.stdout.flush();
    for (const { output } of this.#outputs.values()) await output.flush();
  }

  async #splitInto(args: Expression[]): Promise<Value> {
    const text = this.#text(await this.#value(args[0]!));
    const table = this.#table((args[1] as { name: string }).name);
    const separator = args[2];
    let parts: string[];
    if (separator?.type === 'regex')
      parts =
        text === ''
          ? []
          : this.#split(
              text,
              separator.regex.source === ' '
                ? '[ ]'
                : separator.regex.source.length === 1
                  ? `(?:${separator.regex.source})`
                  : separator.regex.source,
            );
    else
      parts = this.#split(
        text,
        separator ? this.#text(await this.#value(separator)) : this.#text(this.#globals.get('FS') as Value),
      );
    table.clear();
    for (const [position, part] of parts.entries()) table.set(String(position + 1), fromInput(part));
    return parts.length;
  }

  async #substitute(all: boolean, args: Expression[]): Promise<Value> {
    const source = await this.#regex(args[0]!);
    const replacement = this.#text(await this.#value(args[1]!));
    const target: Expression = args[2] ?? { type: 'field', index: { type: 'number', value: 0 } };
    const text = this.#text(await this.#value(target));
    const fill = (match: string) =>
      replacement.replace(/\\\\|\\&|&/g, (part) => (part === '&' ? match : part === '\\&' ? '&' : '\\'));
    let count = 0;
    const regex = all ? source : new RegExp(source.source, source.flags.replace('g', ''));
    let last = -1;
    const result = text.replace(regex, (...groups) => {
      const match = groups[0] as string;
      const at = groups.at(typeof groups.at(-1) === 'object' ? -3 : -2) as number;
      // An empty match right after another match does not count.
      if (match === '' && at === last) return '';
      last = at + match.length;
      count++;
      return fill(match);
    });
    if (count > 0) await this.#store(target, result);
    return count;
  }

  async #match(args: Expression[]): Promise<Value> {
    const text = this.#text(await this.#value(args[0]!));
    const match = (await this.#regex(args[1]!)).exec(text);
    this.#globals.set('RSTART', match ? match.index + 1 : 0);
    this.#globals.set('RLENGTH', match ? match[0].length : -1);
    if (args[2]) {
      const table = this.#table((args[2] as { name: string }).name);
      table.clear();
      if (match)
        for (const [position, group] of match.entries())
          if (group !== undefined) table.set(String(position), fromInput(group));
    }
    return match ? match.index + 1 : 0;
  }

  async #getline(expression: Extract<Expression, { type: 'getline' }>): Promise<Value> {
    let record: string | undefined;
    if (expression.from === 'main') {
      record = await this.#mainRecord();
      if (record === undefined) return 0;
    } else {
      const name = this.#text(await this.#value(expression.source!));
      const key = `${expression.from}:${name}`;
      let records = this.#inputs.get(key);
      if (!records) {
        try {
          records = new Records(
            expression.from === 'file' ? openInput(this.#tool, name) : await this.#commandOutput(name),
          );
        } catch {
          return -1;
        }
        this.#inputs.set(key, records);
      }
      record = await records.next(this.#text(this.#variable('RS')));
      if (record === undefined) return 0;
      if (expression.from === 'command') this.#setVariable('NR', toNumber(this.#variable('NR')) + 1);
    }
    if (expression.target) await this.#store(expression.target, fromInput(record));
    else this.#setRecord(record);
    return 1;
  }

  async #commandOutput(command: string): Promise<{ input: Input; close(): void }> {
    await this.#flush();
    const capture = new CaptureChannel(this.#tool.os);
    await this.#tool.run(['sh', '-c', command], { stdout: capture });
    capture.release();
    const bytes = await capture.bytes();
    let given = false;
    const channel = {
      read(into: Uint8Array) {
        if (given && bytes.length <= position) return 0;
        given = true;
        const part = bytes.subarray(position, position + into.length);
        into.set(part);
        position += part.length;
        return part.length;
      },
    };
    let position = 0;
    return { input: new Input(channel as unknown as Channel, this.#tool.signal), close() {} };
  }

  async #outputFor(kind: '>' | '>>' | '|', name: string): Promise<Output> {
    if (kind !== '|' && name === '/dev/stdout') return this.#tool.stdout;
    if (kind !== '|' && name === '/dev/stderr') return this.#tool.stderr;
    const known = this.#outputs.get(name);
    if (known) return known.output;
    if (kind === '|') {
      await this.#tool.stdout.flush();
      const [read, write] = this.#tool.os.pipe();
      const reader = new DescriptorChannel(this.#tool.os, read);
      const output = new Output(new DescriptorChannel(this.#tool.os, write), this.#tool.signal);
      const done = this.#tool.run(['sh', '-c', name], { stdin: reader });
      reader.release();
      const finish = async () => {
        await this.#tool.stdout.flush();
        output.channel.release();
        return done;
      };
      this.#outputs.set(name, { output, finish });
      return output;
    }
    const fd = fs.openSync(resolvePath(this.#tool, name), kind === '>' ? 'w' : 'a', 0o666 & ~this.#tool.umask);
    const output = new Output(new DescriptorChannel(this.#tool.os, fd), this.#tool.signal);
    this.#outputs.set(name, {
      output,
      finish: async () => {
        output.channel.release();
        return 0;
      },
    });
    return output;
  }

  async #close(name: string): Promise<number> {
    for (const key of [`file:${name}`, `command:${name}`]) {
      this.#inputs.get(key)?.close();
      this.#inputs.delete(key);
    }
    const known = this.#outputs.get(name);
    if (!known) return -1;
    this.#outputs.delete(name);
    await known.output.flush();
    return known.finish();
  }

  async #execute(statement: Statement): Promise<void> {
    if (++this.#steps % 256 === 0) {
      if (this.#tool.signal.aborted) throw this.#tool.signal.reason;
      if (performance.now() - this.#sliceStart > 12) {
        await new Promise((resolve) => setImmediate(resolve));
        this.#sliceStart = performance.now();
      }
    }
    switch (statement.type) {
      case 'block':
        for (const inner of statement.body) await this.#execute(inner);
        return;
      case 'expression':
        await this.#value(statement.value);
        return;
      case 'print':
        return this.#print(statement);
      case 'if':
        if (toBoolean(await this.#value(statement.test))) await this.#execute(statement.yes);
        else if (statement.no) await this.#execute(statement.no);
        return;
      case 'while':
        while (toBoolean(await this.#value(statement.test))) if (!(await this.#pass(statement.body))) return;
        return;
      case 'do':
        do {
          if (!(await this.#pass(statement.body))) return;
        } while (toBoolean(await this.#value(statement.test)));
        return;
      case 'for':
        if (statement.start) await this.#execute(statement.start);
        while (!statement.test || toBoolean(await this.#value(statement.test))) {
          if (!(await this.#pass(statement.body))) return;
          if (statement.step) await this.#execute(statement.step);
        }
        return;
      case 'forIn': {
        const table = this.#table(statement.array);
        for (const key of [...table.keys()]) {
          if (!table.has(key)) continue;
          this.#setVariable(statement.name, fromInput(key));
          if (!(await this.#pass(statement.body))) return;
        }
        return;
      }
      case 'delete':
        if (statement.keys) this.#table(statement.name).delete(await this.#key(statement.keys));
        else this.#table(statement.name).clear();
        return;
      case 'jump':
        throw new Jump(statement.kind);
      case 'return':
        throw new Jump('return', statement.value ? await this.#value(statement.value) : undefined);
      case 'exit':
        if (statement.value) this.exitStatus = toNumber(await this.#value(statement.value)) & 255;
        throw new Jump('exit');
      default:
        statement satisfies never;
    }
  }

  async #pass(body: Statement): Promise<boolean> {
    try {
      await this.#execute(body);
      return true;
    } catch (error) {
      if (!(error instanceof Jump) || (error.kind !== 'break' && error.kind !== 'continue')) throw error;
      return error.kind === 'continue';
    }
  }

  async #print({ formatted, args, to }: Extract<Statement, { type: 'print' }>): Promise<void> {
    const values: Value[] = [];
    for (const arg of args) values.push(await this.#value(arg));
    let text: string;
    if (formatted)
      text = printf(
        this.#text(values[0]),
        values.slice(1).map((value) => this.#text(value)),
      ).text;
    else
      text =
        (values.length === 0
          ? this.#wholeRecord()
          : values.map((value) => this.#text(value, 'OFMT')).join(this.#text(this.#variable('OFS')))) +
        this.#text(this.#variable('ORS'));
    const output = to ? await this.#outputFor(to.kind, this.#text(await this.#value(to.name))) : this.#tool.stdout;
    await output.write(text);
  }
}

function arithmetic(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      if (b === 0) throw new UsageError('division by zero', 2);
      return a / b;
    case '%':
      if (b === 0) throw new UsageError('division by zero in %', 2);
      return a % b;
    case '^':
      return a ** b;
    default:
      throw new Error(`operator ${operator} has no meaning`);
  }
}

/** Whether a function's body uses a parameter as an array. */
function usesAsArray(body: unknown, name: string): boolean {
  if (Array.isArray(body)) return body.some((item) => usesAsArray(item, name));
  if (!body || typeof body !== 'object') return false;
  const node = body as Record<string, unknown>;
  if (['element', 'in', 'delete'].includes(String(node.type)) && node.name === name) return true;
  if (node.type === 'forIn' && node.array === name) return true;
  if (node.type === 'builtin' && node.name === 'split' && (node.args as { name?: string }[])[1]?.name === name)
    return true;
  if (node.type === 'call')
    return (node.args as { type: string; name?: string }[]).some((arg) => arg.type === 'name' && arg.name === name);
  return Object.values(node).some((item) => usesAsArray(item, name));
}

/** awk [-F fs] [-v name=value] [-f file | program] [files and assignments]. */
export const awk: Applet = async (tool) => {
  const parsed = parseOptions(
    tool.args,
    'F:v:f:',
    { 'field-separator=': 'F', 'assign=': 'v', 'file=': 'f' },
    { permute: false, status: 2 },
  );
  let operands = parsed.operands;
  let source: string;
  if (parsed.values.has('f'))
    source = (await Promise.all(parsed.values.get('f')!.map((file) => readText(tool, file)))).join('\n');
  else {
    if (operands[0] === undefined)
      throw new UsageError('usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]', 2);
    source = operands[0];
    operands = operands.slice(1);
  }
  const interpreter = new Interpreter(tool, parseProgram(source), [...operands]);
  const separator = lastValue(parsed, 'F');
  if (separator !== undefined) interpreter.assign('FS', separator === 't' ? '\t' : separator);
  for (const assignment of parsed.values.get('v') ?? []) {
    const match = assignment.match(/^([A-Za-z_]\w*)=([\s\S]*)$/);
    if (!match) throw new UsageError(`\`${assignment}' argument to \`-v' not in \`var=value' form`, 2);
    interpreter.assign(match[1]!, match[2]!);
  }
  return interpreter.run();
};
