// `Bun`, as far as tools and plugins of OpenCode projects use it to run commands and to read and write files: their programs are made for it. Every
// other member throws by name.
import { accessSync, constants, promises as fs } from 'node:fs';
import path from 'node:path';
import { env } from 'node:process';
import { shell } from './shell';

const names = ['$', 'file', 'write', 'which', 'sleep', 'env'];

/** What `import … from 'bun'` gives. */
export const bunSource = `
const { Bun } = globalThis;
${names.map((name) => `export const ${name === '$' ? '$' : name} = Bun.${name};`).join('\n')}
export default Bun;`;

/** Puts it where programs look for it; nothing where it is. */
export function installBun(workdir: string): void {
  if ('Bun' in globalThis) return;
  const members: Record<string, unknown> = {
    $: shell(workdir),
    file,
    write: async (target: unknown, data: string | Uint8Array | ReturnType<typeof file>) => {
      const contents = typeof data === 'object' && 'exists' in data ? await data.bytes() : data;
      const name = nameOf(target);
      await fs.mkdir(path.dirname(path.resolve(name)), { recursive: true });
      await fs.writeFile(name, contents);
      return Buffer.byteLength(contents);
    },
    which,
    sleep: (time: number | Date) =>
      new Promise<void>((resolve) => setTimeout(resolve, time instanceof Date ? time.getTime() - Date.now() : time)),
    env,
  };
  const value = new Proxy(members, {
    get: (target, key) => {
      if (typeof key === 'symbol' || key in target) return Reflect.get(target, key);
      throw new Error(`Bun.${key} is not available in Cloche.`);
    },
  });
  Object.defineProperty(globalThis, 'Bun', { value, configurable: true });
}

function nameOf(target: unknown): string {
  if (typeof target === 'string') return target;
  if (target instanceof URL) return target.pathname;
  if (typeof target === 'object' && target !== null && 'name' in target) return String(target.name);
  throw new Error('Bun.write: only paths and Bun.file are written to in Cloche.');
}

function file(target: string | URL) {
  const name = nameOf(target);
  const text = () => fs.readFile(name, 'utf8');
  return {
    name,
    text,
    json: async (): Promise<unknown> => JSON.parse(await text()),
    bytes: async () => new Uint8Array(await fs.readFile(name)),
    arrayBuffer: async () => new Uint8Array(await fs.readFile(name)).buffer,
    exists: () =>
      fs.stat(name).then(
        (stat) => stat.isFile(),
        () => false,
      ),
    delete: () => fs.unlink(name),
  };
}

function which(command: string): string | null {
  for (const folder of (env.PATH ?? '').split(':'))
    try {
      const name = path.join(folder, command);
      accessSync(name, constants.X_OK);
      return name;
    } catch {
      // The next one.
    }
  return null;
}
