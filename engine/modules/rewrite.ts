// The second pass over a syntax tree: references to imports become property reads of the module's namespace, import.meta and import() become
// parameters, every await keeps the async context frame, and promises are noted (decision 4).
import {
  type AsyncFunction,
  aroundAwait,
  aroundBody,
  aroundExpression,
  aroundReturn,
  aroundYield,
  asyncFunction,
  inCatch,
  inFinally,
  runOf,
} from './async-functions';
import { type CallNames, callNames } from './claimed-calls';
import type { Edit } from './edits';
import { importReferences } from './import-references';
import { type Binding, patternNames } from './module-shape';
import { END, NAME } from './names';
import type { RewriteOptions, RewriteResult } from './rewrite-options';
import { bodyStart, lexicalNames, variableNames } from './scopes';

/** Rewrites a program. */
export function rewrite(program: any, source: string, options: RewriteOptions = {}): RewriteResult {
  const { imports = new Map<string, Binding>(), breakable = false, isDependency = false } = options;
  const result: RewriteResult = {
    edits: [],
    hasTopLevelAwait: false,
    usesMeta: false,
    usesImport: false,
    usesFrames: false,
  };
  const { edits } = result;
  /** Async functions around the current node; undefined for one that is not async. The program itself is async in a module. */
  const functions: (AsyncFunction | undefined)[] = [program.sourceType === 'module' ? asyncFunction(false) : undefined];
  const { isMapping, mayBePromise }: CallNames = callNames(source, isDependency);
  const insert = (at: number, text: string): void => void edits.push({ start: at, end: at, text });

  const { scoped, isImport, refer, referShorthand, keepApart } = importReferences(imports, edits);
  const keepFrame = (): void => {
    result.usesFrames = true;
    if (functions.length === 1) result.hasTopLevelAwait = true;
  };
  const restoreAt = (at: number): void => {
    if (functions[functions.length - 1]) insert(at, `${NAME.restore}(${NAME.run});`);
  };

  const visitIn = (node: any, before: string, behind: string): void =>
    aroundExpression(node, before, behind, edits, () => visit(node));

  /** What follows runs something after a `return` (1), or no longer (-1). */
  const runsMore = (change: number): void => {
    const current = functions[functions.length - 1];
    if (current) current.finalizers += change;
  };

  /** A value that somebody keeps. */
  const visitValue = (node: any): void => {
    switch (node?.type) {
      case 'CallExpression':
      case 'ChainExpression':
      case 'TaggedTemplateExpression': {
        const isClaimed = mayBePromise(node);
        if (isClaimed) insert(node.start, `${NAME.claim}(`);
        visit(node);
        if (isClaimed) insert(node.end, `${END})`);
        return;
      }
      case 'ConditionalExpression':
        visit(node.test);
        visitValue(node.consequent);
        visitValue(node.alternate);
        return;
      case 'LogicalExpression':
        visitValue(node.left);
        visitValue(node.right);
        return;
      default:
        visit(node);
    }
  };

  const visitAll = (nodes: any[]): void => nodes.forEach(visit);
  const visitValues = (nodes: any[]): void => nodes.forEach(visitValue);
  /** Statements of a list: after a `for await` the frame is put back, since its last await was the engine's. */
  const visitStatements = (nodes: any[]): void => {
    let end = 0;
    for (const node of nodes) {
      const first = edits.length;
      visit(node);
      if (end > 0 && source[end - 1] !== ';') keepApart(node, first);
      if (node.type === 'ForOfStatement' && node.await) restoreAt(node.end);
      end = node.end;
    }
  };

  const visitFunction = (node: any): void => {
    const names = new Set<string>();
    if (node.type === 'FunctionExpression' && node.id) names.add(node.id.name);
    for (const parameter of node.params) patternNames(parameter, (name) => names.add(name));
    const isBlock = node.body.type === 'BlockStatement';
    if (isBlock && imports.size > 0) {
      variableNames(node.body, names);
      lexicalNames(node.body.body, names);
    }
    const current = node.async ? asyncFunction(!node.generator, node.generator) : undefined;
    functions.push(current);
    scoped(names, () => {
      node.params.forEach(visitPattern);
      const finish = current && aroundBody(node, source, current, edits);
      if (isBlock && breakable) insert(bodyStart(node.body), `;${NAME.stop}();`);
      if (isBlock) visitStatements(node.body.body);
      else (current ? visit : visitValue)(node.body);
      finish?.();
    });
    functions.pop();
  };

  const visitPattern = (pattern: any): void => {
    switch (pattern?.type) {
      case undefined:
        return;
      case 'Identifier':
        refer(pattern, false);
        return;
      case 'ObjectPattern':
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') visitPattern(property.argument);
          else {
            if (property.computed) visit(property.key);
            if (!property.shorthand) visitPattern(property.value);
            else if (property.value.type === 'AssignmentPattern') visit(property.value.right);
          }
        }
        return;
      case 'ArrayPattern':
        pattern.elements.forEach(visitPattern);
        return;
      case 'AssignmentPattern':
        visitPattern(pattern.left);
        visitValue(pattern.right);
        return;
      case 'RestElement':
        visitPattern(pattern.argument);
        return;
      default:
        visit(pattern);
    }
  };

  const visit = (node: any): void => {
    if (!node) return;
    switch (node.type) {
      case 'Identifier':
        refer(node, false);
        return;
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'Literal':
      case 'ThisExpression':
      case 'Super':
      case 'TemplateElement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return;
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        visit(node.declaration);
        return;
      case 'MemberExpression':
        visit(node.object);
        if (node.computed) visit(node.property);
        return;
      case 'CallExpression':
        if (node.callee.type === 'Identifier') refer(node.callee, true);
        else visit(node.callee);
        if (node.callee.name === 'eval' && node.arguments.length > 0 && node.arguments[0].type !== 'SpreadElement') {
          insert(node.arguments[0].start, `${NAME.code}(`);
          visit(node.arguments[0]);
          insert(node.arguments[0].end, `${END})`);
          visitAll(node.arguments.slice(1));
        } else if (isMapping(node)) {
          const last = node.arguments[node.arguments.length - 1];
          visitAll(node.arguments.slice(0, -1));
          visitIn(last, `${NAME.mapped}(`, `${END})`);
        } else visitValues(node.arguments);
        return;
      case 'TaggedTemplateExpression':
        if (node.tag.type === 'Identifier') refer(node.tag, true);
        else visit(node.tag);
        visitValues(node.quasi.expressions);
        return;
      case 'Property':
        if (node.shorthand && node.value.type === 'Identifier') {
          referShorthand(node);
          return;
        }
        if (node.computed) visit(node.key);
        visitValue(node.value);
        return;
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (node.computed) visit(node.key);
        if (node.type === 'PropertyDefinition') functions.push(undefined);
        visitValue(node.value);
        if (node.type === 'PropertyDefinition') functions.pop();
        return;
      case 'StaticBlock':
        functions.push(undefined);
        visitAll(node.body);
        functions.pop();
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        visitFunction(node);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        scoped(new Set(node.id && node.type === 'ClassExpression' ? [node.id.name] : []), () => {
          visit(node.superClass);
          visitAll(node.body.body);
        });
        return;
      case 'BlockStatement': {
        const names = new Set<string>();
        if (imports.size > 0) lexicalNames(node.body, names);
        scoped(names, () => visitStatements(node.body));
        return;
      }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        visitLoop(node);
        return;
      case 'WhileStatement':
      case 'DoWhileStatement':
        visit(node.test);
        visitTurn(node.body);
        return;
      case 'SwitchStatement': {
        visit(node.discriminant);
        const names = new Set<string>();
        for (const { consequent } of node.cases) lexicalNames(consequent, names);
        scoped(names, () => {
          for (const { test, consequent } of node.cases) {
            visit(test);
            visitStatements(consequent);
          }
        });
        return;
      }
      case 'TryStatement': {
        if (node.finalizer) runsMore(1);
        visit(node.block);
        if (node.handler) visit(node.handler);
        if (node.finalizer) {
          const current = functions[functions.length - 1];
          if (current) inFinally(node.finalizer, current, edits);
          visit(node.finalizer);
          runsMore(-1);
        }
        return;
      }
      case 'CatchClause': {
        const names = new Set<string>();
        patternNames(node.param, (name) => names.add(name));
        const current = functions[functions.length - 1];
        if (current) inCatch(node, current, edits);
        scoped(names, () => {
          visitPattern(node.param);
          visit(node.body);
        });
        return;
      }
      case 'VariableDeclaration':
        if (node.kind === 'await using') keepFrame();
        if (/using$/.test(node.kind)) runsMore(1);
        for (const { id, init } of node.declarations) {
          visitPattern(id);
          if (id.type === 'Identifier') visitValue(init);
          else visit(init);
        }
        return;
      case 'AssignmentExpression':
        visitPattern(node.left);
        if (/^(?:\?\?|\|\||&&)?=$/.test(node.operator) && !/Pattern$/.test(node.left.type)) visitValue(node.right);
        else visit(node.right);
        return;
      case 'ArrayExpression':
        visitValues(node.elements);
        return;
      case 'YieldExpression':
        if (functions[functions.length - 1]?.generates) aroundYield(node, edits, () => visitValue(node.argument));
        else visitValue(node.argument);
        return;
      case 'ReturnStatement': {
        const current = functions[functions.length - 1];
        if (current?.tells) aroundReturn(node, current, edits, () => visit(node.argument));
        else if (current?.finalizers && node.argument) visitIn(node.argument, `${NAME.wait}(`, `,${runOf(current)})`);
        else visitValue(node.argument);
        return;
      }
      case 'ExpressionStatement':
        visitStatement(node);
        return;
      case 'AwaitExpression':
        keepFrame();
        aroundAwait(node, functions[functions.length - 1] ?? asyncFunction(false), edits, () => visit(node.argument));
        return;
      case 'NewExpression': {
        const isPromise = node.callee.type === 'Identifier' && node.callee.name === 'Promise' && !isImport('Promise');
        if (isPromise) insert(node.callee.start, `(${NAME.promise}(`);
        visit(node.callee);
        if (isPromise) insert(node.callee.end, `${END})${END})`);
        visitValues(node.arguments);
        return;
      }
      case 'MetaProperty':
        if (node.meta.name === 'import') {
          result.usesMeta = true;
          edits.push({ start: node.start, end: node.end, text: NAME.meta });
        }
        return;
      case 'ImportExpression':
        result.usesImport = true;
        edits.push({ start: node.start, end: node.start + 6, text: NAME.import });
        visit(node.source);
        visit(node.options);
        return;
      case 'SwitchCase':
        visit(node.test);
        visitStatements(node.consequent);
        return;
      case 'LabeledStatement':
        visit(node.body);
        return;
      default:
        for (const key in node) {
          const child = node[key];
          if (Array.isArray(child)) {
            for (const item of child) if (item && typeof item.type === 'string') visit(item);
          } else if (child !== null && typeof child === 'object' && typeof child.type === 'string') visit(child);
        }
    }
  };

  /** The value of a script's statement is the script's: the REPL shows it. */
  const visitStatement = ({ expression }: any): void => {
    if (functions.length === 1 && program.sourceType === 'script') visitValue(expression);
    else if (!isDependency && expression.type === 'CallExpression' && mayBePromise(expression)) {
      insert(expression.start, `${NAME.drop}(`);
      visit(expression);
      insert(expression.end, `${END})`);
    } else visit(expression);
  };

  /** The body of a loop. */
  const visitTurn = (body: any): void => {
    if (!breakable) return visit(body);
    const isBlock = body.type === 'BlockStatement';
    insert(body.start + (isBlock ? 1 : 0), `${isBlock ? '' : '{'}${NAME.stop}();`);
    visit(body);
    if (!isBlock) insert(body.end, '}');
  };

  const visitLoop = (node: any): void => {
    if (node.await) keepFrame();
    const names = new Set<string>();
    const head = node.init ?? node.left;
    if (head?.type === 'VariableDeclaration' && head.kind !== 'var')
      for (const { id } of head.declarations) patternNames(id, (name) => names.add(name));
    scoped(names, () => {
      if (node.type === 'ForStatement') {
        visit(node.init);
        visit(node.test);
        visit(node.update);
      } else {
        if (node.left.type === 'VariableDeclaration') visit(node.left);
        else visitPattern(node.left);
        const current = node.await && (functions[functions.length - 1] ?? asyncFunction(false));
        if (current) visitIn(node.right, `${NAME.each}(`, `,${runOf(current)})`);
        else visit(node.right);
      }
      const isBlock = node.body.type === 'BlockStatement';
      const isBare = node.await && !isBlock && functions[functions.length - 1] !== undefined;
      if (isBare) insert(node.body.start, `{${END}`);
      if (node.await) restoreAt(node.body.start + (isBlock ? 1 : 0));
      visitTurn(node.body);
      if (isBare) insert(node.body.end, `}${END}`);
    });
  };

  const [top] = functions;
  const opening: Edit = { start: 0, end: 0, text: '' };
  if (top) edits.push(opening);
  visitStatements(program.body);
  if (top?.waits) opening.text = `let ${NAME.run};`;
  return result;
}
