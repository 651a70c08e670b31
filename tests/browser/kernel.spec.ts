// Facts about the kernel in real Chromium, with a process worker that is tiny on purpose: life, death, streams, terminals, files, search.
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { buildTinyEngine } from './tiny-engine';

let sandbox: SandboxBrowser;
const run = (args: string[], options = {}) => sandbox.run('node', args, options);

test.beforeAll(async () => {
  sandbox = await startSandboxBrowser({ assets: await buildTinyEngine() });
});

test.afterAll(() => sandbox?.close());

/** Runs in the page with the engine; `text` collects an output as it comes. */
async function inPage<Result>(script: string): Promise<Result> {
  return sandbox.page.evaluate(`(async () => {
    const engine = window.cloche.engine;
    const spawn = (args, terminal) => engine.spawn({ command: 'node', args, cwd: '/home/project', env: {}, terminal });
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const collect = (stream) => {
      const state = { text: '', done: false };
      (async () => {
        const decoder = new TextDecoder();
        for await (const chunk of stream) state.text += decoder.decode(chunk, { stream: true });
        state.done = true;
      })();
      return state;
    };
    const until = async (test, ms = 5000) => {
      for (const end = performance.now() + ms; !(await test()); ) {
        if (performance.now() > end) throw new Error('waited too long for ' + test);
        await sleep(5);
      }
    };
    ${script}
  })()`);
}

test('output, errors and the exit code come apart', async () => {
  const result = await run(['say', 'ů', '7']);
  expect([result.stdout.toString(), result.stderr.toString(), result.code]).toEqual(['ů', 'err:ů', 7]);
});

test('a megabyte goes in and comes out unchanged', async () => {
  const text = 'abcdefghijklmnop'.repeat(65536);
  const result = await run(['cat'], { stdin: text });
  expect(result.stdout.toString() === text).toBe(true);
});

test('SIGKILL and SIGTERM end an endless loop, and the number of processes falls back to none', async () => {
  const ends = await inPage(`
    const ends = [];
    for (const signal of ['SIGKILL', 'SIGTERM']) {
      const child = await spawn(['loop']);
      const out = collect(child.output);
      await until(() => out.text === 'up');
      const started = performance.now();
      child.kill(signal);
      ends.push(await child.exit, performance.now() - started < 1500, out.text);
    }
    await until(async () => (await engine.processes()).length === 0);
    return ends;`);
  expect(ends).toEqual([
    { kind: 'signalled', signal: 'SIGKILL' },
    true,
    'up',
    { kind: 'signalled', signal: 'SIGTERM' },
    true,
    'up',
  ]);
});

test('a process that is killed inside the tree does not take the tree with it', async () => {
  for (let round = 0; round < 3; round++) {
    const usage = await inPage<{ isFine: boolean; text: string }>(`
      const child = await spawn(['churn']);
      const out = collect(child.output);
      await until(() => out.text === 'up');
      await sleep(30);
      child.kill('SIGKILL');
      await child.exit;
      await engine.write('/home/project/after.txt', new TextEncoder().encode('still here'));
      const names = (await engine.list('/tmp')).map((entry) => entry.name);
      await sleep(2500);
      const later = (await engine.list('/tmp')).map((entry) => entry.name);
      const text = new TextDecoder().decode(await engine.read('/home/project/after.txt'));
      return { text, isFine: JSON.stringify(names) === JSON.stringify(later) };`);
    expect(usage).toEqual({ text: 'still here', isFine: true });
  }
});

test('a page that does not read stops the writer, and reading lets it go on', async () => {
  const result = await inPage<{ before: number; same: boolean; total: number }>(`
    const child = await spawn(['flood', String(8 << 20)]);
    const written = async () => Number(new TextDecoder().decode(await engine.read('/tmp/flood')));
    await sleep(400);
    const before = await written();
    await sleep(300);
    const same = before === (await written());
    let total = 0;
    for await (const chunk of child.output) total += chunk.length;
    return { before, same, total };`);
  expect(result.same).toBe(true);
  expect(result.before).toBeLessThan(1 << 20);
  expect(result.total).toBe(8 << 20);
});

test('cancelling an output does not stop the process', async () => {
  const end = await inPage(`
    const child = await spawn(['flood', String(4 << 20)]);
    await child.output.cancel();
    return child.exit;`);
  expect(end).toEqual({ kind: 'exited', code: 0 });
});

