// if, for, while, until, case, select, [[ ]], (( )): the constructs of the language.

import type {
  ArithmeticFor,
  Case,
  CompoundCommand,
  CompoundList,
  For,
  If,
  Select,
  TestExpression,
  While,
} from 'unbash';
import { posixRegex } from '../applets/regex';
import { fileTest, textTest } from '../builtins/conditions';
import { readLine } from '../builtins/read-line';
import { evaluate } from '../expand/arithmetic';
import { patternRegex } from '../expand/pattern';
import { arithmeticScope, assign } from '../expand/scope';
import { evaluateText, expandPattern, expandRegex, expandString, expandWords } from '../expand/word';
import type { Shell } from '../state';
import { LoopExit, ShellError } from './control';
import { breathe, type Runner, runTrap } from './runner';
import { trace } from './trace';

/** Runs a compound command in this shell (a subshell's body too: the caller has made the copy). */
export async function runCompound(run: Runner, shell: Shell, node: CompoundCommand): Promise<number> {
  switch (node.type) {
    case 'BraceGroup':
      return run.body(shell, node.body);
    case 'If':
      return runIf(run, shell, node);
    case 'For':
      return runFor(run, shell, node);
    case 'ArithmeticFor':
      return runArithmeticFor(run, shell, node);
    case 'While':
      return runWhile(run, shell, node);
    case 'Case':
      return runCase(run, shell, node);
    case 'Select':
      return runSelect(run, shell, node);
    case 'Subshell':
      return run.body(shell, node.body);
    case 'TestCommand':
      await arrive(shell, node);
      return (await runTest(shell, node.expression)) ? 0 : 1;
    case 'ArithmeticCommand':
      await arrive(shell, node);
      if (shell.options.xtrace) await trace(shell, `(( ${node.body.trim()} ))`);
      return evaluateCondition(shell, node.body);
    default:
      return node satisfies never;
  }
}

/** Notes where the shell is, and runs the DEBUG trap. */
async function arrive(shell: Shell, node: { pos: number; end: number }, text?: string): Promise<void> {
  shell.at(node);
  if (!shell.traps.has('DEBUG')) return;
  shell.commandText = text ?? shell.source.slice(node.pos, node.end);
  await runTrap(shell, 'DEBUG');
}

/** `(( ))`: an error in it is only its own failure. */
async function evaluateCondition(shell: Shell, text: string): Promise<number> {
  try {
    return (await evaluateText(shell, text)) !== 0n ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ShellError) || error.fatal !== 'line') throw error;
    await shell.complain(`((: ${error.message}`);
    return 1;
  }
}

/** Runs a condition: its failure is an answer, not an error. */
async function holds(run: Runner, shell: Shell, clause: CompoundList): Promise<boolean> {
  shell.quiet++;
  try {
    return (await run.body(shell, clause)) === 0;
  } finally {
    shell.quiet--;
  }
}

async function runIf(run: Runner, shell: Shell, node: If): Promise<number> {
  if (await holds(run, shell, node.clause)) return run.body(shell, node.then);
  for (const elif of node.elif) if (await holds(run, shell, elif.clause)) return run.body(shell, elif.then);
  return node.else ? run.body(shell, node.else) : 0;
}

/** Runs one pass of a loop. False: leave the loop. */
async function pass(run: Runner, shell: Shell, body: CompoundList, outcome: { status: number }): Promise<boolean> {
  shell.loops++;
  try {
    await breathe(shell);
    outcome.status = await run.body(shell, body);
    return true;
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    outcome.status = 0;
    if (error.levels > 1 && shell.loops > 1) throw new LoopExit(error.kind, error.levels - 1);
    return error.kind === 'continue';
  } finally {
    shell.loops--;
  }
}

async function runFor(run: Runner, shell: Shell, node: For): Promise<number> {
  const outcome = { status: 0 };
  shell.at(node);
  const words = node.wordlist ? await expandWords(shell, node.wordlist) : [...shell.args];
  const name = node.name.text;
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new ShellError(`\`${name}': not a valid identifier`);
  for (const word of words) {
    await arrive(shell, node, `for ${name} in ${node.wordlist?.map((one) => one.text).join(' ') ?? '"$@"'}`);
    if (shell.options.xtrace)
      await trace(shell, `for ${name} in ${node.wordlist?.map((one) => one.text).join(' ') ?? '"$@"'}`);
    assign(shell, name, word);
    if (!(await pass(run, shell, node.body, outcome))) break;
  }
  return outcome.status;
}

async function runArithmeticFor(run: Runner, shell: Shell, node: ArithmeticFor): Promise<number> {
  const outcome = { status: 0 };
  const text = (part: { pos: number; end: number } | undefined) => (part ? shell.source.slice(part.pos, part.end) : '');
  const evaluatePart = async (part: { pos: number; end: number } | undefined) => {
    await arrive(shell, node);
    return evaluateText(shell, text(part));
  };
  await evaluatePart(node.initialize);
  while (!node.test || (await evaluatePart(node.test)) !== 0n) {
    if (!(await pass(run, shell, node.body, outcome))) break;
    await evaluatePart(node.update);
  }
  return outcome.status;
}

