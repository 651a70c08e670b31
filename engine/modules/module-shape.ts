// What an ES module imports and exports, read off its syntax tree (ECMA-262 ModuleRequests, ImportEntries, ExportEntries).
import { type Edit, lineBreaks } from './edits';

export interface ModuleRequest {
  specifier: string;
  attributes: Record<string, string>;
}

/** `name` of request `request`; `*` is the namespace. */
export interface Binding {
  request: number;
  name: string;
  /** What an error points at when there is no such export: a piece of the source. */
  start: number;
  end: number;
}

export interface ModuleShape {
  requests: ModuleRequest[];
  /** Local names that stand for an import. */
  imports: Map<string, Binding>;
  /** Exported name → local name. */
  locals: Map<string, string>;
  /** Exported name → what it re-exports. */
  indirect: Map<string, Binding>;
  /** Requests of `export * from`. */
  stars: number[];
}

/** Stands for the default export's value when it has no name of its own. */
export const DEFAULT_NAME = '\u0269default';

const nameOf = (node: any): string => (node.type === 'Identifier' ? node.name : String(node.value));

/** Calls `visit` for every name that a binding pattern declares. */
export function patternNames(pattern: any, visit: (name: string) => void): void {
  switch (pattern?.type) {
    case 'Identifier':
      visit(pattern.name);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties)
        patternNames(property.type === 'RestElement' ? property.argument : property.value, visit);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) patternNames(element, visit);
      break;
    case 'AssignmentPattern':
      patternNames(pattern.left, visit);
      break;
    case 'RestElement':
      patternNames(pattern.argument, visit);
      break;
  }
}

/** Reads the shape and the edits that remove the module syntax. */
export function readShape(program: any, source: string): { shape: ModuleShape; edits: Edit[] } {
  const shape: ModuleShape = {
    requests: [],
    imports: new Map(),
    locals: new Map(),
    indirect: new Map(),
    stars: [],
  };
  const edits: Edit[] = [];
  const requestIndexes = new Map<string, number>();
  const request = (node: any): number => {
    const attributes: Record<string, string> = Object.create(null);
    for (const attribute of node.attributes ?? []) attributes[nameOf(attribute.key)] = attribute.value.value;
    const key = JSON.stringify([node.source.value, attributes]);
    let index = requestIndexes.get(key);
    if (index === undefined) {
      index = shape.requests.push({ specifier: node.source.value, attributes }) - 1;
      requestIndexes.set(key, index);
    }
    return index;
  };
  const remove = (node: any): void =>
    void edits.push({ start: node.start, end: node.end, text: lineBreaks(source, node.start, node.end) });

  for (const node of program.body) {
    switch (node.type) {
      case 'ImportDeclaration': {
        const index = request(node);
        for (const specifier of node.specifiers) {
          const name =
            specifier.type === 'ImportNamespaceSpecifier'
              ? '*'
              : specifier.type === 'ImportDefaultSpecifier'
                ? 'default'
                : nameOf(specifier.imported);
          const { start, end } = specifier.imported ?? specifier.local;
          shape.imports.set(specifier.local.name, { request: index, name, start, end });
        }
        remove(node);
        break;
      }
      case 'ExportAllDeclaration': {
        const index = request(node);
        if (node.exported) {
          const { start, end } = node.exported;
          shape.indirect.set(nameOf(node.exported), { request: index, name: '*', start, end });
        } else shape.stars.push(index);
        remove(node);
        break;
      }
      case 'ExportNamedDeclaration':
        if (node.source) {
          const index = request(node);
          for (const { exported, local, start, end } of node.specifiers)
            shape.indirect.set(nameOf(exported), { request: index, name: nameOf(local), start, end });
          remove(node);
        } else if (node.declaration) {
          const { declaration } = node;
          if (declaration.type === 'VariableDeclaration') {
            for (const { id } of declaration.declarations)
              patternNames(id, (name) => void shape.locals.set(name, name));
          } else shape.locals.set(declaration.id.name, declaration.id.name);
          edits.push({
            start: node.start,
            end: declaration.start,
            text: lineBreaks(source, node.start, declaration.start),
          });
        } else {
          for (const { exported, local } of node.specifiers) shape.locals.set(nameOf(exported), nameOf(local));
          remove(node);
        }
        break;
      case 'ExportDefaultDeclaration':
        readDefault(node, source, shape, edits);
        break;
    }
  }
  // `import { a } from …; export { a }` re-exports the binding itself.
  for (const [exported, local] of shape.locals) {
    const imported = shape.imports.get(local);
    if (!imported) continue;
    shape.locals.delete(exported);
    shape.indirect.set(exported, imported);
  }
  return { shape, edits };
}

function readDefault(node: any, source: string, { locals }: ModuleShape, edits: Edit[]): void {
  const { declaration } = node;
  const breaks = lineBreaks(source, node.start, declaration.start);
  const isFunction = declaration.type === 'FunctionDeclaration';
  if ((isFunction || declaration.type === 'ClassDeclaration') && declaration.id) {
    locals.set('default', declaration.id.name);
    edits.push({ start: node.start, end: declaration.start, text: breaks });
    return;
  }
  locals.set('default', DEFAULT_NAME);
  if (isFunction) {
    // Stays a hoisted declaration; its visible name must be "default".
    const head = /^(?:async\s+)?function\s*\*?/.exec(
      source.slice(declaration.start, declaration.end),
    ) as RegExpExecArray;
    const end = declaration.start + head[0].length;
    edits.push({ start: node.start, end: declaration.start, text: breaks });
    edits.push({ start: end, end, text: ` ${DEFAULT_NAME}` });
    return;
  }
  const isAnonymous =
    declaration.type === 'ClassDeclaration' ||
    (!declaration.id && /^(?:Class|Function|ArrowFunction)Expression$/.test(declaration.type));
  // An anonymous function or class is named "default" by being a property of that name.
  edits.push({
    start: node.start,
    end: declaration.start,
    text: `${breaks}const ${DEFAULT_NAME}=${isAnonymous ? '{default:' : '('}`,
  });
  edits.push({
    start: declaration.end,
    end: Math.max(node.end, declaration.end),
    text: isAnonymous ? '}.default;' : ');',
  });
}
