// Symbolic links of a project, made and read by its own Node: the sandbox's files know no links, and any computer has Node.
import type { Sandbox } from '../sandbox/sandbox';

/** `path` is absolute; `target` is as it is written in the link. */
export interface Link {
  path: string;
  target: string;
}

const batch = 200;

const making = `
const fs = require('node:fs'), { dirname } = require('node:path');
for (const { path, target } of JSON.parse(process.argv[1])) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.rmSync(path, { force: true });
  fs.symlinkSync(target, path);
}`;

const reading = `
const fs = require('node:fs');
process.stdout.write(JSON.stringify(JSON.parse(process.argv[1]).map((path) => fs.readlinkSync(path))));`;

/** Makes them, with the folders that they lie in; a file that is there goes. Rejects with what Node said. */
export async function makeLinks(sandbox: Pick<Sandbox, 'spawn'>, links: readonly Link[]): Promise<void> {
  for (let at = 0; at < links.length; at += batch) await runNode(sandbox, making, links.slice(at, at + batch));
}

/** What these links lead to. Rejects when one of the paths is none. */
export async function readLinks(sandbox: Pick<Sandbox, 'spawn'>, paths: readonly string[]): Promise<Link[]> {
  const links: Link[] = [];
  for (let at = 0; at < paths.length; at += batch) {
    const some = paths.slice(at, at + batch);
    const targets = JSON.parse(await runNode(sandbox, reading, some)) as string[];
    links.push(...some.map((path, index) => ({ path, target: targets[index]! })));
  }
  return links;
}

/** Whole, whatever its length: it is ours. */
function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).text();
}

async function runNode({ spawn }: Pick<Sandbox, 'spawn'>, code: string, argument: unknown): Promise<string> {
  const child = await spawn('node', ['-e', code, JSON.stringify(argument)]);
  const [output, errors, end] = await Promise.all([textOf(child.output), textOf(child.stderr), child.exit]);
  if (end.kind === 'exited' && end.code === 0) return output;
  throw new Error(`Symbolic links: ${errors.trim().split('\n').at(-1) || 'Node did not end well'}.`);
}