async function runWhile(run: Runner, shell: Shell, node: While): Promise<number> {
  const outcome = { status: 0 };
  for (;;) {
    let go: boolean;
    shell.loops++;
    try {
      await breathe(shell);
      go = (await holds(run, shell, node.clause)) === (node.kind === 'while');
    } catch (error) {
      if (!(error instanceof LoopExit)) throw error;
      if (error.levels > 1 && shell.loops > 1) throw new LoopExit(error.kind, error.levels - 1);
      if (error.kind === 'continue') continue;
      return 0;
    } finally {
      shell.loops--;
    }
    if (!go || !(await pass(run, shell, node.body, outcome))) return outcome.status;
  }
}

async function runCase(run: Runner, shell: Shell, node: Case): Promise<number> {
  await arrive(shell, node, `case ${node.word.text} in `);
  const text = await expandString(shell, node.word);
  if (shell.options.xtrace) await trace(shell, `case ${node.word.text} in`);
  const ignoreCase = shell.shopts.has('nocasematch');
  let status = 0;
  let falling = false;
  for (const item of node.items) {
    let matches = falling;
    for (const pattern of matches ? [] : item.pattern) {
      if (patternRegex(await expandPattern(shell, pattern), { ignoreCase }).test(text)) {
        matches = true;
        break;
      }
    }
    if (!matches) continue;
    status = await run.body(shell, item.body);
    falling = item.terminator === ';&';
    if (item.terminator === ';;' || item.terminator === undefined) return status;
  }
  return status;
}

async function runSelect(run: Runner, shell: Shell, node: Select): Promise<number> {
  const words = node.wordlist ? await expandWords(shell, node.wordlist) : [...shell.args];
  const outcome = { status: 0 };
  if (words.length === 0) return 0;
  const width = String(words.length).length;
  const menu = words.map((word, position) => `${String(position + 1).padStart(width)}) ${word}\n`).join('');
  await shell.write(2, menu);
  for (;;) {
    await shell.write(2, shell.vars.get('PS3') ?? '#? ');
    const line = await readLine(shell, 0, {});
    if (line.ended) {
      await shell.write(1, '\n');
      return 1;
    }
    if (line.text.trim() === '') {
      await shell.write(2, menu);
      continue;
    }
    assign(shell, 'REPLY', line.text);
    assign(shell, node.name.text, words[Number(line.text.trim()) - 1] ?? '');
    if (!(await pass(run, shell, node.body, outcome))) return outcome.status;
  }
}

async function runTest(shell: Shell, expression: TestExpression): Promise<boolean> {
  switch (expression.type) {
    case 'TestLogical': {
      const all = expression.operator === '&&';
      for (const operand of expression.operands) if ((await runTest(shell, operand)) !== all) return !all;
      return all;
    }
    case 'TestNot': {
      const value = await runTest(shell, expression.operand);
      return expression.negations.length % 2 === 1 ? !value : value;
    }
    case 'TestGroup':
      return runTest(shell, expression.expression);
    case 'TestUnary': {
      const operand = await expandString(shell, expression.operand);
      if (shell.options.xtrace) await trace(shell, `[[ ${expression.operator} ${operand} ]]`);
      return fileTest(shell, expression.operator, operand);
    }
    case 'TestBinary':
      return runBinaryTest(shell, expression);
    default:
      return expression satisfies never;
  }
}

async function runBinaryTest(
  shell: Shell,
  { operator, left, right }: Extract<TestExpression, { type: 'TestBinary' }>,
): Promise<boolean> {
  const text = await expandString(shell, left);
  const ignoreCase = shell.shopts.has('nocasematch');
  switch (operator) {
    case '=':
    case '==':
    case '!=': {
      const pattern = await expandPattern(shell, right);
      if (shell.options.xtrace) await trace(shell, `[[ ${text || "''"} ${operator} ${pattern} ]]`);
      return patternRegex(pattern, { ignoreCase }).test(text) === (operator !== '!=');
    }
    case '=~':
      return matchRegex(shell, text, await expandRegex(shell, right), ignoreCase);
    case '-eq':
    case '-ne':
    case '-lt':
    case '-le':
    case '-gt':
    case '-ge': {
      const scope = arithmeticScope(shell);
      return textTest(
        shell,
        String(evaluate(text, scope)),
        operator,
        String(evaluate(await expandString(shell, right), scope)),
      );
    }
    default:
      return textTest(shell, text, operator, await expandString(shell, right));
  }
}

function matchRegex(shell: Shell, text: string, source: string, ignoreCase: boolean): boolean {
  let regex: RegExp;
  try {
    regex = posixRegex(source, true, ignoreCase ? 'i' : '');
  } catch {
    throw new ShellError(`[[: invalid regular expression \`${source}'`, 2);
  }
  const match = regex.exec(text);
  const groups = match ? [...match].map((group, position): [number, string] => [position, group ?? '']) : [];
  shell.vars.put('BASH_REMATCH', { value: new Map(groups) });
  return match !== null;
}
