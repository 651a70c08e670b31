// The MCP servers of the open project: those that its files name and those that the person added. A server of the project starts only after the
// person has said so to this very command or address; a changed one is asked about again. Both lists are kept on the IDE's origin.

import type { ConfigProblem } from '../../lib/config/problems';
import { configPaths, readConfig } from '../../lib/config/read-config';
import { type McpServerConfig, readServers } from '../../lib/registry/mcp/server-config';
import { createMcpServers, type McpServers } from '../../lib/registry/mcp/servers';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { parseJson, stableJson } from '../../lib/std/json';
import { joinPath } from '../../lib/std/paths';
import { createStore, type Store } from '../ui/store';
import { mcpFetch } from './mcp-fetch';

/** Where a project names servers; the first that names one wins. */
const projectFiles = [...configPaths, '.mcp.json', 'mcp.json'];

/** Entries of OpenCode's `mcp` section by name. */
export type PersonServers = Record<string, Record<string, unknown>>;

export interface ListedServer {
  config: McpServerConfig;
  /** Undefined: the person's own. */
  file?: string;
  /** The person has said that it may start; never undefined for one's own. */
  decision?: 'start' | 'ignore';
}

export interface McpList {
  listed: readonly ListedServer[];
  /** What is wrong in the files, in sentences. */
  problems: readonly string[];
}

export interface ProjectMcp {
  servers: McpServers;
  list: Store<McpList>;
  /** Reads the project's files again. */
  look(): Promise<void>;
  /** The person's word on a server of the project as it was shown. */
  decide(server: ListedServer, decision: 'start' | 'ignore'): void;
  /** Adds or replaces one of the person's own; *throws* an Error fit to show. */
  add(name: string, entry: Record<string, unknown>): void;
  remove(name: string): void;
  setEnabled(name: string, enabled: boolean): void;
  dispose(): Promise<void>;
}

type KeyStorage = Pick<Storage, 'getItem' | 'setItem'>;

const personKey = 'cloche:mcp-servers';

/** Nothing is read before the first look; the person's own servers start at once. */
export function createProjectMcp(sandbox: Sandbox, projectId: string, storage: KeyStorage = localStorage): ProjectMcp {
  const decisionsKey = `cloche:mcp-decisions:${projectId}`;
  const allowedKey = (name: string) => `cloche:mcp-allowed:${projectId}:${name}`;
  const list = createStore<McpList>({ listed: [], problems: [] });
  let ofProject: { config: McpServerConfig; file: string }[] = [];
  let problems: string[] = [];
  const servers = createMcpServers({
    sandbox,
    fetch: mcpFetch,
    allowed: {
      getItem: (name) => storage.getItem(allowedKey(name)),
      setItem: (name, value) => storage.setItem(allowedKey(name), value),
    },
  });

  const own = () => recordIn(storage, personKey) as PersonServers;
  /** By name: the configuration that was judged, and how. */
  const decisions = () => recordIn(storage, decisionsKey) as Record<string, { config?: unknown; decision?: unknown }>;

  function show(): void {
    const person = readServers({ mcp: own() }, 'Your servers');
    const decided = decisions();
    const listed: ListedServer[] = person.servers.map((config) => ({ config, decision: 'start' as const }));
    for (const { config, file } of ofProject) {
      if (listed.some((one) => one.config.name === config.name)) continue;
      const said = Object.hasOwn(decided, config.name) ? decided[config.name] : undefined;
      const counts = said?.config === stableJson(config) && (said.decision === 'start' || said.decision === 'ignore');
      listed.push({ config, file, ...(counts ? { decision: said.decision as 'start' | 'ignore' } : {}) });
    }
    list.set({ listed, problems: [...person.problems, ...problems] });
    servers.want(listed.map(({ config, decision }) => ({ config, trusted: decision === 'start' })));
  }

  async function look(): Promise<void> {
    const found: typeof ofProject = [];
    problems = [];
    for (const file of projectFiles) {
      const text = await sandbox.fs.readText(joinPath(sandbox.workdir, file)).catch(() => undefined);
      if (text === undefined || !/"mcp(Servers)?"/.test(text)) continue;
      const read = readServers(await parsed(text, file), file);
      problems.push(...read.problems);
      for (const config of read.servers)
        if (!found.some((one) => one.config.name === config.name)) found.push({ config, file });
    }
    if (stableJson(found) !== stableJson(ofProject) || problems.length > 0 || list.get().problems.length > 0) {
      ofProject = found;
      show();
    }
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
    list,
    look,
    decide({ config }, decision) {
      storage.setItem(
        decisionsKey,
        JSON.stringify({ ...decisions(), [config.name]: { config: stableJson(config), decision } }),
      );
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
    dispose: () => servers.close(),
  };
}

function recordIn(storage: KeyStorage, key: string): Record<string, unknown> {
  const json = parseJson(storage.getItem(key) ?? '{}');
  return json.ok && typeof json.value === 'object' && json.value !== null && !Array.isArray(json.value)
    ? (json.value as Record<string, unknown>)
    : {};
}
