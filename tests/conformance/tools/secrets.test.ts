// Files with keys: one list, in every case of letters, for reading, searching, commands, programs and links; a person's rules change it everywhere.
import { describe, expect, test, vi } from 'vitest';
import { createExtensions } from '../../../lib/extensions/extensions';
import { guardedFiles, hiddenNames } from '../../../lib/permission/guarded-files';
import { rulesFor } from '../../../lib/permission/presets';
import { decide, type Rule, type RuleSet } from '../../../lib/permission/rules';
import { readServers } from '../../../lib/registry/mcp/server-config';
import { createMcpServers } from '../../../lib/registry/mcp/servers';
import { storedSignIns } from '../../../lib/registry/mcp/sign-in-store';
import { memoryStorage } from '../../../lib/registry/mcp/testing';
import { confinedFs, underPolicy } from '../../../lib/sandbox/confine';
import { createMemorySandbox } from '../../../lib/sandbox/memory';
import type { FilePolicy, Sandbox } from '../../../lib/sandbox/sandbox';
import { secretReason } from '../../../lib/share/secrets';
import { bashTool } from '../../../lib/tools/bash';
import { grepTool } from '../../../lib/tools/grep';
import { outcome, toolContext } from '../../../lib/tools/testing';

const secret = [
  ...['.env', '.ENV', 'a/.Env.local', 'prod.env', 'PROD.ENV.backup', 'packages/api/.env.production'],
  ...['id_rsa', 'keys/id_ed25519', 'ID_RSA', 'server.pem', 'tls/SERVER.KEY', 'a.p12', 'x.kdbx'],
  ...[
    '.npmrc',
    'a/.netrc',
    '.git-credentials',
    '.pypirc',
    'credentials.json',
    'Secrets.yaml',
    'service-account-x.json',
  ],
  ...['.aws/credentials', '/home/.ssh/config', '/home/.kube/config', '.gnupg/a/b'],
];
const open = [
  ...['.env.example', 'a/.env.sample', 'env.ts', 'src/environment.env.ts', 'keyboard.ts', 'monkey.js', 'id_rsa.pub'],
  ...['secrets.test.ts', 'credentials.ts', 'src/credentials/index.ts', 'x.key.ts', 'aws/a.ts'],
];
const rule = (effect: Rule['effect'], permission: string, pattern: string): Rule => ({ permission, pattern, effect });
const rules = (own: Rule[] = [], project: Rule[] = []): RuleSet => ({
  policy: rulesFor('auto', own),
  project,
  role: [],
});
const read = (path: string, set = rules()) =>
  decide({ permission: 'read', patterns: [path], always: ['*'] }, set, []).effect;
const seenUnder = async (path: string, set: RuleSet, asked = true) => {
  const { fs } = await createMemorySandbox({ files: { [path]: 'x' } });
  const absolute = path.startsWith('/') ? path : `/home/project/${path}`;
  return confinedFs(fs, { hidden: hiddenNames(set, { asked }) }).exists(absolute);
};

describe('the one list', () => {
  test.each(secret)('%s is asked about in every mode, hidden from programs and left out of links', async (path) => {
    for (const mode of ['ask', 'edits', 'auto'] as const)
      expect(read(path, { policy: rulesFor(mode), role: [] })).toBe('ask');
    expect(
      decide({ permission: 'edit', patterns: [path], always: [] }, { policy: rulesFor('edits'), role: [] }, []),
    ).toMatchObject({ effect: 'ask' });
    expect(guardedFiles(rules())(path)).toBe(true);
    expect(await seenUnder(path, rules())).toBe(false);
    expect(secretReason(path, new Uint8Array())).toBeDefined();
  });
  test.each(open)('%s is none of them', async (path) => {
    expect(read(path)).toBe('allow');
    expect(guardedFiles(rules())(path)).toBe(false);
    expect(await seenUnder(path, rules())).toBe(true);
    expect(secretReason(path, new Uint8Array())).toBeUndefined();
  });
});

describe('rules change it, above and below', () => {
  test('what the person allows is open to programs too', async () => {
    const own = rules([rule('allow', 'read', '*.pem')]);
    expect(read('a/server.pem', own)).toBe('allow');
    expect(await seenUnder('a/server.pem', own)).toBe(true);
    expect(await seenUnder('.env', own)).toBe(false);
    expect(hiddenNames(rules([rule('allow', 'read', '*')]), { asked: true })).toEqual([]);
  });
  test('what the person forbids is hidden from programs even where secrets are not', async () => {
    const own = rules([rule('deny', 'read', '*.secret')]);
    expect(read('a/B.SECRET', own)).toBe('deny');
    expect(await seenUnder('a/b.secret', own, false)).toBe(false);
    expect(await seenUnder('.env', own, false)).toBe(true);
  });
  test('a project narrows and never widens', async () => {
    const project = rules([], [rule('allow', 'read', '*.env'), rule('ask', 'read', 'notes.txt')]);
    expect(await seenUnder('.env', project)).toBe(false);
    expect(await seenUnder('notes.txt', project)).toBe(false);
  });
});

