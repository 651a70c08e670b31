// What blocks and functions of a syntax tree declare, and where their statements begin; the walk itself is rewrite.ts.
import { patternNames } from './module-shape';

const isFunctionNode = (node: any): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** Adds the lexical names that statements of a block declare. */
export function lexicalNames(body: any[], into: Set<string>): void {
  for (const node of body) {
    const statement =
      node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration' ? node.declaration : node;
    if (!statement) continue;
    if (statement.type === 'VariableDeclaration' && statement.kind !== 'var')
      for (const { id } of statement.declarations) patternNames(id, (name) => into.add(name));
    else if ((statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id)
      into.add(statement.id.name);
  }
}

/** Adds the `var` names of a function body, through nested blocks. */
export function variableNames(node: any, into: Set<string>): void {
  if (!node || typeof node.type !== 'string' || isFunctionNode(node)) return;
  if (node.type === 'VariableDeclaration') {
    if (node.kind === 'var') for (const { id } of node.declarations) patternNames(id, (name) => into.add(name));
    return;
  }
  for (const key of ['body', 'consequent', 'alternate', 'block', 'handler', 'finalizer', 'init', 'left', 'cases']) {
    const child = node[key];
    if (Array.isArray(child)) for (const item of child) variableNames(item, into);
    else if (child && typeof child === 'object') variableNames(child, into);
  }
}

/** Where the first statement after the directives of a block begins. */
export function bodyStart(block: any): number {
  let at = block.start + 1;
  for (const statement of block.body) {
    if (!statement.directive) break;
    at = statement.end;
  }
  return at;
}

/** Types of expressions that are no promises whatever is in them, or one that nobody else has. */
export const MAKES_NO_PROMISE = new Set([
  'CallExpression',
  'Literal',
  'TemplateLiteral',
  'ObjectExpression',
  'ArrayExpression',
  'BinaryExpression',
]);
