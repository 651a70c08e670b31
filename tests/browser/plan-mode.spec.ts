// Plan mode on the real engine: its shell is a real one, and no program that it starts can change the project.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import type { PlanRun } from './plan-mode-page';

let sandbox: SandboxBrowser;
test.skip(
  !existsSync(fileURLToPath(new URL('../../public/engine/manifest.json', import.meta.url))),
  'needs the built engine: node engine/build/build.ts',
);

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ boot: false });
  const bundled = await build({
    entryPoints: [fileURLToPath(new URL('./plan-mode-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    define: { 'process.env.NODE_ENV': '"test"' },
    logOverride: { 'empty-import-meta': 'silent' },
  });
  await sandbox.page.addScriptTag({ content: bundled.outputFiles[0].text });
});
test.afterAll(() => sandbox?.close());

const files = {
  'package.json': JSON.stringify({ scripts: { test: `node -e "fs.writeFileSync('report.txt', '')"` } }),
  'a.txt': 'a',
  '.env': 'KEY=1',
};

function runAs(agent: string, commands: string[]): Promise<PlanRun> {
  const steps = [...commands.map((command) => [{ tool: 'bash', input: { command } }]), ['done']];
  return sandbox.page.evaluate(([who, what, tree, url]) => window.runAs(who, what, tree, url), [
    agent,
    steps,
    files,
    `${sandbox.server.sandboxOrigin}/engine/host.html`,
  ] as const);
}

const writes = [
  `node -e "fs.writeFileSync('x','y')"`,
  'npm test',
  `eval "$(printf 'rm -rf a.txt')"`,
  `X=a.txt; truncate -s 0 $X`,
  `node -e "child_process.spawnSync('sh', ['-c', 'mv a.txt b.txt'])"`,
];

test('what the parser does not see writes nothing', async () => {
  const { outputs, files: left } = await runAs('plan', writes);
  expect(left).toEqual(files);
  expect(outputs[0]).toMatch(/EROFS: read-only file system, open 'x'/);
  expect(outputs[0]).toMatch(/You may only look/);
});

/** Each way of its own to a file: threads, descriptors, second names, archives, databases, times and modes. */
const otherWays = [
  `node -e "new worker_threads.Worker('fs.writeFileSync(\\'a.txt\\', \\'thread\\')', { eval: true })"`,
  `node -e "const fd = fs.openSync('a.txt', 'r'); try { fs.writeSync(fd, 'fd') } finally { fs.writeFileSync('/proc/self/fd/' + fd, 'proc') }"`,
  `node -e "fs.linkSync('a.txt', '/tmp/second'); fs.writeFileSync('/tmp/second', 'linked')"`,
  'F=a.txt; echo new > /tmp/new.txt; mv -f /tmp/new.txt $F; cp -f /tmp/new.txt $F; ln -f /tmp/new.txt $F',
  `node -e "fs.symlinkSync(process.cwd(), '/tmp/here'); fs.writeFileSync('/tmp/here/a.txt', 'through')"`,
  'P=$PWD; cd /tmp; mkdir -p t; echo tarred > t/a.txt; tar -cf t.tar -C t a.txt; tar -xf t.tar -C $P; tar -xOf t.tar a.txt | dd of=$P/a.txt',
  `node -e "new (process.getBuiltinModule('node:sqlite').DatabaseSync)('x.db').exec('create table t (a)')"`,
  `node -e "fs.promises.open('a.txt', 'r+').then((file) => file.truncate(0))"`,
  `node -e "fs.openAsBlob('a.txt').then((blob) => blob.stream().pipeTo(stream.Writable.toWeb(fs.createWriteStream('copy.txt'))))"`,
  `node -e "fs.chmodSync('a.txt', 0); fs.utimesSync('a.txt', 0, 0)"; node -e "fs.cpSync('a.txt', 'b.txt'); fs.rmSync('a.txt')"`,
  `node -e "process.chdir('/tmp'); fs.writeFileSync('../home/project/a.txt', 'up')"; sh -c 'exec 3<>a.txt; echo three >&3'`,
  `F=a.txt; sed -i s/a/b/ $F; printf 'x' | tee $F; touch $F.new; node --eval "net.createServer().listen('sock')"`,
];

test('nor does any other way to a file', async () => {
  const { outputs, files: left } = await runAs('plan', otherWays);
  expect(left).toEqual(files);
  expect(outputs).toHaveLength(otherWays.length);
  for (const output of outputs) expect(output).toMatch(/EROFS|[Rr]ead-only file system|may only look|denies edit/);
});

test('looking works, temporary files too', async () => {
  // A name that is put together asks nobody: who names .env is asked, and a yes shows it.
  const { outputs } = await runAs('plan', [
    'cat a.txt; node -p 1+1 2>/dev/null',
    'mktemp -d > /tmp/where && echo hi > /tmp/plan.txt && cat /tmp/plan.txt',
    `node -e "console.log(fs.readdirSync('.').join(), fs.existsSync('.e' + 'nv'))"`,
  ]);
  expect(outputs[0]).toMatch(/^a2\n\[exit code 0/);
  expect(outputs[1]).toMatch(/^hi\n\[exit code 0/);
  expect(outputs[2]).toMatch(/^a\.txt,package\.json false\n/);
});

test('the same commands of the build agent do what they say', async () => {
  const { files: left } = await runAs('build', writes.slice(0, 2));
  expect(Object.keys(left).sort()).toEqual(['.env', 'a.txt', 'package.json', 'report.txt', 'x']);
});