describe('tools that show many files', () => {
  const files = {
    'a.txt': 'needle',
    'packages/api/.ENV': 'needle',
    'tls/server.key': 'needle',
    '.aws/credentials': 'needle',
  };
  test('grep leaves guarded files out and counts them', async () => {
    const output = await outcome(grepTool, { pattern: 'needle' }, await toolContext({ files }));
    expect(output).toBe(
      'a.txt:\n  1: needle\n(3 matches in 3 files that are guarded, as .env is, left out; name such a file as path to search it)',
    );
  });
  test('grep: a rule about a place counts in a search of its parent', async () => {
    const context = await toolContext({ files: { 'a.txt': 'needle', 'private/b.txt': 'needle' } });
    const guarded = guardedFiles(rules([rule('deny', 'read', 'private/*')]));
    const output = await outcome(grepTool, { pattern: 'needle' }, { ...context, isGuarded: guarded });
    expect(output).not.toContain('private');
    expect(output).toContain('(1 match in a file that is guarded');
  });
  const reads = async (command: string, more: Record<string, string> = {}) => {
    const context = await toolContext({ files: { ...files, ...more } });
    context.onAsk = () => Promise.reject(new Error('asked'));
    await bashTool.execute({ command }, context).catch(() => {});
    return (context.asked[0]?.also ?? [])
      .flatMap((facts) => (facts.permission === 'read' ? facts.patterns : []))
      .sort();
  };
  test.each<[string, string[]]>([
    ['grep -r needle .', ['.', '.aws/credentials', 'packages/api/.ENV', 'tls/server.key']],
    ['rg needle packages', ['.aws/credentials', 'packages', 'packages/api/.ENV', 'tls/server.key']],
    ['cat tls/*', ['tls/server.key']],
    ['cat packages/*/.E*', ['packages/api/.ENV']],
    ['cat packages/*/*', []],
    ['cat *', []],
    ['shopt -s globstar; cat **', ['.aws/credentials', 'packages/api/.ENV', 'tls/server.key']],
    ['cat packages/api/.ENV', ['packages/api/.ENV']],
    ['node x.js tls/server.key', ['tls/server.key']],
    ['node -e "f(\'tls/server.key\')"', ['.aws/credentials', 'packages/api/.ENV', 'tls/server.key']],
    ['aws --file=.aws/credentials', ['.aws/credentials']],
    ['jq .key a.txt', ['a.txt']],
    ['node -e "e.key === process.env.HOME"', []],
    ['cat a.txt', ['a.txt']],
  ])('%s', async (command, expected) => expect(await reads(command)).toEqual(expected));
});

describe('programs that a project or the person brings start under the policy', () => {
  const policy = { hidden: hiddenNames(rules(), { asked: true }) };
  async function spied() {
    const started: [string, FilePolicy | undefined][] = [];
    const inner = await createMemorySandbox();
    const sandbox: Sandbox = {
      ...inner,
      spawn(command, _args, options) {
        started.push([command, options?.policy]);
        return Promise.reject(new Error('enough'));
      },
    };
    return { sandbox, started };
  }
  test('an MCP server over standard input and output', async () => {
    const { sandbox, started } = await spied();
    const servers = createMcpServers({
      sandbox: underPolicy(sandbox, () => policy),
      fetch: () => Promise.reject(new Error('no web')),
      signIns: storedSignIns(memoryStorage()),
      allowed: { getItem: () => null, setItem: () => {} },
    });
    const { servers: configs } = readServers({ mcp: { own: { type: 'local', command: ['node', 'x.js'] } } }, 'test');
    servers.want(configs.map((config) => ({ config, trusted: true })));
    await vi.waitFor(() => expect(started).toEqual([['node', policy]]));
    await servers.close();
  });
  test.each(['tool', 'plugin'] as const)('a %s of the project', async (kind) => {
    const { sandbox, started } = await spied();
    const programs = createExtensions({ sandbox, loadProgram: async () => '', policy: () => policy });
    programs.want([{ kind, path: `.opencode/${kind}/a.ts`, text: '', hash: 'h' }]);
    await programs.ready();
    expect(started[0]).toEqual(['node', policy]);
    await programs.dispose();
  });
});
