// Where an assignment inside an expression belongs.

import type { Expression } from './awk-tree';

/** `a = b` inside `x && a = b`: the assignment belongs to the last operand. */
export function rightmost(
  expression: Expression,
  make: (target: Expression) => Expression,
  fail: () => never,
): Expression {
  if (expression.type === 'name' || expression.type === 'field' || expression.type === 'element')
    return make(expression);
  if (expression.type === 'group' && expression.items.length === 1) return rightmost(expression.items[0]!, make, fail);
  if (expression.type === 'binary') return { ...expression, right: rightmost(expression.right, make, fail) };
  if (expression.type === 'unary') return { ...expression, operand: rightmost(expression.operand, make, fail) };
  return fail();
}
