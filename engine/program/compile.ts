// A program of the model as a function: the body of an async function, whose last expression counts as its value.
import { type Program, parse } from 'acorn';

/** What the program sees besides the language. */
export type ProgramFunction = (tools: object, console: object) => Promise<unknown>;

const sourceName = 'program.js';
/** `new Function` puts two lines before its body. */
const headLines = 2;

/** *Throws* a SyntaxError that names the line. */
export function compileProgram(code: string): ProgramFunction {
  const body = withReturn(code);
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return AsyncFunction('tools', 'console', `"use strict"; ${body}\n//# sourceURL=${sourceName}`) as ProgramFunction;
}

/** An error of the program in words, with the line of `code` that it comes from. */
export function describeError(error: unknown, code: string): string {
  try {
    return errorWords(error, code);
  } catch {
    return 'It threw something that can’t be read.';
  }
}

function errorWords(error: unknown, code: string): string {
  if (!(error instanceof Error)) return `It threw ${String(error)}`;
  const line = Number(new RegExp(`${sourceName}:(\\d+)`).exec(error.stack ?? '')?.[1]) - headLines;
  const text = code.split('\n')[line - 1]?.trim();
  const where = text === undefined ? '' : ` (line ${line}: ${text.slice(0, 120)})`;
  return `${error.name}: ${error.message}${where}`;
}

function parsed(code: string): Program {
  return parse(code, { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true });
}

function withReturn(code: string): string {
  let program: Program;
  try {
    program = parsed(code);
  } catch (error) {
    if (/^\s*\{/.test(code) && isExpression(`(${code}\n)`)) return `return (${code}\n)`;
    throw inWords(error as SyntaxError, code);
  }
  const { body } = program;
  const last = body.at(-1);
  // `{ a: 1 }` reads as a block with a label; who writes only that means an object.
  if (body.length === 1 && last!.type === 'BlockStatement' && isExpression(`(${code}\n)`)) return `return (${code}\n)`;
  if (last?.type !== 'ExpressionStatement') return code;
  const { start, expression } = last;
  return `${code.slice(0, start)}return (${code.slice(start, expression.end)}\n)`;
}

function isExpression(code: string): boolean {
  try {
    parsed(code);
    return true;
  } catch {
    return false;
  }
}

function inWords(error: SyntaxError & { loc?: { line: number } }, code: string): SyntaxError {
  if (error.loc === undefined) return error;
  const { line } = error.loc;
  const text = code.split('\n')[line - 1]!.trim().slice(0, 120);
  const advice = /^(import|export)\b/.test(text) ? ' There is nothing to import: call tools.' : '';
  return new SyntaxError(`${error.message.replace(/ \(\d+:\d+\)$/, '')} (line ${line}: ${text}).${advice}`);
}
