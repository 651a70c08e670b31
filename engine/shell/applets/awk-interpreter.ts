// The interpreter of awk: rules, statements, expressions.
import { printf } from '../builtins/printf';
import { callBuiltin, type Evaluator } from './awk-functions';
import { Memory } from './awk-memory';
import { Records } from './awk-records';
import { awkRegex } from './awk-regex';
import { Streams } from './awk-streams';
import type { Expression, Program, Statement } from './awk-tree';
import {
  arithmetic,
  compare,
  fromInput,
  Jump,
  type Table,
  toBoolean,
  toNumber,
  usesAsArray,
  type Value,
} from './awk-values';
import { complain, fileError, openInput, type Tool, UsageError } from './tool';

/** Runs one program over its operands. */
export class Interpreter extends Memory implements Evaluator {
  readonly streams: Streams;
  seed = 0;
  random = 1;
  readonly program: Program;

  readonly ranges = new Set<number>();
  operands: string[];
  main: Records | undefined;
  steps = 0;
  sliceStart = performance.now();
  exitStatus = 0;

  async run(): Promise<number> {
    const rules = this.program.rules;
    try {
      await this.catchExit(async () => {
        for (const rule of rules) if (rule.kind === 'begin') await this.execute(rule.body!);
        if (rules.some((rule) => rule.kind !== 'begin')) await this.readAll();
      });
      await this.catchExit(async () => {
        for (const rule of rules) if (rule.kind === 'end') await this.execute(rule.body!);
      });
    } finally {
      await this.streams.closeAll();
    }
    return this.exitStatus;
  }

