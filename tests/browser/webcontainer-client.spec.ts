// Other people's programs on our host: what code written for the published WebContainer client does with it, in real Chromium.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { type SandboxBrowser, startSandboxBrowser } from '../sandbox/browser';
import { bundlePublishedClient } from '../sandbox/published-client';

const isBuilt = existsSync(fileURLToPath(new URL('../../public/engine/manifest.json', import.meta.url)));
test.skip(!isBuilt, 'needs the built engine: node engine/build/build.ts');

let sandbox: SandboxBrowser;

test.beforeAll(async () => {
  const client = await bundlePublishedClient();
  sandbox = await startSandboxBrowser({ boot: false });
  await sandbox.page.evaluate(
    (url) => Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: url }),
    sandbox.server.sandboxOrigin,
  );
  await sandbox.page.addScriptTag({ content: client });
  await sandbox.page.addScriptTag({
    content: `
      let container;
      const lines = [];
      /** Runs to the end: [all output, exit code]. */
      async function run(command, args, options) {
        const process = await container.spawn(command, args, options);
        let output = '';
        await process.output.pipeTo(new WritableStream({ write: (piece) => { output += piece; } }));
        return [output, await process.exit];
      }
      const failure = (promise) => promise.then((value) => 'no failure: ' + JSON.stringify(value), (error) => error.code + ' ' + error.message);
    `,
  });
  await sandbox.page.evaluate(
    'api.WebContainer.boot({ coep: "require-corp", workdirName: "app" }).then((made) => { container = made })',
  );
});

test.afterAll(() => sandbox?.close());

/** Evaluates the body of an async function in the page. */
const inPage = (body: string): Promise<unknown> => sandbox.page.evaluate(`(async () => { ${body} })()`);

test('workdir and path', async () => {
  expect(await inPage('return [container.workdir, container.path]')).toEqual([
    '/home/app',
    '/usr/local/bin:/usr/bin:/bin',
  ]);
});

test('a tree is mounted, read, listed and exported again', async () => {
  const exported = await inPage(`
    await container.mount({
      'a.txt': { file: { contents: 'žluť 🐎' } },
      'b.bin': { file: { contents: Uint8Array.from([0, 128, 159, 255]) } },
      src: { directory: { 'index.js': { file: { contents: 'console.log(1)' } } } },
      link: { file: { symlink: 'src/index.js' } },
    });
    const { fs } = container;
    const kinds = (await fs.readdir('/', { withFileTypes: true })).map((entry) => [entry.name, entry.isFile(), entry.isDirectory()]);
    const tree = await container.export('/');
    const zip = await container.export('src', { format: 'zip' });
    const snapshot = await container.export('src', { format: 'binary' });
    await fs.mkdir('copy');
    await container.mount(snapshot, { mountPoint: 'copy' });
    return {
      text: await fs.readFile('/a.txt', 'utf8'),
      bytes: [...await fs.readFile('b.bin')],
      through: await fs.readFile('link', 'utf8'),
      kinds,
      names: Object.keys(tree),
      binary: [...tree['b.bin'].file.contents],
      target: tree.link.file.symlink,
      zip: String.fromCharCode(...zip.slice(0, 2)),
      copied: await fs.readFile('copy/index.js', 'utf8'),
    };
  `);
  expect(exported).toEqual({
    text: 'žluť 🐎',
    bytes: [0, 128, 159, 255],
    through: 'console.log(1)',
    kinds: [
      ['a.txt', true, false],
      ['b.bin', true, false],
      ['link', false, false],
      ['src', false, true],
    ],
    names: ['a.txt', 'b.bin', 'link', 'src'],
    binary: [0, 128, 159, 255],
    target: 'src/index.js',
    zip: 'PK',
    copied: 'console.log(1)',
  });
});

test("files fail as fs.promises does, and errors keep Node's code", async () => {
  expect(
    await inPage(`
      const { fs } = container;
      await fs.mkdir('made/deep', { recursive: true });
      return [
        await failure(fs.readFile('nope')),
        await failure(fs.writeFile('no/parent', 'x')),
        await failure(fs.mkdir('made')),
        await failure(fs.mkdir('x/y')),
        await failure(fs.rm('made')),
        await failure(fs.rm('nope')),
        await failure(fs.rm('nope', { force: true })),
        await failure(fs.rename('made', 'no/made')),
        await failure(fs.rm('made', { recursive: true })),
        await failure(fs.readFile('../../etc/passwd')),
        await failure(fs.stat?.('a') ?? Promise.reject(new Error('there is no stat'))),
      ];
    `),
  ).toEqual([
    expect.stringMatching(/^ENOENT ENOENT: no such file or directory, open '\/home\/app\/nope'/),
    expect.stringMatching(/^ENOENT /),
    expect.stringMatching(/^EEXIST /),
    expect.stringMatching(/^ENOENT /),
    expect.stringMatching(/^ERR_FS_EISDIR /),
    expect.stringMatching(/^ENOENT /),
    'no failure: undefined',
    expect.stringMatching(/^ENOENT /),
    'no failure: undefined',
    expect.stringMatching(/^EACCES /),
    'undefined there is no stat',
  ]);
});