test('input to a process that has gone is refused', async () => {
  const code = await inPage(`
    const child = await spawn(['say', 'x']);
    await child.exit;
    await sleep(50);
    const writer = child.input.getWriter();
    try {
      for (let i = 0; i < 20; i++) await writer.write(new Uint8Array(65536));
    } catch (error) { return error.code; }`);
  expect(code).toBe('EPIPE');
});

test('Ctrl-C in a terminal ends what does not handle it and reaches what does', async () => {
  const result = await inPage(`
    const loop = await spawn(['loop'], { columns: 80, rows: 24 });
    const loopOut = collect(loop.output);
    await until(() => loopOut.text === 'up');
    const keys = loop.input.getWriter();
    await keys.write(new Uint8Array([3]));
    const end = await loop.exit;
    await until(() => loopOut.done);
    const handles = await spawn(['handles'], { columns: 80, rows: 24 });
    const out = collect(handles.output);
    await until(() => out.text === 'up');
    await handles.input.getWriter().write(new Uint8Array([3]));
    await until(() => out.text.includes('<2>'));
    handles.resize(100, 30);
    await until(() => out.text.includes('<28>'));
    handles.kill('SIGTERM');
    return { end, loop: loopOut.text, handles: out.text, handlesEnd: await handles.exit };`);
  expect(result).toEqual({
    end: { kind: 'signalled', signal: 'SIGINT' },
    loop: 'up^C',
    handles: 'up^C<2><28>',
    handlesEnd: { kind: 'signalled', signal: 'SIGTERM' },
  });
});

test('a terminal echoes lines, turns newlines into CR NL, and ^D ends the input', async () => {
  const text = await inPage(`
    const child = await spawn(['cat'], { columns: 80, rows: 24 });
    const out = collect(child.output);
    const keys = child.input.getWriter();
    await keys.write(new TextEncoder().encode('hi\\r'));
    await until(() => out.text.split('hi').length === 3);
    await keys.write(new Uint8Array([4]));
    await child.exit;
    await until(() => out.done);
    return out.text;`);
  expect(text).toBe('hi\r\nhi\r\n');
});

test('raw mode passes keys at once, ^C too', async () => {
  const text = await inPage(`
    const child = await spawn(['raw'], { columns: 91, rows: 17 });
    const out = collect(child.output);
    await until(() => out.text.startsWith('up'));
    const keys = child.input.getWriter();
    await keys.write(new Uint8Array([3]));
    await until(() => out.text.includes('[3]'));
    await keys.write(new Uint8Array([113]));
    await child.exit;
    await until(() => out.done);
    return out.text;`);
  expect(text).toBe('up 91x17 [3][113]');
});

test('children inherit streams, and parents hear of their end, also while blocked', async () => {
  const asynchronous = await run(['parent', 'say', 'child', '5']);
  expect(asynchronous.stdout.toString()).toMatch(/^child\|child true 5 0$/);
  const synchronous = await run(['parentSync', 'say', 'child', '6']);
  expect(synchronous.stdout.toString()).toBe('child|sync 6');
});

test('an orphan lives on below pid 1, can be killed by another process, and is freed', async () => {
  const orphan = await run(['orphan']);
  const pid = Number(orphan.stderr.toString());
  const before = await inPage<{ pid: number; ppid: number }[]>('return engine.processes();');
  expect(before.find((process) => process.pid === pid)?.ppid).toBe(1);
  await run(['killer', String(pid), '15']);
  await expect.poll(() => inPage('return (await engine.processes()).length;')).toBe(0);
});

test('exec replaces the program under the same pid and streams', async () => {
  const result = await run(['replace', 'say', 'after', '4']);
  expect([result.stdout.toString(), result.code]).toEqual(['after', 4]);
});

test('a crash of the worker is told as one, and the next process runs', async () => {
  const result = await run(['crash']);
  expect(result.end).toEqual({ kind: 'crashed', message: expect.stringContaining('on purpose') });
  expect(result.stderr.toString()).toContain('on purpose');
  expect((await run(['say', 'x'])).code).toBe(0);
});

