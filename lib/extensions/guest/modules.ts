// How a project's file finds what it imports: as Node does, and where Node finds nothing as OpenCode's runtime would. What OpenCode gives to
// every project (`@opencode-ai/plugin`, zod) is answered from this program when the project has not installed its own.
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as zod from 'zod';
import { bunSource } from './bun';

const own = 'cloche-extension:';

/** Names that are types in the package: imported without `type` they must exist. */
const typeNames = [
  'Plugin',
  'PluginInput',
  'PluginModule',
  'PluginOptions',
  'Hooks',
  'ToolContext',
  'ToolDefinition',
  'ToolResult',
];

const toolSource = `
const { z } = globalThis[Symbol.for('cloche.zod')];
export const tool = Object.assign((one) => one, { schema: z });
${typeNames.map((name) => `export const ${name} = undefined;`).join('\n')}
export default { tool };`;

function zodSource(): string {
  const names = Object.keys(zod).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.includes(name));
  const late = Object.keys(zod).filter((name) => reserved.includes(name) && name !== 'default');
  return `
const all = globalThis[Symbol.for('cloche.zod')];
${names.map((name) => `export const ${name} = all.${name};`).join('\n')}
${late.map((name) => `const late_${name} = all.${name}; export { late_${name} as ${name} };`).join('\n')}
export default all.z;`;
}
const reserved = ['default', 'enum', 'function', 'null', 'undefined', 'void', 'catch', 'instanceof'];

const bundled: Record<string, () => string> = {
  '@opencode-ai/plugin': () => toolSource,
  '@opencode-ai/plugin/tool': () => toolSource,
  zod: zodSource,
  'zod/v4': zodSource,
  bun: () => bunSource,
};

const endings = ['.ts', '.js', '.mjs', '.mts', '.json', '/index.ts', '/index.js'];

/** What Bun would try. */
function guesses(specifier: string): string[] {
  const asTypeScript = /\.m?js$/.test(specifier) ? [specifier.replace(/js$/, 'ts')] : [];
  return [...asTypeScript, ...endings.map((ending) => specifier + ending)];
}

/** Why a file is not run. */
export const otherText = 'it was changed after the person said yes to it';

/**
 * From now on. `trusted`: the text that the person said yes to, by absolute path; a file of that path that holds anything else is not run. Returns
 * which of them were read.
 */
export function installModuleHooks(trusted: ReadonlyMap<string, string>): ReadonlySet<string> {
  const read = new Set<string>();
  Object.defineProperty(globalThis, Symbol.for('cloche.zod'), { value: zod });
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (Object.hasOwn(bundled, specifier)) return { url: own + specifier, format: 'module', shortCircuit: true };
        if (!/^\.{0,2}\/|^file:/.test(specifier)) throw error;
        for (const guess of guesses(specifier))
          try {
            return next(guess, context);
          } catch {
            // The next one; what is told is the first error.
          }
        throw error;
      }
    },
    load(url, context, next) {
      if (url.startsWith(own))
        return { format: 'module', source: bundled[url.slice(own.length)]!(), shortCircuit: true };
      const loaded = next(url, context);
      const path = url.startsWith('file:') ? fileURLToPath(url.split('?')[0]!) : '';
      const text = trusted.get(path);
      if (text !== undefined && loaded.source != null) {
        if (textOf(loaded.source) !== text) throw new Error(otherText);
        read.add(path);
      }
      return loaded;
    },
  });
  return read;
}

function textOf(source: string | ArrayBuffer | NodeJS.TypedArray): string {
  return typeof source === 'string' ? source : new TextDecoder('utf-8', { ignoreBOM: true }).decode(source);
}
