// The MCP servers of the open project: those that its files name, and the person's own, added in the sheet or named in their opencode.json. A server of the project starts only after the
// person has said so to this very command or address; a changed one is asked about again. The person's word is kept where that on the project's
// files is (lib/config/trust.ts).

import { commandFiles, importClosure } from '../../lib/config/import-closure';
import { withNamedFiles } from '../../lib/config/named-files';
import type { ConfigProblem } from '../../lib/config/problems';
import { configPaths, readConfig } from '../../lib/config/read-config';
import { personPath } from '../../lib/config/read-customs';
import { hashOf } from '../../lib/config/scan-project';
import { serverPath, type TrustStore, withDecisions, wordOn } from '../../lib/config/trust';
import { type McpServerConfig, readServers } from '../../lib/registry/mcp/server-config';
import { createMcpServers, type McpServers } from '../../lib/registry/mcp/servers';
import { storedSignIns } from '../../lib/registry/mcp/sign-in-store';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { browserStorage, type SmallStorage } from '../../lib/std/browser-storage';
import { parseJson, stableJson } from '../../lib/std/json';
import { joinPath } from '../../lib/std/paths';
import { createStore, type Store } from '../ui/store';
import { mcpFetch } from './mcp-fetch';
import { createSignInWindow, type SignInWindow } from './sign-in-window';

/** Where a project names servers; the first that names one wins. */
const projectFiles = [...configPaths, '.mcp.json', 'mcp.json'];

/** Entries of OpenCode's `mcp` section by name. */
export type PersonServers = Record<string, Record<string, unknown>>;

/** One of the person's own, or one that the project brings. */
export type ListedServer = OwnServer | BroughtServer;

/** `place`: added in the sheet, or named in the person's opencode.json and changed there. */
export interface OwnServer {
  kind: 'own';
  config: McpServerConfig;
  place: 'sheet' | 'settings';
}

/** It starts when the person said yes to its `hash`; undefined: not asked yet. */
export interface BroughtServer {
  kind: 'brought';
  config: McpServerConfig;
  file: string;
  hash: string;
  use: boolean | undefined;
}

export interface McpList {
  listed: readonly ListedServer[];
  /** What is wrong in the files, in sentences. */
  problems: readonly string[];
}

export interface ProjectMcp {
  servers: McpServers;
  signInWindow: SignInWindow;
  list: Store<McpList>;
  /** Reads the project's files and the person's configuration again. */
  look(): Promise<void>;
  /** The person's word on servers of the project as they were shown. */
  decide(decisions: readonly { server: BroughtServer; use: boolean }[]): void;
  /** Adds or replaces one of the person's own; *throws* an Error fit to show. */
  add(name: string, entry: Record<string, unknown>): void;
  remove(name: string): void;
  setEnabled(name: string, enabled: boolean): void;
  /** Whether its tools are for programs alone; undefined: when it has very many. */
  setCodemode(name: string, codemode: boolean | undefined): void;
  dispose(): Promise<void>;
}

const personKey = 'cloche:mcp-servers';

export interface ProjectMcpOptions {
  sandbox: Sandbox;
  projectId: string;
  trust: TrustStore;
  /** The text of the person's own configuration. */
  personConfig?(): string;
  storage?: SmallStorage;
}