test('what cannot run is refused with its code', async () => {
  const codes = await inPage(`
    const codeOf = (promise) => promise.then(() => 'ran', (error) => error.code);
    const spawnFile = (command, cwd = '/') => codeOf(engine.spawn({ command, args: [], cwd, env: {} }));
    await engine.write('/tmp/plain', new TextEncoder().encode('hello'));
    await engine.write('/tmp/elf', new TextEncoder().encode('\\x7fELF'));
    await engine.write('/tmp/script', new TextEncoder().encode('#!/nope/interpreter\\n'));
    for (const name of ['elf', 'script']) await engine.setMode('/tmp/' + name, 0o755);
    return [
      await spawnFile('nope'),
      await spawnFile('/tmp/plain'),
      await spawnFile('/tmp/elf'),
      await spawnFile('/tmp/script'),
      await spawnFile('node', '/nope'),
      await spawnFile('node', '/tmp/plain'),
    ];`);
  expect(codes).toEqual(['ENOENT', 'EACCES', 'ENOEXEC', 'ENOENT', 'ENOENT', 'ENOTDIR']);
});

test('scripts run through their #! line, with env too', async () => {
  const outputs = await inPage(`
    const outputs = [];
    for (const line of ['#!/usr/local/bin/node', '#!/usr/bin/env node', '#!/usr/bin/env -S node']) {
      await engine.write('/home/project/say', new TextEncoder().encode(line + '\\nsetTimeout(() => {}, 60_000)\\n'));
      await engine.setMode('/home/project/say', 0o755);
      const child = await engine.spawn({ command: './say', args: [], cwd: '/home/project', env: { PATH: '/usr/local/bin' } });
      const listed = await engine.processes();
      const found = listed.find((process) => process.pid === child.pid);
      outputs.push(found?.command ?? { listed, pid: child.pid, end: await child.exit, said: await new Response(child.stderr).text() });
      child.kill('SIGKILL');
      await child.exit;
    }
    return outputs;`);
  expect(outputs).toEqual([
    '/usr/local/bin/node /home/project/./say',
    'node /home/project/./say',
    'node /home/project/./say',
  ]);
});

test('files: the calls of the page, with codes', async () => {
  const result = await inPage<unknown[]>(`
    const bytes = (text) => new TextEncoder().encode(text);
    const codeOf = (promise) => promise.then(() => 'done', (error) => error.code);
    await engine.write('/home/project/f/a/1.txt', bytes('one'));
    await engine.copy('/home/project/f', '/home/project/g');
    await engine.move('/home/project/f/a/1.txt', '/home/project/moved/here.txt');
    await engine.setMode('/home/project/g/a/1.txt', 0o755);
    const stat = await engine.stat('/home/project/g/a/1.txt');
    const snapshot = await engine.snapshot('/home/project/g');
    await engine.makeDirectory('/home/project/h');
    await engine.mount(snapshot, '/home/project/h');
    const results = [
      stat.kind, stat.size, stat.mode.toString(8),
      (await engine.list('/home/project/h')).map((entry) => entry.kind + entry.name).join(),
      (await engine.stat('/home/project/h/a/1.txt')).mode.toString(8),
      await engine.realpath('/home/project/g/../g/a'),
      await engine.exists('/home/project/f/a/1.txt'),
      await codeOf(engine.read('/home/project/g')),
      await codeOf(engine.copy('/home/project/g', '/home/project/g/inside')),
      await codeOf(engine.read('relative')),
      await codeOf(engine.write('/dev', bytes('x'))),
      await codeOf(engine.mount(new Uint8Array(100), '/')),
    ];
    for (const name of ['f', 'g', 'h', 'moved']) await engine.remove('/home/project/' + name);
    results.push(await codeOf(engine.remove('/home/project/g')));
    return results;`);
  expect(result).toEqual([
    'file',
    3,
    '755',
    'directorya',
    '755',
    '/home/project/g/a',
    false,
    'EISDIR',
    'EINVAL',
    'EINVAL',
    'EISDIR',
    'EIO',
    'ENOENT',
  ]);
});

