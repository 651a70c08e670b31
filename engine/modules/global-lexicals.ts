// Top-level let, const and class of a script belong to all scripts after it: the REPL and vm.runInThisContext live on that. eval keeps them to
// itself, so such a script is run by importScripts, which gives no completion value: here the script is told to leave it behind.
import { applyEdits, type Edit } from './edits';

const declarations = new Set(['VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration', 'EmptyStatement']);

/** Whether names of the script outlive it only in a true script. */
export function hasGlobalLexicals(program: any): boolean {
  return program.body.some(
    (statement: any) =>
      statement.type === 'ClassDeclaration' || (statement.type === 'VariableDeclaration' && statement.kind !== 'var'),
  );
}

/** Edits by which the script assigns its completion value to the global `key`. `others` are edits that it needs besides. */
export function completionEdits(source: string, program: any, key: string, others: readonly Edit[]): Edit[] {
  const last = program.body.findLast((statement: any) => !declarations.has(statement.type));
  if (!last || last.directive !== undefined) return [];
  if (last.type === 'ExpressionStatement')
    return [
      { start: last.expression.start, end: last.expression.start, text: `${key}=(` },
      { start: last.expression.end, end: last.expression.end, text: ')' },
    ];
  // Any other statement has its value by the language's rules, which eval knows: it sees the names of the script.
  const within = others.filter((edit) => edit.start >= last.start && edit.end <= last.end);
  const shifted = within.map((edit) => ({ ...edit, start: edit.start - last.start, end: edit.end - last.start }));
  const breaks = '\n'.repeat(source.slice(last.start, last.end).split('\n').length - 1);
  const text = JSON.stringify(applyEdits(source.slice(last.start, last.end), shifted).text);
  return [{ start: last.start, end: last.end, text: `${key}=(0,eval)(${text});${breaks}` }];
}
