// What a person has made is there again, however the tab ended: bytes, modes and links, typed or written by a program.
import { type Page, test } from '@playwright/test';
import { expect, expectEditor, patienceMs, replaceEditorText, startProject, untilReady, untilSaved } from './ide';
import { shell } from './terminal';

test.setTimeout(6 * patienceMs);

/** The tab dies at once: no event of the page runs. */
async function kill(page: Page): Promise<string> {
  const url = page.url();
  const client = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  client.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
  return url;
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilReady(page);
}

/** Checksums of everything below the project and the home, but for the shell's own history: contents; types, modes, names and link targets. */
const PICTURE =
  "find . ~ -type f ! -name '*history*' -exec sha256sum {} + | sort -k2 | sha256sum; find . ~ ! -name '*history*' -exec stat -c '%A %n %N' {} + | sort | sha256sum";

test('a killed tab comes back with the same bytes, modes and links', async ({ page, context }) => {
  await startProject(page, 'Blank Node');
  await replaceEditorText(page, "console.log('typed');\n");
  await untilSaved(page);
  await shell(
    page,
    "printf '#!/bin/sh\\necho ran\\n' > run.sh; chmod 750 run.sh; ln -s run.sh link; ln run.sh hard; mkdir -p empty/deep; echo 'a=1' > ~/.npmrc",
  );
  await shell(
    page,
    'for p in $(seq 1 40); do mkdir -p node_modules/p$p/lib node_modules/.bin; for f in 1 2 3 4 5; do echo "$p $f" > node_modules/p$p/lib/$f.js; done; ln -s ../p$p/lib/1.js node_modules/.bin/p$p; done; chmod +x node_modules/*/lib/1.js',
  );
  await shell(page, 'mkdir -p ~/.npm/_cacache; echo x > ~/.npm/_cacache/x; touch /tmp/gone');
  await shell(page, 'rm ~/.npm/_cacache/x; rmdir ~/.npm/_cacache');
  const before = (await shell(page, PICTURE)).output;
  await untilSaved(page);
  const url = await kill(page);

  const again = await context.newPage();
  await open(again, url);
  expect((await shell(again, PICTURE)).output).toBe(before);
  expect((await shell(again, "stat -c '%a %h' run.sh; readlink link; ./link; ls /tmp/gone")).output).toMatch(
    /^750 2\nrun\.sh\nran\nls: /,
  );
  expect((await shell(again, 'find node_modules -type f | wc -l; find node_modules -type l | wc -l')).output).toMatch(
    /200\s+40/,
  );
  await expectEditor(again, "console.log('typed');");
});

/** Sizes of the project files that this browser keeps, by name. */
function projectFiles(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('projects', { create: true });
    const sizes: Record<string, number> = {};
    for await (const [name, handle] of folder.entries()) {
      // It may be removed while we look.
      const file = await (handle as FileSystemFileHandle).getFile().catch(() => undefined);
      if (file) sizes[name] = file.size;
    }
    return sizes;
  });
}

const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1)!;

test('a project of an earlier version, files and packages in the database, comes in once', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Your projects' }).waitFor();
  await page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('cloche-projects', 1);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const text = (value: string) => new TextEncoder().encode(value);
    const index = text(
      JSON.stringify([
        ['d', '.bin', 493],
        ['d', 'x', 493],
        ['f', 'x/run.js', 493, 1000, 15],
        ['l', '.bin/x', '../x/run.js'],
      ]),
    );
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, index.length, true);
    const bytes = new Uint8Array([...text('CLSNAP1\n'), ...size, ...index, ...text('console.log(42)')]);
    const project = 'aaaabbbbccccdddd';
    const tx = opened.transaction(['projects', 'files', 'packages'], 'readwrite');
    const now = Date.now();
    tx.objectStore('projects').put({
      id: project,
      name: 'old one',
      template: 'node',
      createdAtMs: now,
      openedAtMs: now,
      sizeBytes: 3,
    });
    tx.objectStore('files').put({ project, path: 'src/old.txt', kind: 'file', contents: text('old') });
    tx.objectStore('files').put({ project, path: 'hollow', kind: 'directory', contents: new Uint8Array(0) });
    tx.objectStore('packages').put({ project, bytes });
    await new Promise((resolve) => {
      tx.oncomplete = resolve;
    });
    opened.close();
  });
  await open(page, '/p/aaaabbbbccccdddd');
  expect(
    (
      await shell(
        page,
        'cat src/old.txt; echo; ls -d hollow; node node_modules/.bin/x; stat -c %a node_modules/x/run.js',
      )
    ).output,
  ).toBe('old\nhollow\n42\n755');
  await shell(page, 'echo new > src/old.txt; rmdir hollow');
  await untilSaved(page);
  await open(page, '/p/aaaabbbbccccdddd');
  expect((await shell(page, 'cat src/old.txt; ls; node node_modules/.bin/x')).output).toMatch(
    /^new\n\s*node_modules\s+src\s+42$/,
  );
});

