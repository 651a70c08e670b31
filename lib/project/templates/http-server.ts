// A server on node:http alone: what a person needs to see the preview work without installing anything.
import type { Template } from './template';

/** Listens on port 3000 (or `PORT`); has a page and a JSON route. */
export const httpServer: Template = {
  id: 'http-server',
  title: 'HTTP server',
  summary: 'A page and a JSON route on node:http, nothing to install.',
  open: 'server.js',
  files: {
    'server.js': `import { createServer } from 'node:http';

const port = Number(process.env.PORT ?? 3000);
let visits = 0;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');

  if (pathname === '/api/time') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ time: new Date().toISOString(), visits }));
    return;
  }

  if (pathname !== '/') {
    response.statusCode = 404;
    response.end(\`Nothing at \${pathname}\\n\`);
    return;
  }

  visits += 1;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page());
});

server.listen(port, () => console.log(\`Listening on http://localhost:\${port}\`));

function page() {
  return \`<!doctype html>
<html lang="en">
  <meta name="viewport" content="width=device-width">
  <title>It runs</title>
  <style>
    :root { color-scheme: light dark; font: 18px/1.5 system-ui; }
    body { margin: 15vh auto; max-width: 32rem; padding: 0 1rem; }
    code { background: #8882; border-radius: 4px; padding: 2px 6px; }
  </style>
  <h1>It runs</h1>
  <p>This page was shown \${visits} time\${visits === 1 ? '' : 's'}. It comes from <code>server.js</code>.</p>
  <p>The server's clock says <strong id="time">…</strong></p>
  <script type="module">
    const answer = await (await fetch('/api/time')).json();
    document.querySelector('#time').textContent = new Date(answer.time).toLocaleTimeString();
  </script>
</html>\`;
}
`,
    'package.json': `{
  "name": "http-server",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node server.js",
    "dev": "node --watch server.js"
  }
}
`,
  },
};
