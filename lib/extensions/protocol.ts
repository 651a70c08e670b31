// What the page and the program in the sandbox say to each other: one JSON object per line. The page's go to standard input; the program's come
// back on standard output behind a key that only the two know, so that nothing else that prints there can pass for an answer.

/** Both sides must be of the same build. */
export const protocolVersion = 1;

/** A tool as its file declares it. */
export interface DeclaredTool {
  /** The export, named as OpenCode names it. */
  id: string;
  description: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
}

/** Why an export that looks like a tool is none. */
export interface RefusedTool {
  id: string;
  why: string;
}

/** What a file turned out to be. */
export interface Loaded {
  tools: DeclaredTool[];
  refused: RefusedTool[];
  /** Names of the hooks that are called. */
  hooks: string[];
  /** Names of hooks and members that OpenCode knows and Cloche does not. */
  unsupported: string[];
  /** What its `config` hook changed in the configuration, when it has one. */
  config?: Record<string, unknown>;
}

/** Which conversation a call belongs to. */
export interface CallOrigin {
  sessionID: string;
  messageID: string;
  agent: string;
  callID: string;
}

/** From the page. `id`s are the page's. */
export type ToProgram =
  | {
      type: 'load';
      key: string;
      kind: 'tool' | 'plugin';
      workdir: string;
      /** Absolute, or the name of a package. */
      target: string;
      /** What the person said yes to; the program runs nothing else for `target`. Absent for packages. */
      text?: string;
      /** The project's configuration, for `config` hooks. */
      config: Record<string, unknown>;
    }
  | { type: 'call'; id: number; tool: string; args: unknown; origin: CallOrigin }
  | { type: 'hook'; id: number; name: string; input: unknown; output: unknown }
  | { type: 'abort'; id: number }
  | { type: 'answer'; askId: number; allowed: boolean; message?: string }
  | { type: 'end' };

/** What a tool asks the person through its context; what it says is judged by the page. */
export interface ForeignAsk {
  permission?: unknown;
  patterns?: unknown;
  title?: unknown;
  metadata?: unknown;
}

/** From the program. */
export type FromProgram =
  | ({ type: 'loaded'; version: number } & Loaded)
  /** The file can't be used. */
  | { type: 'broken'; message: string }
  | { type: 'result'; id: number; value: unknown }
  | { type: 'failed'; id: number; message: string }
  | { type: 'update'; id: number; title?: string; metadata?: Record<string, unknown> }
  | { type: 'ask'; id: number; askId: number; request: ForeignAsk }
  /** Something went wrong that no call waits for, or the file has something to say to the person. */
  | { type: 'problem'; message: string };

/** What a tool's text may have before it is cut in the sandbox, in UTF-16 units. */
export const maxOutputUnits = 2_000_000;
/** What all attachments of a result may have, in base64. */
export const maxAttachmentUnits = 20_000_000;
/** A line of the program is never longer, in bytes. */
export const maxLineBytes = 32 * 1024 * 1024;

/**
 * Started with `node -e`: reads the program's length and text from standard input and runs it. So nothing has to be written into the sandbox, and
 * the program is the same on every computer. It is compiled as a module is: that is where Node gives a program its `import()`.
 */
const bootSource = `
const fs = require('node:fs');
const read = (length) => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(0, bytes, at, length - at, null);
    if (count === 0) process.exit(1);
    at += count;
  }
  return bytes;
};
let head = '';
for (let next = read(1).toString(); next !== '\\n'; next = read(1).toString()) head += next;
const Module = require('node:module');
const file = require('node:path').resolve('cloche-extension-host.js');
new Module(file)._compile(read(Number(head)).toString('utf8'), file);
`;

/** How Node is started for a file. TypeScript of OpenCode projects is made for Bun, which compiles it: enums and parameter properties too. */
export function nodeArguments(target: string): string[] {
  const compiled = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
  return [...(target.endsWith('.ts') ? compiled : []), '-e', bootSource];
}
