// What an async function's text gets so that a run of it tells its outcome and keeps its async context (activation.ts, async-context.ts): a variable,
// a `try` around its body, and calls around its returns and awaits.
import type { Edit } from './edits';
import { END, NAME } from './names';
import { bodyStart, lexicalNames, MAKES_NO_PROMISE, variableNames } from './scopes';

/** An async function being visited. */
export interface AsyncFunction {
  /** Its promise is its caller's: neither a generator nor a module. */
  tells: boolean;
  /** It is an async generator. */
  generates: boolean;
  /** Something in it uses the variable of the run. */
  waits: boolean;
  /** Blocks around the node that run something after a `return`. */
  finalizers: number;
  /** Some `return` is in such a block. */
  isLate: boolean;
  /** What stands around what it returns. */
  returns: { before: Edit; behind: Edit }[];
}

export function asyncFunction(tells: boolean, generates = false): AsyncFunction {
  return { tells, generates, waits: false, finalizers: 0, isLate: false, returns: [] };
}

/** The variable of the run, made when it is first needed. */
export function runOf(current: AsyncFunction): string {
  current.waits = true;
  return `${NAME.run}??=${current.tells ? NAME.begin : NAME.quiet}()`;
}

/** A body in a `try` is a block, in which functions cannot be declared twice or as the `var` of that name. */
function canBeBlock(body: any): boolean {
  const functions = body.body.filter((node: any) => node.type === 'FunctionDeclaration');
  if (functions.length === 0) return true;
  const names = new Set<string>();
  for (const statement of body.body) if (statement.type !== 'FunctionDeclaration') variableNames(statement, names);
  const lexical = new Set<string>();
  lexicalNames(functions, lexical);
  return lexical.size === functions.length && ![...lexical].some((name) => names.has(name));
}

/** Reserves the places at both ends of a function's body; call what it returns after the body has been visited. */
export function aroundBody(node: any, source: string, current: AsyncFunction, edits: Edit[]): () => void {
  const isBlock = node.body.type === 'BlockStatement';
  const at = isBlock ? bodyStart(node.body) : afterArrow(source, node);
  const opening: Edit = { start: at, end: at, text: '' };
  edits.push(opening);
  return () => {
    for (const { before, behind } of current.returns) {
      before.text += current.isLate ? `(${NAME.kept}=[${NAME.claim}(` : `${NAME.returns}(`;
      behind.text = (current.isLate ? `)${END}])[0]${END}` : `,${NAME.run})`) + behind.text;
    }
    const end = isBlock ? node.body.end - 1 : node.end;
    const { tells, isLate } = current;
    const tries = tells && (!isBlock || canBeBlock(node.body));
    const variables = `let ${NAME.run}${isLate ? `,${NAME.kept}` : ''};${tries ? 'try{' : ''}`;
    const catches = `}catch(${NAME.error}){${isLate ? `${NAME.kept}=void 0;` : ''}throw ${NAME.throws}(${NAME.error},${NAME.run});}`;
    const finishes = isLate ? `finally{if(${NAME.kept})${NAME.returns}(${NAME.kept}[0],${NAME.run});}` : '';
    const ends = tries ? catches + finishes : '';
    if (!isBlock) {
      opening.text = tells ? `{${variables}return ${NAME.returns}(` : `{${variables}return (`;
      edits.push({ start: end, end, text: `,${NAME.run});${ends}${END}}` });
      return;
    }
    if (!tells && !current.waits && !current.generates) return;
    opening.text = current.generates ? `;let ${NAME.run}=${NAME.generates}();${END}` : `;${variables}${END}`;
    if (tells)
      edits.push({
        start: end,
        end,
        text: `;${isLate ? `${NAME.kept}=void 0;` : ''}${NAME.returns}(void 0,${NAME.run});${ends}${END}`,
      });
  };
}

/** Puts an expression, which `visit` visits, between two texts, as one that could be an argument. */
export function aroundExpression(node: any, before: string, behind: string, edits: Edit[], visit: () => void): void {
  const isList = node.type === 'SequenceExpression';
  edits.push({ start: node.start, end: node.start, text: isList ? `${before}(${END}` : before });
  visit();
  edits.push({ start: node.end, end: node.end, text: isList ? `)${END}${behind}` : behind });
}

/** Says before an await what it waits for, if somebody else may have that promise, and that it goes on. `visit` visits what it awaits. */
export function aroundAwait(node: any, current: AsyncFunction, edits: Edit[], visit: () => void): void {
  const [wait, resume] = MAKES_NO_PROMISE.has(node.argument.type) ? [NAME.wait, NAME.resume] : [NAME.hold, NAME.told];
  edits.push({ start: node.start, end: node.start, text: `${resume}(` });
  aroundExpression(node.argument, `${wait}(`, `,${runOf(current)})`, edits, visit);
  edits.push({ start: node.end, end: node.end, text: `,${NAME.run})` });
}

/** Says before a `yield` of an async generator what context it has, and behind it which it gets. `visit` visits what it yields. */
export function aroundYield({ start, end, argument, delegate }: any, edits: Edit[], visit: () => void): void {
  edits.push({ start, end: start, text: `${NAME.goesOn}(` });
  const name = delegate ? NAME.delegates : NAME.yields;
  if (argument) aroundExpression(argument, `${name}(`, `,${NAME.run})`, edits, visit);
  else edits.push({ start: end, end, text: ` ${name}(void 0,${NAME.run})${END}` });
  edits.push({ start: end, end, text: `,${NAME.run})` });
}

/** Reserves the places around what a statement returns, or says that it returns nothing. `visit` visits what it returns. */
export function aroundReturn(statement: any, current: AsyncFunction, edits: Edit[], visit: () => void): void {
  const { argument } = statement;
  if (current.finalizers > 0) current.isLate = true;
  const at = argument ? argument.start : statement.start + 'return'.length;
  const before: Edit = { start: at, end: at, text: argument ? '' : ' ' };
  const end = argument ? argument.end : at;
  const behind: Edit = { start: end, end, text: argument ? '' : END };
  edits.push(before);
  if (argument) aroundExpression(argument, '', '', edits, visit);
  else edits.push({ start: at, end: at, text: 'void 0' });
  edits.push(behind);
  current.returns.push({ before, behind });
}

/** The beginning of a `catch`: an await may have thrown what it caught. */
export function inCatch({ param, body }: any, current: AsyncFunction, edits: Edit[]): void {
  current.waits = true;
  const error = param ? param.type === 'Identifier' && param.name : NAME.error;
  if (!param) edits.push({ start: body.start, end: body.start, text: `(${NAME.error})` });
  const at = bodyStart(body);
  edits.push({
    start: at,
    end: at,
    text: error ? `;${NAME.caught}(${NAME.run},${error});` : `;${NAME.finally}(${NAME.run});`,
  });
}

/** The beginning of a `finally`: the same. */
export function inFinally(body: any, current: AsyncFunction, edits: Edit[]): void {
  current.waits = true;
  const at = bodyStart(body);
  edits.push({ start: at, end: at, text: `;${NAME.finally}(${NAME.run});` });
}

/** Behind the arrow of an arrow function. */
function afterArrow(source: string, node: any): number {
  const between = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|[(),])*=>/y;
  const last = node.params[node.params.length - 1];
  between.lastIndex = last ? last.end : node.start + 'async'.length;
  if (!between.test(source)) throw new Error(`No arrow at ${node.start}`);
  return between.lastIndex;
}
