// Loads one file and finds out what it is: the tools that it exports, or the hooks that its plugins return.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../../std/json';
import type { DeclaredTool, Loaded, RefusedTool, ToProgram } from '../protocol';
import { installBun } from './bun';
import { configChange } from './config-change';
import { calledHooks, otherMembers } from './hook-names';
import { installModuleHooks, otherText } from './modules';
import { pluginInput } from './plugin-input';
import { plainJson } from './tool-result';
import { type ForeignTool, isTool, schemaOf } from './tool-shape';

/** A loaded file. */
export interface HeldFile {
  loaded: Loaded;
  tools: ReadonlyMap<string, ForeignTool>;
  /** Runs the hooks of that name one after the other. What they return counts, and what they change in `output` too. */
  runHook(name: string, input: unknown, output: unknown): Promise<unknown>;
  dispose(): Promise<void>;
}

/** Members of a configuration that start programs. */
const askedByName = ['mcp', 'plugin'];

type Hooks = Record<string, unknown>;
type Hook = (input: unknown, output: unknown) => unknown;

/** Rejects with what the file threw. `note`: what the person is told of it. */
export async function loadFile(
  request: Extract<ToProgram, { type: 'load' }>,
  note: (text: string) => void,
): Promise<HeldFile> {
  const { kind, workdir, target, text } = request;
  installBun(workdir);
  // Node reads a file where links lead; one that was made since leads elsewhere, and then this is not among what was read.
  const real = text === undefined ? target : realpathSync(target);
  const read = installModuleHooks(text === undefined ? new Map() : new Map([[real, text]]));
  const module = await importTarget(target, workdir);
  if (text !== undefined && !read.has(real)) throw new Error(otherText);
  const tools = new Map<string, ForeignTool>();
  const declared: DeclaredTool[] = [];
  const refused: RefusedTool[] = [];
  const add = (id: string, tool: ForeignTool) => {
    try {
      declared.push({ id, description: tool.description, schema: schemaOf(tool) });
      tools.set(id, tool);
    } catch (error) {
      refused.push({ id, why: `Its arguments can’t be used: ${(error as Error).message}.` });
    }
  };
  const all: Hooks[] = [];
  const config = structuredClone(request.config);
  const unsupported = new Set<string>();
  if (kind === 'tool') {
    const base = path.basename(target).replace(/\.[jt]s$/, '');
    // Node's own name for what CommonJS exports, which is the default too.
    for (const [name, value] of Object.entries(module))
      if (name !== 'module.exports' && isTool(value)) add(name === 'default' ? base : `${base}_${name}`, value);
    if (tools.size + refused.length === 0)
      throw new Error('it exports no tool: an object with a description and execute');
  } else {
    for (const start of pluginsOf(module)) {
      const hooks = await start(pluginInput(workdir, note), {});
      if (typeof hooks === 'object' && hooks !== null) all.push(hooks as Hooks);
    }
    for (const hooks of all) {
      if (typeof hooks.config === 'function') await hooks.config(config);
      for (const [id, tool] of Object.entries((hooks.tool ?? {}) as object)) if (isTool(tool)) add(id, tool);
      for (const [name, value] of Object.entries(hooks))
        if (value !== undefined && !calledHooks.includes(name) && !otherMembers.includes(name)) unsupported.add(name);
    }
  }
  const after = plainJson(config);
  const change = isRecord(after) ? configChange(request.config, after) : {};
  for (const key of askedByName)
    if (key in change) {
      note(
        `config: what it adds to ${key} is not used, because you are asked about each by name. Write it into opencode.json.`,
      );
      delete change[key];
    }
  return {
    tools,
    loaded: {
      tools: declared,
      refused,
      hooks: calledHooks.filter((name) => all.some((hooks) => typeof hooks[name] === 'function')),
      unsupported: [...unsupported],
      ...(Object.keys(change).length === 0 ? {} : { config: change }),
    },
    async runHook(name, input, output) {
      let now = output;
      for (const hooks of all) {
        const hook = hooks[name] as Hook | undefined;
        if (typeof hook !== 'function') continue;
        const returned = await hook.call(hooks, input, now);
        if (isRecord(returned) && isRecord(now)) now = { ...now, ...returned };
      }
      return now;
    },
    async dispose() {
      for (const hooks of all) if (typeof hooks.dispose === 'function') await hooks.dispose();
    },
  };
}

async function importTarget(target: string, workdir: string): Promise<Record<string, unknown>> {
  if (path.isAbsolute(target)) return import(pathToFileURL(target).href);
  // A package is looked for where OpenCode installs it, then where the project does.
  const from = [path.join(workdir, '.opencode/'), `${workdir}/`].find((folder) =>
    existsSync(path.join(folder, 'node_modules', target)),
  );
  if (from === undefined) throw new Error(`the package ${target} is not installed; install it in the project`);
  const { createRequire } = await import('node:module');
  return import(pathToFileURL(createRequire(pathToFileURL(from)).resolve(target)).href);
}

type Plugin = (input: unknown, options: unknown) => unknown;

/** Each function once; a module may also export `{server}`. */
function pluginsOf(module: Record<string, unknown>): Plugin[] {
  const found = new Set<Plugin>();
  for (const value of Object.values(module)) {
    if (typeof value === 'function') found.add(value as Plugin);
    else if (isRecord(value) && typeof value.server === 'function') found.add(value.server as Plugin);
  }
  if (found.size === 0) throw new Error('it exports no plugin: a function that returns hooks');
  return [...found];
}
