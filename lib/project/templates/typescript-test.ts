// TypeScript that Node runs as it is, with node:test. One of its tests fails on purpose: the first thing to mend, by hand or by the agent.
import type { Template } from './template';

/** `npm test` runs four tests; one fails because of a real bug in `src/duration.ts`. */
export const typescriptTest: Template = {
  id: 'typescript',
  title: 'TypeScript with tests',
  summary: 'Types, node:test and one failing test to fix.',
  open: 'src/duration.ts',
  files: {
    'src/duration.ts': `const units = { d: 86_400, h: 3_600, m: 60, s: 1 } as const;

type Unit = keyof typeof units;

/** Seconds in a text such as \`1h 30m\`. Throws a RangeError on anything else. */
export function parseDuration(text: string): number {
  const parts = text.trim().split(/\\s+/);
  let seconds = 0;
  for (const part of parts) {
    const match = /^(\\d+)([dhms])$/.exec(part);
    if (match === null) throw new RangeError(\`Not a duration: \${JSON.stringify(text)}\`);
    seconds += Number(match[1]) * units[match[2] as Unit];
  }
  return seconds;
}

/** The shortest text that \`parseDuration\` reads back: \`5400\` is \`1h 30m\`. */
export function formatDuration(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of Object.entries(units)) {
    const count = Math.floor(rest / size);
    if (count > 1) parts.push(\`\${count}\${unit}\`);
    rest -= count * size;
  }
  return parts.join(' ') || '0s';
}
`,
    'src/duration.test.ts': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration, parseDuration } from './duration.ts';

test('reads hours and minutes', () => {
  assert.equal(parseDuration('1h 30m'), 5400);
});

test('refuses what is not a duration', () => {
  assert.throws(() => parseDuration('soon'), RangeError);
});

test('writes nothing as 0s', () => {
  assert.equal(formatDuration(0), '0s');
});

test('writes what it can read back', () => {
  assert.equal(formatDuration(5400), '1h 30m');
});
`,
    'src/main.ts': `import { formatDuration, parseDuration } from './duration.ts';

const text = process.argv[2] ?? '2h 15m';
const seconds = parseDuration(text);
console.log(\`\${text} is \${seconds} seconds; back again: \${formatDuration(seconds)}\`);
`,
    'tsconfig.json': `{
  "compilerOptions": {
    "target": "ES2024",
    "module": "NodeNext",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true
  }
}
`,
    'package.json': `{
  "name": "typescript-with-tests",
  "private": true,
  "type": "module",
  "scripts": {
    "start": "node src/main.ts",
    "test": "node --test"
  }
}
`,
  },
};