/** Files and configurations are not read before the first look; servers that were added start at once. */
export function createProjectMcp({
  sandbox,
  projectId,
  trust,
  personConfig,
  storage = browserStorage,
}: ProjectMcpOptions): ProjectMcp {
  const allowedKey = (name: string) => `cloche:mcp-allowed:${projectId}:${name}`;
  const list = createStore<McpList>({ listed: [], problems: [] });
  let ofProject: Omit<BroughtServer, 'use'>[] = [];
  let ofSettings: McpServerConfig[] = [];
  let problems: string[] = [];
  const guarded: Sandbox = {
    ...sandbox,
    async spawn(command, args, options) {
      const words = stableJson([command, ...args]);
      const brought = ofProject.find(({ config }) => config.kind === 'local' && stableJson(config.command) === words);
      // Between the look and the start, and before each new start, somebody may have changed what was agreed to.
      if (brought !== undefined && (await hashOf(await coverOf(brought.config))) !== brought.hash) {
        void look().catch(() => {});
        throw new Error('its files were changed since you said yes to it: look at them and allow it again');
      }
      return sandbox.spawn(command, args, options);
    },
  };
  const servers = createMcpServers({
    sandbox: guarded,
    fetch: mcpFetch,
    signIns: storedSignIns(storage),
    allowed: {
      getItem: (name) => storage.getItem(allowedKey(name)),
      setItem: (name, value) => storage.setItem(allowedKey(name), value),
    },
  });

  const signInWindow = createSignInWindow();
  const own = () => recordIn(storage, personKey) as PersonServers;

  function show(): void {
    const person = readServers({ mcp: own() }, 'Your servers');
    const record = trust.load();
    const listed: ListedServer[] = person.servers.map((config) => ({ kind: 'own', config, place: 'sheet' }));
    const isTaken = (name: string) => listed.some(({ config }) => config.name === name);
    for (const config of ofSettings) if (!isTaken(config.name)) listed.push({ kind: 'own', config, place: 'settings' });
    for (const one of ofProject) {
      if (isTaken(one.config.name)) continue;
      listed.push({ ...one, use: wordOn({ path: serverPath(one.config.name), hash: one.hash }, record) });
    }
    list.set({ listed, problems: [...person.problems, ...problems] });
    servers.want(listed.map((one) => ({ config: one.config, trusted: one.kind === 'own' || one.use === true })));
  }

  async function look(): Promise<void> {
    const found: typeof ofProject = [];
    problems = [];
    const own = personConfig?.() ?? '';
    // What else is wrong there is shown where it is written.
    const settings = readServers({ mcp: (await readConfig(own === '' ? '{}' : own, personPath, [])).mcp }, personPath);
    problems.push(...settings.problems);
    for (const file of projectFiles) {
      const written = await sandbox.fs.readText(joinPath(sandbox.workdir, file)).catch(() => undefined);
      if (written === undefined || !/"mcp(Servers)?"/.test(written)) continue;
      const text = await withNamedFiles(sandbox, file, written, []);
      const read = readServers(await parsed(text, file), file);
      problems.push(...read.problems);
      for (const config of read.servers)
        if (!found.some((one) => one.config.name === config.name))
          found.push({ kind: 'brought', config, file, hash: await hashOf(await coverOf(config)) });
    }
    const isSame = stableJson([found, settings.servers]) === stableJson([ofProject, ofSettings]);
    if (!isSame || problems.length > 0 || list.get().problems.length > 0) {
      ofProject = found;
      ofSettings = settings.servers;
      show();
    }
  }

  /** What a yes covers: the server as it is named, and the files of the project that start with it and what they import. */
  async function coverOf(config: McpServerConfig): Promise<string> {
    if (config.kind !== 'local') return stableJson(config);
    const files = commandFiles(config.command, config.cwd ?? '.');
    return `${stableJson(config)}\0${await importClosure(sandbox.fs, sandbox.workdir, files)}`;
  }

  async function parsed(text: string, file: string): Promise<unknown> {
    if (configPaths.includes(file)) {
      const wrong: ConfigProblem[] = [];
      const { mcp } = await readConfig(text, file, wrong);
      // Problems of other sections are shown by those who use them.
      if (Object.keys(mcp).length === 0) problems.push(...wrong.map((one) => `${one.path}: ${one.message}`));
      return { mcp };
    }
    const json = parseJson(text);
    if (!json.ok) problems.push(`${file}: ${json.message}. Its MCP servers are left out.`);
    return json.ok ? json.value : {};
  }

  function keep(entries: PersonServers): void {
    storage.setItem(personKey, JSON.stringify(entries));
    show();
  }

  show();
  return {
    servers,
    signInWindow,
    list,
    look,
    decide(decisions) {
      const judged = decisions.map(({ server: { config, hash }, use }) => ({
        file: { path: serverPath(config.name), hash },
        use,
      }));
      trust.save(withDecisions(trust.load(), judged));
      show();
    },
    add(name, entry) {
      const read = readServers({ mcp: { [name]: entry } }, 'This server');
      if (read.problems[0] !== undefined) throw new Error(read.problems[0]);
      keep({ ...own(), [name]: entry });
    },
    remove(name) {
      const { [name]: _gone, ...rest } = own();
      keep(rest);
    },
    setEnabled(name, enabled) {
      const entry = own()[name];
      if (entry !== undefined) keep({ ...own(), [name]: { ...entry, enabled } });
    },
    setCodemode(name, codemode) {
      const { codemode: _before, ...entry } = (own()[name] ?? {}) as Record<string, unknown>;
      if (own()[name] !== undefined)
        keep({ ...own(), [name]: { ...entry, ...(codemode === undefined ? {} : { codemode }) } });
    },
    async dispose() {
      signInWindow.dispose();
      await servers.close();
    },
  };
}

function recordIn(storage: SmallStorage, key: string): Record<string, unknown> {
  const json = parseJson(storage.getItem(key) ?? '{}');
  return json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)
    ? (json.value as Record<string, unknown>)
    : {};
}