test('a copy has everything; a deleted project is gone for good only after the time to undo', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'printf x > made; chmod 700 made; ln -s made link; mkdir node_modules; echo 1 > node_modules/one');
  await untilSaved(page);
  const id = idOf(page);
  await page.goto('/');
  await page.getByRole('button', { name: 'Duplicate Blank Node' }).click();
  await page.getByRole('link', { name: 'Blank Node copy' }).click();
  await untilReady(page);
  expect((await shell(page, 'stat -c %a made; readlink link; cat node_modules/one index.js | wc -l')).output).toMatch(
    /^700\nmade\n\s*[1-9]/,
  );
  const copy = idOf(page);

  await page.goto('/');
  await page.getByRole('button', { name: 'Delete Blank Node copy' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: 'Blank Node copy' })).toBeVisible();
  expect(Object.keys(await projectFiles(page)).sort()).toEqual([`${copy}.pack`, `${id}.pack`].sort());
  await page.getByRole('button', { name: 'Delete Blank Node copy' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => Object.keys(await projectFiles(page))).toEqual([`${id}.pack`]);
});

test('a damaged project opens up to the damage, says so, and the damaged file is kept', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'echo before > before.txt; sleep 0.5');
  await untilSaved(page);
  const name = `${idOf(page)}.pack`;
  const url = page.url();
  const safe = (await projectFiles(page))[name];
  await shell(
    page,
    'echo after > after.txt; sleep 0.5; echo later > later.txt; sleep 0.5; echo last > last.txt; sleep 0.5',
  );
  await untilSaved(page);
  await page.goto('/');
  await page.evaluate(
    async ([file, at]) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('projects');
      const handle = await folder.getFileHandle(file);
      const bytes = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      bytes[at + 30] ^= 1;
      const writable = await handle.createWritable();
      await writable.write(bytes);
      await writable.close();
    },
    [name, safe] as const,
  );
  await open(page, url);
  await expect(page.getByRole('alert').filter({ hasText: 'was damaged' })).toContainText('kept as');
  expect((await shell(page, 'cat before.txt; ls last.txt')).output).toMatch(/^before\nls: /);
  expect(Object.keys(await projectFiles(page)).some((other) => other.includes('.damaged-'))).toBe(true);
});

test('a full disk is said with what to do, and over when there is room again', async ({ page }) => {
  await startProject(page, 'Blank Node');
  await untilSaved(page);
  const client = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 2_000_000 });
  await shell(page, 'head -c 8000000 /dev/urandom > large');
  const notice = page.getByRole('alert').filter({ hasText: 'no room left' });
  await expect(notice.getByRole('button', { name: 'Download as a zip' })).toBeVisible();
  await expect(page.locator('.status-bar').getByText('not saved', { exact: true })).toBeVisible();
  await client.send('Storage.overrideQuotaForOrigin', { origin });
  await untilSaved(page);
  await expect(notice).toHaveCount(0);
  const sum = (await shell(page, 'sha256sum large')).output;
  const again = await page.context().newPage();
  const url = await kill(page);
  await open(again, url);
  expect((await shell(again, 'sha256sum large')).output).toBe(sum);
});

test('where the browser keeps nothing, the project works and the status bar says that it ends with the tab', async ({
  page,
}) => {
  await page.addInitScript(() => {
    StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('It is denied.', 'SecurityError'));
  });
  await startProject(page, 'Blank Node');
  await expect(page.locator('.status-bar').getByText('not kept after this tab')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'can’t keep files' })).toBeVisible();
  expect((await shell(page, 'echo works > x; cat x')).output).toBe('works');
});

test('a second tab takes the project over with everything that the first one wrote', async ({ page, context }) => {
  await startProject(page, 'Blank Node');
  await shell(page, 'echo first > first.txt');
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Use it here' }).click();
  await untilReady(second);
  expect((await shell(second, 'cat first.txt')).output).toBe('first');
  await expect(page.getByText('went on in another tab')).toBeVisible();
});
