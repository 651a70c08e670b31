// What the architecture test knows of the source: files, their imports (by TypeScript's own parser) and which of those remain at run time.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface Import {
  /** As written. */
  specifier: string;
  /** Path from the root of the repository, or undefined for a package. */
  file: string | undefined;
  /** Gone after compilation. */
  isType: boolean;
}

export interface SourceFile {
  /** From the root, with slashes. */
  path: string;
  text: string;
  lines: number;
  imports: Import[];
  /** Names that the file exports. */
  exports: string[];
  readsEnvironment: boolean;
  /** Nothing but `export … from`. */
  isBarrel: boolean;
}

const SKIPPED = new Set(['node_modules', '.git', '.next', 'public', 'generated', 'fixtures', 'suite', 'cases']);
const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.json', '.css', '/index.ts'];

/** All TypeScript of the repository at `root`, but for generated files, fixtures and programs that are test cases. */
export function readSources(root: string): SourceFile[] {
  const found: SourceFile[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(name);
      } else if (/\.[mc]?tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) found.push(readSource(root, name));
    }
  };
  walk('');
  return found;
}

/** All style sheets below `components` and `app` of the repository at `root`. */
export function readSheets(root: string): { path: string; text: string }[] {
  return ['components', 'app'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.css'))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(path.join(root, folder, name), 'utf8') })),
  );
}

/** Groups of files that reach each other by imports, types and late imports included; each group sorted (Tarjan's strongly connected components). */
export function circles(files: SourceFile[]): string[][] {
  const graph = new Map(files.map((file) => [file.path, file.imports.flatMap(({ file: target }) => target ?? [])]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (name: string): void => {
    order.set(name, order.size);
    lowest.set(name, order.get(name)!);
    open.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(next)!));
    }
    if (lowest.get(name) !== order.get(name)) return;
    const group = open.splice(open.indexOf(name));
    if (group.length > 1) found.push(group.sort());
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return found;
}

function readSource(root: string, name: string): SourceFile {
  const text = readFileSync(path.join(root, name), 'utf8');
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const add = (node: ts.Node | undefined, isType: boolean): void => {
    if (node && ts.isStringLiteralLike(node))
      imports.push({ specifier: node.text, file: resolve(root, name, node.text), isType });
  };
  let readsEnvironment = false;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    // A module that is loaded later is no cycle at load time, but it counts for layers: see `isType`.
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isPropertyAccessExpression(node) && node.getText(source) === 'process.env') readsEnvironment = true;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return {
    path: name,
    text,
    lines: text.split('\n').length - 1,
    imports,
    exports: exportedNames(source),
    readsEnvironment,
    isBarrel:
      source.statements.length > 0 &&
      source.statements.every(
        (statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
      ),
  };
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  return clause.name === undefined && bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly)
    : false;
}

function exportedNames(source: ts.SourceFile): string[] {
  const names: string[] = [];
  for (const statement of source.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) names.push(name.text);
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      if (statement.name) names.push(statement.name.text);
    }
  }
  return names;
}

function resolve(root: string, from: string, specifier: string): string | undefined {
  const isAlias = specifier.startsWith('@/');
  if (!isAlias && !specifier.startsWith('.')) return undefined;
  const base = isAlias ? specifier.slice(2) : path.posix.join(path.posix.dirname(from), specifier);
  for (const extension of EXTENSIONS) {
    const file = path.join(root, base + extension);
    if (existsSync(file) && statSync(file).isFile()) return base + extension;
  }
  return base;
}
