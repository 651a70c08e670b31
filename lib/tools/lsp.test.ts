// The lsp tool and the errors after an edit, with the real language service on files in memory.
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { textVersion } from '../std/text-version';
import type { CodeIntelligence } from './code-intelligence';
import { editTool } from './edit';
import { lspTool } from './lsp';
import { readTool } from './read';
import { outcome, type TestContext, toolContext } from './testing';
import { ToolError } from './tool';
import { typescriptIntelligence } from './typescript-intelligence';
import type { LanguageFunctions } from './typescript-language';
import { withDiagnostics } from './with-diagnostics';

/** A language service that sees the sandbox's files as they are when it is asked. */
async function intelligence(
  { sandbox }: TestContext,
  paths: string[],
  whileJudging: () => Promise<void> = async () => {},
): Promise<CodeIntelligence> {
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
    getSemanticDiagnostics: async (name) => {
      const found = service.getSemanticDiagnostics(name);
      await whileJudging();
      return found;
    },
    getDefinitionAtPosition: async (name, at) => service.getDefinitionAtPosition(name, at),
    getReferencesAtPosition: async (name, at) => service.getReferencesAtPosition(name, at),
    getQuickInfoAtPosition: async (name, at) => service.getQuickInfoAtPosition(name, at),
    getNavigationTree: async (name) => service.getNavigationTree(name),
    getRenameInfo: async (name, at, options) => service.getRenameInfo(name, at, options),
    findRenameLocations: async (name, at, strings, comments, affixes) =>
      service.findRenameLocations(name, at, strings, comments, { providePrefixAndSuffixTextForRename: affixes }),
    getSuggestionDiagnostics: async (name) => service.getSuggestionDiagnostics(name),
    getCodeFixesAtPosition: async (name, start, end, codes, format) =>
      service.getCodeFixesAtPosition(name, start, end, codes, format, {}),
    combinedFix: async (fileName, fixId, format) =>
      service.getCombinedCodeFix({ type: 'file', fileName }, fixId as object, format, {}).changes,
    organizedImports: async (fileName, format) => service.organizeImports({ type: 'file', fileName }, format, {}),
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
  });

  test('diagnostics name the version that they are about, and whether it is the one that was read', async () => {
    const { context, lsp } = await project();
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const ask = () => outcome(lsp, { operation: 'diagnostics', path: 'src/main.ts' }, context);
    const version = textVersion(files['src/main.ts']);
    expect(await ask()).toBe(`src/main.ts, version ${version}:\nNo errors.`);
    const changed = `${files['src/main.ts']}nope();\n`;
    await context.sandbox.fs.write('/home/project/src/main.ts', changed);
    expect(await ask()).toBe(
      `src/main.ts, version ${textVersion(changed)}:\n5:1 Cannot find name 'nope'.\n(src/main.ts is not what you last read: read it again before you go by these lines.)`,
    );
  });

  test('errors of an older version are never told as those of the file', async () => {
    const { context, code } = await project();
    const old = { text: files['src/main.ts'], errors: [{ path: '', line: 1, column: 1, message: 'of long ago' }] };
    const changed = `${files['src/main.ts']}// more\n`;
    await context.sandbox.fs.write('/home/project/src/main.ts', changed);
    const late: CodeIntelligence = { ...code, knows: async () => true, errors: async () => old };
    expect(await outcome(lspTool(late), { operation: 'diagnostics', path: 'src/main.ts' }, context)).toMatch(
      /^!src\/main\.ts is being changed right now/,
    );
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const edit = { path: 'src/main.ts', oldString: 'user.name', newString: 'user.nam' };
    const { output } = await withDiagnostics(editTool, late).execute(edit, context);
    expect(output).toContain('could not check src/main.ts in time');
    expect(output).not.toContain('of long ago');
  });

  test('a text that moves on while it is judged is judged again', async () => {
    const context = await toolContext({ files });
    let asked = 0;
    const code = await intelligence(context, ['/home/project/src/main.ts', '/home/project/src/user.ts'], async () => {
      if (asked++ === 0)
        await context.sandbox.fs.write('/home/project/src/main.ts', `\n${files['src/main.ts']}nope();`);
    });
    expect(await code.errors('/home/project/src/main.ts')).toMatchObject({ errors: [{ line: 6 }] });
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

describe('code actions', () => {
  const broken =
    "import { loadUser, type User } from './user.ts';\n\nconst user = loadUser(1);\nconsole.log(user.nam);\nsaveUser(user);\n";
  const store = 'export function saveUser(user: unknown): void {\n  console.log(user);\n}\n';

  async function brokenProject(more: Record<string, string> = {}) {
    const context = await toolContext({ files: { ...files, 'src/main.ts': broken, 'src/store.ts': store, ...more } });
    const paths = ['src/user.ts', 'src/main.ts', 'src/store.ts', ...Object.keys(more)].map(
      (one) => `/home/project/${one}`,
    );
    const code = await intelligence(context, paths);
    return { context, lsp: lspTool(code), code };
  }

  test('what can be done is listed by error, for a line or the file', async () => {
    const { context, lsp } = await brokenProject();
    const all = await outcome(lsp, { operation: 'codeActions', path: 'src/main.ts' }, context);
    expect(all).toContain(`src/main.ts, version ${textVersion(broken)}:`);
    expect(all).toMatch(/4:18 Property 'nam' does not exist on type 'User'.*\n {2}- Change spelling to 'name'/);
    expect(all).toMatch(/5:1 Cannot find name 'saveUser'\.\n {2}- Add import from "\.\/store\.ts"/);
    const one = await outcome(lsp, { operation: 'codeActions', path: 'src/main.ts', line: 5 }, context);
    expect(one).not.toContain("Property 'nam'");
    expect(await outcome(lsp, { operation: 'codeActions', path: 'src/user.ts' }, context)).toContain(
      'There is nothing that the language service could do here.',
    );
  });

  test('one is made by its title, as an edit that asks', async () => {
    const { context, lsp } = await brokenProject();
    const request = { operation: 'applyCodeAction' as const, path: 'src/main.ts', line: 4 };
    const output = await outcome(lsp, { ...request, action: "Change spelling to 'name'" }, context);
    expect(output).toMatch(/^Change spelling to 'name': done in 1 file\./);
    expect(await context.sandbox.fs.readText('/home/project/src/main.ts')).toBe(
      broken.replace('user.nam)', 'user.name)'),
    );
    expect(context.asked.filter((ask) => ask.permission === 'edit')).toMatchObject([
      { patterns: ['src/main.ts'], title: "Change spelling to 'name'" },
    ]);
    // What it wrote is what the model knows: an edit may follow without reading.
    expect(context.seen.get('/home/project/src/main.ts')).toContain('user.name');
  });

  test('a fix may change another file', async () => {
    const { context, lsp } = await brokenProject();
    const declare = { operation: 'applyCodeAction' as const, path: 'src/main.ts', action: "Declare property 'nam'" };
    await outcome(lsp, declare, context);
    expect(await context.sandbox.fs.readText('/home/project/src/user.ts')).toMatch(
      /^export interface User \{\n {2}nam: any;\n {2}name: string;\n\}/,
    );
    expect(context.asked.at(-1)).toMatchObject({ permission: 'edit', patterns: ['src/user.ts'] });
  });

  test('imports are organized; with nothing to do nothing is asked', async () => {
    const { context, lsp } = await brokenProject();
    const organize = { operation: 'organizeImports' as const, path: 'src/main.ts' };
    expect(await outcome(lsp, organize, context)).toMatch(/^Organized the imports of src\/main\.ts in 1 file\./);
    expect(await context.sandbox.fs.readText('/home/project/src/main.ts')).toMatch(
      /^import \{ loadUser \} from '\.\/user\.ts';\n/,
    );
    const asked = context.asked.length;
    expect(await outcome(lsp, organize, context)).toBe('There is nothing to change.');
    expect(context.asked.slice(asked).filter((ask) => ask.permission === 'edit')).toEqual([]);
  });

  test('CRLF and tabs stay what they are', async () => {
    const text =
      "import { loadUser } from './user.ts';\r\nfunction f() {\r\n\treturn saveUser(loadUser(1));\r\n}\r\nf();\r\n";
    const { context, lsp } = await brokenProject({ 'src/dos.ts': text });
    const add = { operation: 'applyCodeAction' as const, path: 'src/dos.ts', action: 'Add import from "./store.ts"' };
    expect(await outcome(lsp, add, context)).toContain('done in 1 file');
    const after = await context.sandbox.fs.readText('/home/project/src/dos.ts');
    expect(after).toMatch(/import \{ saveUser \} from ["']\.\/store\.ts["'];\r\n/);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  test('what can’t be chosen says what there is', async () => {
    const twice = 'const a = { name: 1 };\na.nam;\na.nam;\n';
    const { context, lsp } = await brokenProject({ 'src/twice.ts': twice });
    const request = { operation: 'applyCodeAction' as const, path: 'src/twice.ts' };
    expect(await outcome(lsp, request, context)).toMatch(/^!applyCodeAction needs action/);
    expect(await outcome(lsp, { ...request, action: 'Delete everything' }, context)).toMatch(
      /^!There is no action “Delete everything” here\. There are: .*Change spelling to 'name'/,
    );
    expect(await outcome(lsp, { ...request, line: 1, action: "Change spelling to 'name'" }, context)).toBe(
      "!There is no action “Change spelling to 'name'” on line 1. There is none at all. Lines may have moved: leave line away to look in the whole file.",
    );
    expect(await outcome(lsp, { ...request, action: "Change spelling to 'name'" }, context)).toBe(
      "!“Change spelling to 'name'” can be done at lines 2, 3. Say which line you mean.",
    );
    expect(await outcome(lsp, { ...request, action: 'Fix all detected spelling errors' }, context)).toContain(
      'done in 1',
    );
    expect(await context.sandbox.fs.readText('/home/project/src/twice.ts')).toBe(twice.replaceAll('.nam;', '.name;'));
  });

  test('a refusal changes nothing', async () => {
    const { context, lsp } = await brokenProject();
    context.onAsk = (request) => {
      if (request.permission === 'edit') throw new ToolError('no');
      return undefined;
    };
    const fix = { operation: 'applyCodeAction' as const, path: 'src/main.ts', action: "Change spelling to 'name'" };
    expect(await outcome(lsp, fix, context)).toBe('!no');
    expect(await context.sandbox.fs.readText('/home/project/src/main.ts')).toBe(broken);
  });

  test.each(['rename', 'applyCodeAction'] as const)(
    'a file that moves on while the person thinks: %s is merged, or nothing is changed',
    async (operation) => {
      for (const [insert, isSamePlace] of [
        ['// typed meanwhile\n', false],
        ['console.log(user.nam, 2);\n', true],
      ] as const) {
        const { context, lsp } = await brokenProject();
        const path = '/home/project/src/main.ts';
        context.onAsk = async (request) => {
          if (request.permission !== 'edit') return undefined;
          const now = isSamePlace ? broken.replace('console.log(user.nam);\n', insert) : `${insert}${broken}`;
          await context.sandbox.fs.write(path, now);
          return undefined;
        };
        const request =
          operation === 'rename'
            ? { operation, path: 'src/main.ts', line: 3, symbol: 'user', newName: 'person' }
            : { operation, path: 'src/main.ts', line: 4, action: "Change spelling to 'name'" };
        const output = await outcome(lsp, request, context);
        const after = await context.sandbox.fs.readText(path);
        if (isSamePlace) {
          expect(output).toMatch(/^!src\/main\.ts was changed meanwhile in the same place\. Nothing was changed\./);
          expect(after).toContain('user.nam, 2');
        } else {
          expect(output).toContain('src/main.ts had been changed meanwhile elsewhere');
          const made =
            operation === 'rename' ? broken.replace(/\buser\b(?!\.ts)/g, 'person') : broken.replace('.nam)', '.name)');
          expect(after).toBe(`${insert}${made}`);
        }
      }
    },
  );
});

describe('after an edit', () => {
  test('new errors and fixed ones are told', async () => {
    const { context, code } = await project();
    const edit = withDiagnostics(editTool, code);
    await outcome(readTool, { path: 'src/main.ts' }, context);
    await code.errors('/home/project/src/main.ts');
    const wrong = { path: 'src/main.ts', oldString: 'user.name', newString: 'user.nam' };
    const broken = await edit.execute(wrong, context);
    expect(broken.output).toMatch(
      /New errors in src\/main\.ts \(version [0-9a-f]{8}\):\n {2}4:18 Property 'nam' does not exist on type 'User'/,
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
    await code.errors('/home/project/src/main.ts');
    const edit = withDiagnostics(editTool, code);
    const result = await edit.execute(
      { path: 'src/main.ts', oldString: 'const user', newString: '// moved\nconst user' },
      context,
    );
    expect(result.output).not.toContain('error');
    expect(withDiagnostics(readTool, code)).toBe(readTool);
  });

  test('what was wrong before is not called new when the service did not know the file before', async () => {
    const { context, code } = await project();
    await context.sandbox.fs.write('/home/project/src/main.ts', `${files['src/main.ts']}nope();\n`);
    await outcome(readTool, { path: 'src/main.ts' }, context);
    let isSlow = true;
    const slow: CodeIntelligence = { ...code, knows: async (...asked) => !isSlow && code.knows(...asked) };
    context.onAsk = async ({ permission }) => {
      isSlow = permission !== 'edit';
      return undefined;
    };
    const result = await withDiagnostics(editTool, slow).execute(
      { path: 'src/main.ts', oldString: 'const user', newString: '// moved\nconst user' },
      context,
    );
    expect(result.output).toMatch(
      /Errors, new or not, in src\/main\.ts \(version [0-9a-f]{8}\):\n {2}6:1 Cannot find name 'nope'/,
    );
    expect(result.meta).toMatchObject({ errorsAdded: 0, errorsFixed: 0 });
  });

  test('a service that never answers does not hold the edit up', async () => {
    const { context, code } = await project();
    await outcome(readTool, { path: 'src/main.ts' }, context);
    const deaf: CodeIntelligence = { ...code, knows: async () => false, errors: () => new Promise<never>(() => {}) };
    const result = await withDiagnostics(editTool, deaf).execute(
      { path: 'src/main.ts', oldString: 'user.name', newString: 'user.nam' },
      context,
    );
    expect(result.output).toContain('could not check src/main.ts in time');
  });
});