test('changes are told to the page and to processes', async () => {
  const result = await inPage<{ page: string[]; process: string }>(`
    await engine.makeDirectory('/home/project/w/sub');
    const seen = [];
    const stop = await engine.watch('/home/project/w', (changes) => {
      for (const { kind, path } of changes) seen.push(kind + ' ' + path);
    });
    const child = await spawn(['watch', '/home/project/w']);
    const out = collect(child.output);
    await until(() => out.text.includes('up'));
    await sleep(50);
    await engine.write('/home/project/w/sub/new.txt', new TextEncoder().encode('1'));
    await sleep(150);
    await engine.write('/home/project/w/sub/new.txt', new TextEncoder().encode('2'));
    await engine.write('/home/project/elsewhere', new Uint8Array(1));
    await sleep(150);
    await engine.remove('/home/project/w/sub/new.txt');
    await sleep(150);
    stop();
    await engine.write('/home/project/w/late', new Uint8Array(1));
    await sleep(150);
    child.kill('SIGKILL');
    await engine.remove('/home/project/w');
    return { page: seen, process: out.text };`);
  expect(result.page[0]).toBe('created /home/project/w/sub/new.txt');
  expect(result.page).toContain('changed /home/project/w/sub/new.txt');
  expect(result.page).toContain('deleted /home/project/w/sub/new.txt');
  expect(result.page.join()).not.toMatch(/elsewhere|late/);
  expect(result.process).toMatch(/rename:sub\/new\.txt;.*change:sub\/new\.txt;/);
});

test('search finds text, respects .gitignore, and can be cancelled in a catastrophic pattern', async () => {
  const result = await inPage<any>(`
    const write = (path, text) => engine.write('/home/project/s/' + path, new TextEncoder().encode(text));
    await write('.gitignore', 'ignored/\\n*.log\\n');
    await write('a.ts', 'one needle\\r\\ntwo\\nneedle needle\\n');
    await write('ignored/b.ts', 'needle');
    await write('c.log', 'needle');
    await write('binary', 'needle\\0');
    await write('evil.txt', 'a'.repeat(40) + 'b');
    const search = { path: '/home/project/s', pattern: { source: 'needle', flags: 'g' }, multiline: false, respectIgnore: true, maxResults: 100 };
    const text = await engine.searchText(search);
    const all = await engine.searchText({ ...search, respectIgnore: false });
    const few = await engine.searchText({ ...search, maxResults: 2 });
    const files = await engine.searchFiles({ path: '/home/project/s', include: { source: '\\\\.ts$', flags: '' }, respectIgnore: false, maxResults: 10 });
    const abort = new AbortController();
    const hung = engine.searchText({ ...search, pattern: { source: '(a+)+$', flags: 'g' } }, abort.signal).catch((error) => error.code);
    await sleep(200);
    const duringHang = await engine.exists('/home/project/s/a.ts');
    abort.abort();
    const outcome = await hung;
    const again = (await engine.searchText(search)).matches.length;
    const bad = await engine.searchText({ ...search, pattern: { source: '(', flags: 'g' } }).catch((error) => error.code);
    await engine.remove('/home/project/s');
    return { text, all: all.matches.length, few, files, duringHang, outcome, again, bad };`);
  expect(result.text.matches).toEqual([
    { path: '/home/project/s/a.ts', line: 1, column: 5, length: 6, text: 'one needle' },
    { path: '/home/project/s/a.ts', line: 3, column: 1, length: 6, text: 'needle needle' },
    { path: '/home/project/s/a.ts', line: 3, column: 8, length: 6, text: 'needle needle' },
  ]);
  expect(result).toMatchObject({
    all: 5,
    few: { truncated: true },
    duringHang: true,
    outcome: 'ECANCELED',
    again: 3,
    bad: 'EINVAL',
  });
  expect(result.few.matches.length).toBe(2);
  expect(result.files.paths).toEqual(['/home/project/s/a.ts', '/home/project/s/ignored/b.ts']);
});

test('a hundred short processes leave nothing behind', async () => {
  const result = await inPage<{ sum: number; left: number; inodes: number }>(`
    const before = (await engine.usage()).inodes;
    let sum = 0;
    for (let i = 0; i < 10; i++) {
      const children = await Promise.all(Array.from({ length: 10 }, (_, n) => spawn(['say', 'x', String(n)])));
      for (const child of children) sum += (await child.exit).code;
    }
    await sleep(50);
    const usage = await engine.usage();
    return { sum, left: usage.processes, inodes: usage.inodes - before };`);
  expect(result).toEqual({ sum: 450, left: 0, inodes: 0 });
});
