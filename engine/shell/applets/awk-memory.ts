// What an awk program knows: variables, arrays, the current record and its fields.
import { printf } from '../builtins/printf';
import { awkRegex } from './awk-regex';
import { unquote } from './awk-tokens';
import { fromInput, Numeric, type Table, toNumber, type Value } from './awk-values';
import { type Tool, UsageError } from './tool';

/** Variables by scope, and the record. Fields and the record are rebuilt from each other when they are asked for. */
export class Memory {
  readonly tool: Tool;

  readonly globals = new Map<string, Value | Table>();

  readonly frames: Map<string, Value | Table>[] = [];

  fields: string[] = [];

  record = '';

  recordStale = false;

  fieldsStale = false;

  constructor(tool: Tool, operands: string[]) {
    this.tool = tool;
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
    for (const [name, value] of Object.entries(defaults)) this.globals.set(name, value);
    this.globals.set(
      'ENVIRON',
      new Map(Object.entries(tool.environment).map(([name, value]): [string, Value] => [name, fromInput(value)])),
    );
    const argv: Table = new Map<string, Value>([['0', 'awk']]);
    for (const [position, operand] of operands.entries()) argv.set(String(position + 1), fromInput(operand));
    this.globals.set('ARGV', argv);
    this.globals.set('ARGC', operands.length + 1);
  }

  assign(name: string, text: string): void {
    this.setVariable(name, fromInput(unquote(text)));
  }

  setRecord(text: string): void {
    this.record = text;
    this.recordStale = false;
    this.fieldsStale = true;
  }

  wholeRecord(): string {
    if (this.recordStale) {
      this.record = this.fields.join(this.text(this.variable('OFS')));
      this.recordStale = false;
    }
    return this.record;
  }

  splitRecord(): void {
    if (!this.fieldsStale) return;
    this.fieldsStale = false;
    this.fields = this.split(
      this.record,
      this.text(this.globals.get('FS') as Value),
      this.text(this.globals.get('RS') as Value) === '',
    );
    this.globals.set('NF', this.fields.length);
  }

  split(text: string, separator: string, paragraphs = false): string[] {
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

  text(value: Value, format = 'CONVFMT'): string {
    if (typeof value === 'string') return value;
    if (value === undefined) return '';
    if (value instanceof Numeric) return value.text;
    if (Number.isInteger(value) && Math.abs(value) < 1e16) return String(value === 0 ? 0 : value);
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
    if (Number.isInteger(value)) return BigInt(value).toString();
    return printf(this.globals.get(format) as string, [String(value)]).text;
  }

  variable(name: string): Value {
    if (name === 'NF') this.splitRecord();
    const frame = this.frames.at(-1);
    const value = frame?.has(name) ? frame.get(name) : this.globals.get(name);
    if (value instanceof Map) throw new UsageError(`attempt to use array \`${name}' in a scalar context`, 2);
    return value;
  }

  setVariable(name: string, value: Value): void {
    const frame = this.frames.at(-1);
    if (frame?.has(name)) {
      frame.set(name, value);
      return;
    }
    if (name === 'NF') {
      this.splitRecord();
      const count = toNumber(value);
      while (this.fields.length < count) this.fields.push('');
      this.fields.length = count;
      this.recordStale = true;
    }
    this.globals.set(name, value);
  }

  table(name: string): Table {
    const frame = this.frames.at(-1);
    const scope = frame?.has(name) ? frame : this.globals;
    const known = scope.get(name);
    if (known instanceof Map) return known;
    if (known !== undefined) throw new UsageError(`attempt to use scalar \`${name}' as an array`, 2);
    const table: Table = new Map();
    scope.set(name, table);
    return table;
  }

  field(index: number): Value {
    if (index === 0) return fromInput(this.wholeRecord());
    this.splitRecord();
    const text = this.fields[index - 1];
    return text === undefined ? undefined : fromInput(text);
  }
}
