// The one template with a dependency: its first run shows `npm install` at work.
import type { Template } from './template';

/** A small JSON API on Express 5; *Run* installs it first. */
export const express: Template = {
  id: 'express',
  title: 'Express',
  summary: 'A small notes API on Express 5, installed from npm.',
  open: 'server.js',
  files: {
    'server.js': `import express from 'express';

const app = express();
const port = Number(process.env.PORT ?? 3000);
const notes = [{ id: 1, text: 'Change me in server.js' }];

app.use(express.json());
app.use(express.static('public'));

app.get('/api/notes', (request, response) => {
  response.json(notes);
});

app.post('/api/notes', (request, response) => {
  const text = String(request.body?.text ?? '').trim();
  if (text === '') return response.status(400).json({ error: 'A note needs text.' });
  const note = { id: notes.length + 1, text };
  notes.push(note);
  response.status(201).json(note);
});

app.listen(port, () => console.log(\`Listening on http://localhost:\${port}\`));
`,
    'public/index.html': `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Notes</title>
  <link rel="stylesheet" href="style.css">
  <h1>Notes</h1>
  <form>
    <input name="text" aria-label="New note" placeholder="Write a note" required>
    <button>Add</button>
  </form>
  <ul></ul>
  <script type="module" src="notes.js"></script>
</html>
`,
    'public/notes.js': `const list = document.querySelector('ul');
const form = document.querySelector('form');

async function show() {
  const notes = await (await fetch('/api/notes')).json();
  list.replaceChildren(
    ...notes.map((note) => {
      const item = document.createElement('li');
      item.textContent = note.text;
      return item;
    }),
  );
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await fetch('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: form.elements.text.value }),
  });
  form.reset();
  await show();
});

await show();
`,
    'public/style.css': `body {
  font: 18px/1.5 system-ui;
  margin: 10vh auto;
  max-width: 32rem;
  padding: 0 1rem;
}

form {
  display: flex;
  gap: 8px;
}

input {
  flex: 1;
  font: inherit;
  padding: 4px 8px;
}

button {
  font: inherit;
}
`,
    'package.json': `{
  "name": "express-notes",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node server.js",
    "dev": "node --watch server.js"
  },
  "dependencies": {
    "express": "^5.1.0"
  }
}
`,
  },
};
