// A page without a build step. Its server is forty lines that the person can read, not a package.
import type { Template } from './template';

/** HTML, CSS and a script, served from the project's folder by `serve.js` on port 3000. */
export const webPage: Template = {
  id: 'web-page',
  title: 'Web page',
  summary: 'HTML, CSS and a script. The page reloads when you save.',
  open: 'index.html',
  files: {
    'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>A web page</title>
    <link rel="stylesheet" href="style.css">
    <script type="module" src="script.js"></script>
  </head>
  <body>
    <main>
      <h1>A web page</h1>
      <p>Change me in <code>index.html</code>.</p>
      <button type="button">Clicked <output>0</output> times</button>
    </main>
  </body>
</html>
`,
    'style.css': `:root {
  color-scheme: light dark;
  font: 18px/1.5 system-ui;
}

main {
  margin: 15vh auto;
  max-width: 32rem;
  padding: 0 1rem;
}

button {
  font: inherit;
  padding: 4px 12px;
}
`,
    'script.js': `const output = document.querySelector('output');
let clicks = 0;

document.querySelector('button').addEventListener('click', () => {
  clicks += 1;
  output.textContent = clicks;
});

// serve.js tells when a file was saved.
new EventSource('/changes').addEventListener('message', () => location.reload());
`,
    'serve.js': `// Serves this folder and tells open pages when a file changes.
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const root = process.cwd();
const port = Number(process.env.PORT ?? 3000);
const pages = new Set();

const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));

  if (path === '/changes') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': hello\\n\\n');
    pages.add(response);
    request.on('close', () => pages.delete(response));
    return;
  }

  const file = join(root, path.endsWith('/') ? join(path, 'index.html') : path);
  try {
    const contents = await readFile(file);
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(contents);
  } catch {
    response.writeHead(404, { 'content-type': 'text/plain' });
    response.end(\`Nothing at \${path}\\n\`);
  }
});

let waiting;
watch(root, () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    for (const page of pages) page.write('data: changed\\n\\n');
  }, 50);
});

server.listen(port, () => console.log(\`Listening on http://localhost:\${port}\`));
`,
    'package.json': `{
  "name": "web-page",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node serve.js"
  }
}
`,
  },
};
