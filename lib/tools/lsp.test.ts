// The lsp tool and the errors after an edit, with the real language service on files in memory.
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { CodeIntelligence } from './code-intelligence';
import { editTool } from './edit';
import { lspTool } from './lsp';
import { readTool } from './read';
import { outcome, type TestContext, toolContext } from './testing';
import { type LanguageFunctions, typescriptIntelligence } from './typescript-intelligence';
import { withDiagnostics } from './with-diagnostics';

/** A language service that sees the sandbox's files as they are when it is asked. */
async function intelligence({ sandbox }: TestContext, paths: string[]): Promise<CodeIntelligence> {
  const texts = new Map<string, { text: string; version: number }>();
  const refresh = async () => {
    for (const path of paths) {
      const text = await sandbox.fs.readText(path).catch(() => undefined);
      const known = texts.get(path);
      if (text === undefined) texts.delete(path);
      else if (known?.text !== text) texts.set(path, { text, version: (known?.version ?? 0) + 1 });
    }
  };
  const lib = ts.getDefaultLibFilePath({});
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: (name) => String(texts.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = texts.get(name)?.text ?? ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => sandbox.workdir,
    getCompilationSettings: () => ({
      strict: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      allowImportingTsExtensions: true,
    }),
    getDefaultLibFileName: () => lib,
    fileExists: (name) => texts.has(name) || ts.sys.fileExists(name),
    readFile: (name) => texts.get(name)?.text ?? ts.sys.readFile(name),
  });
  const asked: LanguageFunctions = {
    getScriptText: async (name) => {
      await refresh();
      return texts.get(name)?.text;
    },
    getSyntacticDiagnostics: async (name) => service.getSyntacticDiagnostics(name),
    getSemanticDiagnostics: async (name) => service.getSemanticDiagnostics(name),
    getDefinitionAtPosition: async (name, at) => service.getDefinitionAtPosition(name, at),
    getReferencesAtPosition: async (name, at) => service.getReferencesAtPosition(name, at),
    getQuickInfoAtPosition: async (name, at) => service.getQuickInfoAtPosition(name, at),
    getNavigationTree: async (name) => service.getNavigationTree(name),
    getRenameInfo: async (name, at, options) => service.getRenameInfo(name, at, options),
    findRenameLocations: async (name, at, strings, comments, affixes) =>
      service.findRenameLocations(name, at, strings, comments, { providePrefixAndSuffixTextForRename: affixes }),
  };
  await refresh();
  return typescriptIntelligence({ serviceFor: async () => asked, nameOf: (path) => path, pathOf: (name) => name });
}

const files = {
  'src/user.ts':
    'export interface User {\n  name: string;\n}\n\n/** Loads one. */\nexport function loadUser(id: number): User {\n  return { name: String(id) };\n}\n',
  'src/main.ts': "import { loadUser } from './user.ts';\n\nconst user = loadUser(1);\nconsole.log(user.name);\n",
};

async function project() {
  const context = await toolContext({ files });
  const code = await intelligence(context, ['/home/project/src/user.ts', '/home/project/src/main.ts']);
  return { context, code, lsp: lspTool(code) };
}

