// Scripts of vm contexts in strict mode. They run in a strict eval, which keeps what it declares to itself: so they assign what the context is to have.
import type { Edit } from './edits';

/** `var a = 1` of a strict script as an assignment, whose value is not the script's: what strict eval declares is its own, and a script's belongs to the context. */
export function withoutDeclaring(declaration: any, source: string): Edit[] {
  const { start, end, kind } = declaration;
  const last = source[end - 1] === ';' ? end - 1 : end;
  return [
    { start, end: start + kind.length, text: 'var \u0269declared=(' },
    { start: last, end: last, text: ')' },
  ];
}

/** The same of every `var` in `node` outside its functions. */
export function withoutVariables(node: any, source: string, parent?: any): Edit[] {
  if (!node || typeof node.type !== 'string' || /Function|^Class/.test(node.type)) return [];
  const edits: Edit[] = [];
  if (node.type === 'VariableDeclaration' && node.kind === 'var') {
    if (/^For/.test(parent?.type ?? '') && parent.body !== node)
      edits.push({ start: node.start, end: node.start + 3, text: '   ' });
    else edits.push(...withoutDeclaring(node, source));
  }
  for (const key in node) {
    const child = node[key];
    for (const each of Array.isArray(child) ? child : [child])
      if (each !== null && typeof each === 'object') edits.push(...withoutVariables(each, source, node));
  }
  return edits;
}
