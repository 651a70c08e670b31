// Runs a script in the pinned real Node and returns its answer: the truth that binding tests compare with.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const NODE = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

const PRELUDE = `
const { internalBinding } = require('internal/test/binding');
const v8 = require('v8'), fs = require('fs');
const attempt = (run) => {
  try { return { value: run() }; }
  catch (error) { return { error: { name: error?.name, code: error?.code, message: error?.message } }; }
};
const input = v8.deserialize(fs.readFileSync(process.argv[2]));
`;

/** What a call did: its value, or how it failed. */
export interface Outcome {
  value?: unknown;
  error?: { name?: string; code?: string; message?: string };
}

/** `run`'s outcome, in the same form as \`attempt\` gives in native scripts. */
export function attempt(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    return { error: { name, code, message } };
  }
}

/**
 * Runs `body` (CommonJS, in one spawn) in Node 24 with \`internalBinding\`, \`attempt\` and \`input\` in scope and returns what it gives
 * to \`answer\`; values cross in V8's serialisation, so typed arrays, BigInt and undefined survive.
 */
export function runNative<T>(body: string, input: unknown = null): T {
  const folder = mkdtempSync(join(tmpdir(), 'cloche-native-'));
  try {
    const [script, given, out] = ['script.cjs', 'input', 'output'].map((name) => join(folder, name));
    writeFileSync(given, v8.serialize(input));
    writeFileSync(
      script,
      `${PRELUDE}const answer = (value) => fs.writeFileSync(process.argv[3], v8.serialize(value));\n${body}`,
    );
    execFileSync(NODE, ['--expose-internals', '--no-warnings', script, given, out], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 15_000,
    });
    return v8.deserialize(execFileSync('cat', [out], { maxBuffer: 1 << 28 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
