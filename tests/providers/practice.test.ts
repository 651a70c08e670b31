import { describe, expect, test } from 'vitest';
import { practiceModel } from '@/lib/agent/practice-model';
import { typescriptTest } from '@/lib/project/templates/typescript-test';
import { setup, texts, tools } from '@/lib/session/testing';
import { realBash } from '@/lib/tools/testing';

describe('the practice model, through the same path', () => {
  test('fixes the failing test of the shipped example', async () => {
    const { session, sandbox } = await setup(practiceModel({ delayMs: 0 }), {
      memory: {
        files: typescriptTest.files,
        commands: {
          // What `npm test` decides in the real sandbox: here the file itself says whether the mistake is still in it.
          bash: async (io) => {
            const source = await io.fs.readText('/home/project/src/duration.ts');
            const { formatDuration } = await import(`data:text/javascript,${encodeURIComponent(stripTypes(source))}`);
            const ok = formatDuration(5400) === '1h 30m';
            io.out(ok ? 'pass 4\n' : 'not ok 4\n  at TestContext (file:///home/project/src/duration.test.ts:18:10)\n');
            return ok ? 0 : 1;
          },
        },
      },
    });
    session.setMode('auto');
    await session.send('fix the failing test');
    expect(texts(session).at(-1)).toContain('now all tests pass');
    expect(tools(session).map((part) => part.tool)).toEqual(['bash', 'glob', 'read', 'edit', 'bash']);
    expect(await sandbox.fs.readText('/home/project/src/duration.ts')).toContain('count > 0');
  });
  test.each<[string, string[], RegExp]>([
    ['list the files', ['glob'], /Those are the files/],
    ['read src/a.ts', ['read'], /That is src\/a.ts/],
    ['find TODO', ['grep'], /where "TODO" occurs/],
    ['run echo hello', ['bash'], /ended well/],
    ['run exit 3', ['bash'], /exit code 3/],
    ['replace TODO by DONE in src/a.ts', ['read', 'edit'], /^Done: Edited src\/a.ts/],
    ['create b.txt with hello world', ['write'], /^Done: Created b.txt/],
    ['read src/a.ts and package.json', ['read', 'read'], /That did not work|Those are/],
    ['create b.txt with hello then read b.txt', ['write', 'read'], /That is b.txt/],
    ['write me a poem', [], /not an AI/],
    ['read nope.ts', ['read'], /That did not work. nope.ts does not exist/],
  ])('%s', async (request, expected, said) => {
    const { session } = await setup(practiceModel({ delayMs: 0 }), {
      memory: { files: { 'src/a.ts': '// TODO\n' }, commands: { bash: realBash } },
    });
    session.setMode('auto');
    await session.send(request);
    expect(tools(session).map((part) => part.tool)).toEqual(expected);
    expect(texts(session).at(-1)).toMatch(said);
    expect(session.state().status).toEqual({ kind: 'idle' });
  });
});

function stripTypes(source: string): string {
  return source
    .replace(/^type .*$/gm, '')
    .replace(/ as const/g, '')
    .replace(/ as Unit/g, '')
    .replace(/: (string\[\]|string|number)(?=[,) ={])/g, '');
}