test('watch tells what appears below', async () => {
  expect(
    await inPage(`
      const seen = [];
      await container.fs.mkdir('w/deep', { recursive: true });
      const watcher = container.fs.watch('w', { recursive: true }, (event, name) => seen.push(event + ' ' + name));
      await container.fs.readdir('w');
      await container.fs.writeFile('w/deep/x', '1');
      while (seen.length === 0) await new Promise((done) => setTimeout(done, 20));
      watcher.close();
      return seen[0];
    `),
  ).toBe('rename deep/x');
});

test('processes: a terminal each, environment, directory, input, exit code', async () => {
  expect(
    await inPage(`
      const code = 'console.log([process.stdout.isTTY, process.stdout.columns, process.env.A, process.cwd()].join(" ")); process.exitCode = 3';
      await container.fs.mkdir('src', { recursive: true });
      return run('node', ['-e', code], { env: { A: 1 }, cwd: 'src', terminal: { cols: 120, rows: 30 } });
    `),
  ).toEqual(['true 120 1 /home/app/src\r\n', 3]);
  expect(
    await inPage(`
      const cat = await container.spawn('node', ['-e', 'process.stdin.once("data", (text) => { console.log("got " + text); process.exit(0); })']);
      const keys = cat.input.getWriter();
      await keys.write('ahoj\\r');
      let output = '';
      await cat.output.pipeTo(new WritableStream({ write: (piece) => { output += piece; } }));
      return [output.includes('got ahoj'), await cat.exit];
    `),
  ).toEqual([true, 0]);
});

test('a character is never cut in two between pieces of output', async () => {
  expect(
    await inPage(`
      const [output] = await run('node', ['-e', 'process.stdout.write("x" + "🐎€ž".repeat(60000))']);
      return [output.length, output.includes('\\ufffd')];
    `),
  ).toEqual([1 + 4 * 60_000, false]);
});

test('an unknown command ends with 127; kill ends a busy process', async () => {
  expect(await inPage(`return run('git', ['status'])`)).toEqual(['command not found: git\r\n', 127]);
  expect(
    await inPage(`
      const busy = await container.spawn('node', ['-e', 'console.log("up"); for (;;);']);
      await busy.output.getReader().read();
      busy.kill();
      return busy.exit;
    `),
  ).toBe(137);
});

test('a server is told with its address, and a frame shows it', async () => {
  const url = await inPage(`
    const events = new Promise((resolve) => {
      const seen = [];
      const note = (...what) => { seen.push(what); if (seen.length === 2) resolve(seen); };
      container.on('port', (port, type, url) => note('port', port, type, url));
      container.on('server-ready', (port, url) => note('server-ready', port, url));
    });
    const code = 'require("http").createServer((q, s) => { s.setHeader("content-type", "text/html"); s.end("<h1>hello from " + q.url + "</h1>"); }).listen(4321)';
    globalThis.server = await container.spawn('node', ['-e', code]);
    const seen = await events;
    const ready = seen.find(([kind]) => kind === 'server-ready');
    const open = seen.find(([kind]) => kind === 'port');
    if (open[2] !== 'open' || open[3] !== ready[2]) throw new Error(JSON.stringify(seen));
    const frame = document.createElement('iframe');
    frame.id = 'preview';
    frame.allow = 'cross-origin-isolated';
    frame.src = ready[2] + 'page';
    document.body.append(frame);
    return ready[2];
  `);
  expect(url).toMatch(/^http:\/\/p-[0-9a-f]{32}-4321\.cloche\.localhost:\d+\/$/);
  await expect(sandbox.page.frameLocator('#preview').locator('h1')).toHaveText('hello from /page', { timeout: 30_000 });
  expect(
    await inPage(`
      const closed = new Promise((resolve) => container.on('port', (port, type) => type === 'close' && resolve(port)));
      server.kill();
      return closed;
    `),
  ).toBe(4321);
});

test('what the host does not have is refused by name', async () => {
  expect(
    await inPage(`
      return [
        await failure(container.setPreviewScript('alert(1)')),
        await failure(container.export('src', { excludes: ['*.map'] })),
        await failure(container.mount(Uint8Array.from([1, 2, 3]))),
        await failure(container.mount({ a: { file: { contents: '' } } }, { mountPoint: 'not/there' })),
      ];
    `),
  ).toEqual([
    expect.stringContaining('has no preview scripts'),
    expect.stringContaining('has no globs for exports'),
    expect.stringContaining('not snapshots of @webcontainer/snapshot'),
    expect.stringMatching(/^ENOENT /),
  ]);
});

test('after teardown a new container boots, empty', async () => {
  expect(
    await inPage(`
      container.teardown();
      container = await api.WebContainer.boot({ coep: 'require-corp' });
      return [container.workdir, await container.fs.readdir('/')];
    `),
  ).toEqual(['/home/project', []]);
});