describe('lsp', () => {
  test('definition, references, hover and symbols', async () => {
    const { context, lsp } = await project();
    const at = { path: 'src/main.ts', line: 3, symbol: 'loadUser' };
    expect(await outcome(lsp, { operation: 'definition', ...at }, context)).toBe(
      'src/user.ts:6:17: export function loadUser(id: number): User {',
    );
    expect(await outcome(lsp, { operation: 'references', ...at }, context)).toBe(
      "src/main.ts:1:10: import { loadUser } from './user.ts';\nsrc/main.ts:3:14: const user = loadUser(1);\nsrc/user.ts:6:17: export function loadUser(id: number): User {",
    );
    expect(await outcome(lsp, { operation: 'hover', ...at }, context)).toContain('loadUser(id: number): User');
    expect(await outcome(lsp, { operation: 'symbols', path: 'src/user.ts' }, context)).toContain(
      'function loadUser (line 6)',
    );
    expect(await outcome(lsp, { operation: 'diagnostics', path: 'src/main.ts' }, context)).toBe('No errors.');
  });

  test('a rename changes all files as one, after one question', async () => {
    const { context, lsp } = await project();
    const output = await outcome(
      lsp,
      { operation: 'rename', path: 'src/user.ts', line: 6, symbol: 'loadUser', newName: 'findUser' },
      context,
    );
    expect(output).toMatch(/^Renamed loadUser to findUser in 2 files\./);
    expect(await context.sandbox.fs.readText('/home/project/src/main.ts')).toBe(
      files['src/main.ts'].replaceAll('loadUser', 'findUser'),
    );
    expect(context.asked.filter((ask) => ask.permission === 'edit')).toMatchObject([
      { patterns: ['src/user.ts', 'src/main.ts'] },
    ]);
  });

  test('what can’t be answered says why', async () => {
    const { context, lsp } = await project();
    expect(await outcome(lsp, { operation: 'hover', path: 'README.md' }, context)).toMatch(
      /^!The language service knows TypeScript/,
    );
    expect(await outcome(lsp, { operation: 'hover', path: 'src/main.ts' }, context)).toBe(
      '!hover needs line and symbol.',
    );
    expect(await outcome(lsp, { operation: 'hover', path: 'src/main.ts', line: 3, symbol: 'nope' }, context)).toBe(
      '!Line 3 has no `nope`. It is: const user = loadUser(1);',
    );
    expect(await outcome(lsp, { operation: 'symbols', path: 'src/nope.ts' }, context)).toMatch(
      /^!src\/nope\.ts does not exist/,
    );
    const rename = { operation: 'rename' as const, path: 'src/main.ts', line: 3, symbol: 'user' };
    expect(await outcome(lsp, { ...rename, line: 4, symbol: 'console', newName: 'x' }, context)).toMatch(
      /^!It can't be renamed/,
    );
    expect(await outcome(lsp, { ...rename, symbol: 'user', newName: 'not a name' }, context)).toMatch(
      /^!rename needs newName/,
    );
  });
});

describe('after an edit', () => {
  test('new errors and fixed ones are told', async () => {
    const { context, code } = await project();
    const edit = withDiagnostics(editTool, code);
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const wrong = { path: 'src/main.ts', oldString: 'user.name', newString: 'user.nam' };
    const broken = await edit.execute(wrong, context);
    expect(broken.output).toMatch(
      /New errors in src\/main\.ts:\n {2}4:18 Property 'nam' does not exist on type 'User'/,
    );
    expect(broken.meta).toMatchObject({ errorsAdded: 1, errorsFixed: 0 });
    const mended = await edit.execute({ path: 'src/main.ts', oldString: 'user.nam', newString: 'user.name' }, context);
    expect(mended.output).toContain('1 error is gone.');
    expect(mended.meta).toMatchObject({ errorsAdded: 0, errorsFixed: 1 });
  });

  test('an error that was there before is not news, and other files have none', async () => {
    const { context, code } = await project();
    await context.sandbox.fs.write('/home/project/src/main.ts', `${files['src/main.ts']}nope();\n`);
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const edit = withDiagnostics(editTool, code);
    const result = await edit.execute(
      { path: 'src/main.ts', oldString: 'const user', newString: '// moved\nconst user' },
      context,
    );
    expect(result.output).not.toContain('error');
    expect(withDiagnostics(readTool, code)).toBe(readTool);
  });

  test('a service that never answers does not hold the edit up', async () => {
    const { context, code } = await project();
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const deaf = { ...code, knows: async () => false, errors: () => new Promise<never>(() => {}) };
    const result = await withDiagnostics(editTool, deaf).execute(
      { path: 'src/main.ts', oldString: 'user.name', newString: 'user.nam' },
      context,
    );
    expect(result.output).toContain('could not check src/main.ts in time');
  });
});