  /** `exit` ends this part of the program; END still runs after one in BEGIN or in a rule. */
  async catchExit(body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      if (!(error instanceof Jump) || error.kind !== 'exit') throw error;
    }
  }

  async readAll(): Promise<void> {
    while (await this.nextMain()) {
      try {
        for (const [position, rule] of this.program.rules.entries()) {
          if (rule.kind !== 'main' || !(await this.selects(position))) continue;
          if (rule.body) await this.execute(rule.body);
          else await this.tool.stdout.write(this.wholeRecord() + this.text(this.variable('ORS')));
        }
      } catch (error) {
        if (!(error instanceof Jump) || (error.kind !== 'next' && error.kind !== 'nextfile')) throw error;
        if (error.kind === 'nextfile') {
          this.main?.close();
          this.main = undefined;
        }
      }
    }
  }

  async selects(position: number): Promise<boolean> {
    const { from, to } = this.program.rules[position]!;
    if (!from) return true;
    if (!to) return toBoolean(await this.value(from));
    const active = this.ranges.has(position) || toBoolean(await this.value(from));
    if (!active) return false;
    if (toBoolean(await this.value(to))) this.ranges.delete(position);
    else this.ranges.add(position);
    return true;
  }

  /** Makes the next record of the operands current. */
  async nextMain(): Promise<boolean> {
    const record = await this.mainRecord();
    if (record === undefined) return false;
    this.setRecord(record);
    return true;
  }

  started = false;

  async mainRecord(): Promise<string | undefined> {
    for (;;) {
      if (!this.main) {
        const operand = this.nextOperand();
        if (operand === undefined) return undefined;
        try {
          this.main = new Records(openInput(this.tool, operand));
        } catch (error) {
          await complain(this.tool, `cannot open "${operand}" (${fileError('', error).slice(2)})`);
          this.exitStatus = 2;
          continue;
        }
        this.setVariable('FILENAME', operand === '-' ? '' : operand);
        this.setVariable('FNR', 0);
      }
      const record = await this.main.next(this.text(this.variable('RS')));
      if (record !== undefined) {
        this.setVariable('NR', toNumber(this.variable('NR')) + 1);
        this.setVariable('FNR', toNumber(this.variable('FNR')) + 1);
        return record;
      }
      this.main.close();
      this.main = undefined;
    }
  }

  nextOperand(): string | undefined {
    while (this.operands.length > 0) {
      const operand = this.operands.shift()!;
      const assignment = operand.match(/^([A-Za-z_]\w*)=([\s\S]*)$/);
      if (assignment) this.assign(assignment[1]!, assignment[2]!);
      else if (operand !== '') {
        this.started = true;
        return operand;
      }
    }
    if (this.started) return undefined;
    this.started = true;
    return '-';
  }

  async key(keys: Expression[]): Promise<string> {
    const parts: string[] = [];
    for (const key of keys) parts.push(this.text(await this.value(key)));
    return parts.join(this.text(this.globals.get('SUBSEP') as Value));
  }

  async store(target: Expression, value: Value): Promise<Value> {
    if (target.type === 'name') this.setVariable(target.name, value);
    else if (target.type === 'element') this.table(target.name).set(await this.key(target.keys), value);
    else if (target.type === 'field') {
      const index = toNumber(await this.value(target.index));
      if (index < 0) throw new UsageError(`attempt to access field ${index}`, 2);
      if (index === 0) this.setRecord(this.text(value));
      else {
        this.splitRecord();
        while (this.fields.length < index) this.fields.push('');
        this.fields[index - 1] = this.text(value);
        this.globals.set('NF', this.fields.length);
        this.recordStale = true;
      }
    } else throw new UsageError('assignment to something that is no variable', 2);
    return value;
  }

  async regex(pattern: Expression): Promise<RegExp> {
    const regex = pattern.type === 'regex' ? pattern.regex : awkRegex(this.text(await this.value(pattern)));
    regex.lastIndex = 0;
    return regex;
  }

  async value(expression: Expression): Promise<Value> {
    switch (expression.type) {
      case 'number':
      case 'string':
        return expression.value;
      case 'regex':
        expression.regex.lastIndex = 0;
        return expression.regex.test(this.wholeRecord()) ? 1 : 0;
      case 'name':
        return this.variable(expression.name);
      case 'field':
        return this.field(toNumber(await this.value(expression.index)));
      case 'element': {
        const table = this.table(expression.name);
        const key = await this.key(expression.keys);
        if (!table.has(key)) table.set(key, undefined);
        return table.get(key);
      }
      case 'in':
        return this.table(expression.name).has(await this.key(expression.keys)) ? 1 : 0;
      case 'group':
        if (expression.items.length === 1) return this.value(expression.items[0]!);
        return this.key(expression.items);
      case 'assign': {
        const right = await this.value(expression.value);
        if (expression.operator === '=') return this.store(expression.target, right);
        const left = toNumber(await this.value(expression.target));
        return this.store(expression.target, arithmetic(expression.operator.slice(0, -1), left, toNumber(right)));
      }
      case 'binary':
        return this.binary(expression.operator, expression.left, expression.right);
      case 'unary': {
        const value = await this.value(expression.operand);
        return expression.operator === '!'
          ? toBoolean(value)
            ? 0
            : 1
          : expression.operator === '-'
            ? -toNumber(value)
            : toNumber(value);
      }
      case 'step': {
        const before = toNumber(await this.value(expression.target));
        const after = before + (expression.operator === '++' ? 1 : -1);
        await this.store(expression.target, after);
        return expression.prefix ? after : before;
      }
      case 'ternary':
        return this.value(toBoolean(await this.value(expression.test)) ? expression.yes : expression.no);
      case 'match': {
        const text = this.text(await this.value(expression.text));
        return (await this.regex(expression.pattern)).test(text) !== expression.negated ? 1 : 0;
      }
      case 'call':
        return this.call(expression.name, expression.args);
      case 'builtin':
        return callBuiltin(this, expression.name, expression.args);
      case 'getline':
        return this.getline(expression);
      default:
        return expression satisfies never;
    }
  }

  async binary(operator: string, leftSide: Expression, rightSide: Expression): Promise<Value> {
    const left = await this.value(leftSide);
    if (operator === '&&') return toBoolean(left) && toBoolean(await this.value(rightSide)) ? 1 : 0;
    if (operator === '||') return toBoolean(left) || toBoolean(await this.value(rightSide)) ? 1 : 0;
    const right = await this.value(rightSide);
    if (operator === ' ') return this.text(left) + this.text(right);
    if (!['<', '<=', '==', '!=', '>', '>='].includes(operator))
      return arithmetic(operator, toNumber(left), toNumber(right));
    const numeric = typeof left !== 'string' && typeof right !== 'string';
    return (
      numeric
        ? compare(operator, toNumber(left), toNumber(right))
        : compare(operator, this.text(left), this.text(right))
    )
      ? 1
      : 0;
  }

  async call(name: string, args: Expression[]): Promise<Value> {
    const definition = this.program.functions.get(name);
    if (!definition) throw new UsageError(`function \`${name}' not defined`, 2);
    if (this.frames.length > 1000) throw new UsageError(`function \`${name}' nested too deeply`, 2);
    const frame = new Map<string, Value | Table>();
    for (const [position, parameter] of definition.parameters.entries()) {
      const arg = args[position];
      if (arg?.type === 'name') {
        const outer = this.frames.at(-1)?.has(arg.name) ? this.frames.at(-1)! : this.globals;
        const known = outer.get(arg.name);
        if (known === undefined && usesAsArray(definition.body, parameter)) frame.set(parameter, this.table(arg.name));
        else frame.set(parameter, known);
      } else frame.set(parameter, arg ? await this.value(arg) : undefined);
    }
    this.frames.push(frame);
    try {
      await this.execute(definition.body);
      return undefined;
    } catch (error) {
      if (error instanceof Jump && error.kind === 'return') return error.value;
      throw error;
    } finally {
      this.frames.pop();
    }
  }

  async getline(expression: Extract<Expression, { type: 'getline' }>): Promise<Value> {
    let record: string | undefined;
    if (expression.from === 'main') {
      record = await this.mainRecord();
      if (record === undefined) return 0;
    } else {
      const name = this.text(await this.value(expression.source!));
      try {
        record = await this.streams.nextRecord(expression.from, name, this.text(this.variable('RS')));
      } catch {
        return -1;
      }
      if (record === undefined) return 0;
      if (expression.from === 'command') this.setVariable('NR', toNumber(this.variable('NR')) + 1);
    }
    if (expression.target) await this.store(expression.target, fromInput(record));
    else this.setRecord(record);
    return 1;
  }

  async execute(statement: Statement): Promise<void> {
    if (++this.steps % 256 === 0) {
      if (this.tool.signal.aborted) throw this.tool.signal.reason;
      if (performance.now() - this.sliceStart > 12) {
        await new Promise((resolve) => setImmediate(resolve));
        this.sliceStart = performance.now();
      }
    }
    switch (statement.type) {
      case 'block':
        for (const inner of statement.body) await this.execute(inner);
        return;
      case 'expression':
        await this.value(statement.value);
        return;
      case 'print':
        return this.print(statement);
      case 'if':
        if (toBoolean(await this.value(statement.test))) await this.execute(statement.yes);
        else if (statement.no) await this.execute(statement.no);
        return;
      case 'while':
        while (toBoolean(await this.value(statement.test))) if (!(await this.pass(statement.body))) return;
        return;
      case 'do':
        do {
          if (!(await this.pass(statement.body))) return;
        } while (toBoolean(await this.value(statement.test)));
        return;
      case 'for':
        if (statement.start) await this.execute(statement.start);
        while (!statement.test || toBoolean(await this.value(statement.test))) {
          if (!(await this.pass(statement.body))) return;
          if (statement.step) await this.execute(statement.step);
        }
        return;
      case 'forIn': {
        const table = this.table(statement.array);
        for (const key of [...table.keys()]) {
          if (!table.has(key)) continue;
          this.setVariable(statement.name, fromInput(key));
          if (!(await this.pass(statement.body))) return;
        }
        return;
      }
      case 'delete':
        if (statement.keys) this.table(statement.name).delete(await this.key(statement.keys));
        else this.table(statement.name).clear();
        return;
      case 'jump':
        throw new Jump(statement.kind);
      case 'return':
        throw new Jump('return', statement.value ? await this.value(statement.value) : undefined);
      case 'exit':
        if (statement.value) this.exitStatus = toNumber(await this.value(statement.value)) & 255;
        throw new Jump('exit');
      default:
        statement satisfies never;
    }
  }

  async pass(body: Statement): Promise<boolean> {
    try {
      await this.execute(body);
      return true;
    } catch (error) {
      if (!(error instanceof Jump) || (error.kind !== 'break' && error.kind !== 'continue')) throw error;
      return error.kind === 'continue';
    }
  }

  async print({ formatted, args, to }: Extract<Statement, { type: 'print' }>): Promise<void> {
    const values: Value[] = [];
    for (const arg of args) values.push(await this.value(arg));
    let text: string;
    if (formatted)
      text = printf(
        this.text(values[0]),
        values.slice(1).map((value) => this.text(value)),
      ).text;
    else
      text =
        (values.length === 0
          ? this.wholeRecord()
          : values.map((value) => this.text(value, 'OFMT')).join(this.text(this.variable('OFS')))) +
        this.text(this.variable('ORS'));
    const output = to ? await this.streams.outputFor(to.kind, this.text(await this.value(to.name))) : this.tool.stdout;
    await output.write(text);
  }

  constructor(tool: Tool, program: Program, operands: string[]) {
    super(tool, operands);
    this.program = program;
    this.operands = operands;
    this.streams = new Streams(tool);
  }
}
