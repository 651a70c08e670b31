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
