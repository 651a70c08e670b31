// The second pass over a syntax tree: references to imports become property reads of the module's namespace, import.meta and import() become
// parameters, and every await keeps the async context frame.
import type { Edit } from './edits';
import { type Binding, patternNames } from './module-shape';

/** Names of the parameters that rewritten code uses; the first letter is U+0269. */
export const NAME = {
  namespace: '\u0269ns',
  meta: '\u0269meta',
  import: '\u0269mport',
  frame: '\u0269frame',
  resume: '\u0269resume',
  restore: '\u0269restore',
  saved: '\u0269saved',
  completion: '\u0269completion',
  /** Throws when the script is to be interrupted (interrupt.ts). */
  stop: '\u0269stop',
  /** What the text given to a direct `eval` goes through (dynamic-code.ts). */
  code: '\u0269eval',
} as const;

export interface RewriteResult {
  edits: Edit[];
  hasTopLevelAwait: boolean;
  usesMeta: boolean;
  usesImport: boolean;
  usesFrames: boolean;
}

const isFunctionNode = (node: any): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

/** Lexical names that statements of a block declare. */
function lexicalNames(body: any[], into: Set<string>): void {
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

/** `var` names of a function body, through nested blocks. */
function variableNames(node: any, into: Set<string>): void {
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

/** Rewrites a program. `imports` is empty for CommonJS; `breakable` text asks at each turn and call whether it is to stop. */
export function rewrite(program: any, imports: Map<string, Binding>, breakable = false): RewriteResult {
  const result: RewriteResult = {
    edits: [],
    hasTopLevelAwait: false,
    usesMeta: false,
    usesImport: false,
    usesFrames: false,
  };
  const { edits } = result;
  const shadows: Set<string>[] = [];
  /** Async functions around the current node; undefined for one that is not async. The program itself is async in a module. */
  const functions: ({ saves: boolean } | undefined)[] = [
    program.sourceType === 'module' ? { saves: false } : undefined,
  ];
  const insert = (at: number, text: string): void => void edits.push({ start: at, end: at, text });

  const scoped = (names: Set<string>, visit: () => void): void => {
    let shadowing = false;
    if (imports.size > 0) for (const name of names) shadowing ||= imports.has(name);
    if (shadowing) shadows.push(names);
    visit();
    if (shadowing) shadows.pop();
  };
  const target = (name: string): string | undefined => {
    const imported = imports.get(name);
    if (!imported || shadows.some((names) => names.has(name))) return undefined;
    const namespace = `${NAME.namespace}${imported.request}`;
    if (imported.name === '*') return namespace;
    return /^[A-Za-z_$][\w$]*$/.test(imported.name)
      ? `${namespace}.${imported.name}`
      : `${namespace}[${JSON.stringify(imported.name)}]`;
  };
  const reference = (node: any, called: boolean): void => {
    const text = target(node.name);
    // (0, f)(): an imported function is called without a receiver.
    if (text)
      edits.push({ start: node.start, end: node.end, text: called && text.includes('.') ? `(0,${text})` : text });
  };
  const keepFrame = (): void => {
    result.usesFrames = true;
    if (functions.length === 1) result.hasTopLevelAwait = true;
  };
  const restoreAt = (at: number): void => {
    const current = functions[functions.length - 1];
    if (!current) return;
    current.saves = true;
    insert(at, `${NAME.restore}(${NAME.saved});`);
  };

  /** Before all that has been inserted there: the first statement may begin with an await. A directive may lack its semicolon. */
  const saveAt = (at: number): void =>
    void edits.unshift({ start: at, end: at, text: `${at > 0 ? ';' : ''}const ${NAME.saved}=${NAME.frame}();` });

  const visitAll = (nodes: any[]): void => nodes.forEach(visit);
  /** Statements of a list: after a `for await` the frame is put back, since its last await was the engine's. */
  const visitStatements = (nodes: any[]): void => {
    for (const node of nodes) {
      visit(node);
      if (node.type === 'ForOfStatement' && node.await) restoreAt(node.end);
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
    const frame = node.async ? { saves: false } : undefined;
    functions.push(frame);
    scoped(names, () => {
      node.params.forEach(visitPattern);
      if (isBlock && breakable) insert(bodyStart(node.body), `;${NAME.stop}();`);
      if (isBlock) visitStatements(node.body.body);
      else visit(node.body);
    });
    functions.pop();
    if (frame?.saves) saveAt(bodyStart(node.body));
  };

  const visitPattern = (pattern: any): void => {
    switch (pattern?.type) {
      case undefined:
        return;
      case 'Identifier':
        reference(pattern, false);
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
        visit(pattern.right);
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
        reference(node, false);
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
        visit(node.declaration);
        return;
      case 'ExportDefaultDeclaration':
        visit(node.declaration);
        return;
      case 'MemberExpression':
        visit(node.object);
        if (node.computed) visit(node.property);
        return;
      case 'CallExpression':
        if (node.callee.type === 'Identifier') reference(node.callee, true);
        else visit(node.callee);
        if (node.callee.name === 'eval' && node.arguments.length === 1 && node.arguments[0].type !== 'SpreadElement') {
          insert(node.arguments[0].start, `${NAME.code}(`);
          visitAll(node.arguments);
          insert(node.arguments[0].end, ')');
        } else visitAll(node.arguments);
        return;
      case 'TaggedTemplateExpression':
        if (node.tag.type === 'Identifier') reference(node.tag, true);
        else visit(node.tag);
        visit(node.quasi);
        return;
      case 'Property':
        if (node.shorthand && node.value.type === 'Identifier') {
          const text = target(node.value.name);
          if (text) edits.push({ start: node.start, end: node.end, text: `${node.key.name}:${text}` });
          return;
        }
        if (node.computed) visit(node.key);
        visit(node.value);
        return;
      case 'PropertyDefinition':
      case 'MethodDefinition':
        if (node.computed) visit(node.key);
        if (node.type === 'PropertyDefinition') functions.push(undefined);
        visit(node.value);
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
        visit(node.block);
        if (node.handler) visit(node.handler);
        if (node.finalizer) {
          restoreAt(bodyStart(node.finalizer));
          visit(node.finalizer);
        }
        return;
      }
      case 'CatchClause': {
        const names = new Set<string>();
        patternNames(node.param, (name) => names.add(name));
        restoreAt(bodyStart(node.body));
        scoped(names, () => {
          visitPattern(node.param);
          visit(node.body);
        });
        return;
      }
      case 'VariableDeclaration':
        if (node.kind === 'await using') keepFrame();
        for (const { id, init } of node.declarations) {
          visitPattern(id);
          visit(init);
        }
        return;
      case 'AssignmentExpression':
        visitPattern(node.left);
        visit(node.right);
        return;
      case 'AwaitExpression':
        keepFrame();
        insert(node.start, `${NAME.resume}(${NAME.frame}(),`);
        visit(node.argument);
        insert(node.end, ')');
        return;
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
        visit(node.right);
      }
      const isBlock = node.body.type === 'BlockStatement';
      const isBare = node.await && !isBlock && functions[functions.length - 1] !== undefined;
      if (isBare) insert(node.body.start, '{');
      if (node.await) restoreAt(node.body.start + (isBlock ? 1 : 0));
      visitTurn(node.body);
      if (isBare) insert(node.body.end, '}');
    });
  };

  visitStatements(program.body);
  if (functions[0]?.saves) saveAt(0);
  return result;
}

/** Where the first statement after the directives of a block begins. */
function bodyStart(block: any): number {
  let at = block.start + 1;
  for (const statement of block.body) {
    if (!statement.directive) break;
    at = statement.end;
  }
  return at;
}
