// The smallest Node project: one file that runs.
import type { Template } from './template';

/** One file, `npm start` runs it. */
export const blank: Template = {
  id: 'node',
  title: 'Blank Node',
  summary: 'One file and a package.json.',
  open: 'index.js',
  files: {
    'index.js': `import { cpus, totalmem } from 'node:os';

console.log(\`Hello from Node \${process.version} in a browser tab.\`);
console.log(\`\${cpus().length} processors, \${Math.round(totalmem() / 2 ** 20)} MB of memory.\`);
`,
    'package.json': `{
  "name": "blank",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node index.js"
  }
}
`,
  },
};
