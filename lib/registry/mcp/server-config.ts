// What a configuration says about MCP servers, in OpenCode's form (`mcp`) and in the older one (`mcpServers`). Each entry is read alone: a bad
// one is named and left out, the others stay.
import { z } from 'zod';
import { isRecord } from '../../std/json';

/** Milliseconds: until it answers at all, until it has told a list, and until a call is over (begun again by each sign of progress). */
export interface McpTimeouts {
  startMs: number;
  listMs: number;
  callMs: number;
}

interface ServerBase {
  name: string;
  enabled: boolean;
  timeouts: McpTimeouts;
  /** Its tools are for programs alone, or not; undefined: when it has very many. */
  codemode?: boolean;
}

/** A program that runs in the sandbox and talks over its standard input and output. */
export interface LocalServer extends ServerBase {
  kind: 'local';
  command: readonly [string, ...string[]];
  environment: Record<string, string>;
  /** Relative to the project. */
  cwd?: string;
}

/** A server of the web. */
export interface RemoteServer extends ServerBase {
  kind: 'remote';
  url: string;
  headers: Record<string, string>;
  /** False: never sign in. */
  oauth: false | SignInSettings;
}

/** How Cloche signs in there, where it can't find that out by itself. */
export interface SignInSettings {
  clientId?: string;
  clientSecret?: string;
  /** Rights to ask for, divided by spaces. */
  scope?: string;
}

export type McpServerConfig = LocalServer | RemoteServer;

/** `example.org:8080` of a URL, for people; what is none comes back as it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** When nothing is said. */
export const defaultTimeouts: McpTimeouts = { startMs: 30_000, listMs: 30_000, callMs: 60_000 };

/** A program may have to be installed first (`npx -y …`), silently. */
const localTimeouts: McpTimeouts = { ...defaultTimeouts, startMs: 180_000 };

const texts = z.record(z.string(), z.string());
const milliseconds = z
  .number()
  .int()
  .positive()
  .max(12 * 3_600_000);
const timeout = z.union([
  milliseconds,
  z.object({ startup: milliseconds.optional(), catalog: milliseconds.optional(), execution: milliseconds.optional() }),
]);
/** OpenCode 2 writes the names with underscores. */
const signInEntry = z.looseObject({
  clientId: z.string().min(1).optional(),
  client_id: z.string().min(1).optional(),
  clientSecret: z.string().optional(),
  client_secret: z.string().optional(),
  scope: z.string().optional(),
});
const openCodeEntry = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('local'),
    command: z.array(z.string()).min(1),
    environment: texts.optional(),
    cwd: z.string().optional(),
    enabled: z.boolean().optional(),
    codemode: z.boolean().optional(),
    timeout: timeout.optional(),
  }),
  z.object({
    type: z.literal('remote'),
    url: z.string(),
    headers: texts.optional(),
    oauth: z.union([z.literal(false), signInEntry]).optional(),
    enabled: z.boolean().optional(),
    codemode: z.boolean().optional(),
    timeout: timeout.optional(),
  }),
]);
const olderEntry = z.union([
  z.object({
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: texts.optional(),
    cwd: z.string().optional(),
    disabled: z.boolean().optional(),
    timeout: milliseconds.optional(),
  }),
  z.object({
    url: z.string(),
    headers: texts.optional(),
    disabled: z.boolean().optional(),
    timeout: milliseconds.optional(),
  }),
]);

/** What was understood, and what was not, in sentences that name the entry. */
export interface ReadServers {
  servers: McpServerConfig[];
  problems: string[];
}

/** The servers of a parsed configuration file: the object under `mcp` (or `mcp.servers`), and that under `mcpServers`. Never throws. */
export function readServers(config: unknown, file: string): ReadServers {
  const read: ReadServers = { servers: [], problems: [] };
  if (!isRecord(config)) return read;
  const { mcp, mcpServers } = config;
  const entries = isRecord(mcp) && isRecord(mcp.servers) && !('type' in mcp.servers) ? mcp.servers : mcp;
  take(entries, `${file}: mcp`, openCodeServer, read);
  take(mcpServers, `${file}: mcpServers`, olderServer, read);
  return read;
}

function take(
  entries: unknown,
  where: string,
  serverOf: (name: string, entry: unknown) => McpServerConfig,
  read: ReadServers,
): void {
  if (entries === undefined) return;
  if (!isRecord(entries)) {
    read.problems.push(`${where} must be an object of servers by name.`);
    return;
  }
  for (const [name, entry] of Object.entries(entries)) {
    if (read.servers.some((one) => one.name === name)) {
      read.problems.push(`${where}.${name}: there is a server of this name already.`);
      continue;
    }
    // OpenCode's way to turn one off that is configured elsewhere: there is nothing to start.
    if (isRecord(entry) && entry.enabled === false && Object.keys(entry).length === 1) continue;
    try {
      read.servers.push(checked(serverOf(name, entry)));
      const unused = unusedSignIn(entry);
      if (unused.length > 0)
        read.problems.push(
          `${where}.${name}: oauth.${unused.join(', oauth.')} is not used: Cloche has a redirect address of its own, which its list of servers shows.`,
        );
    } catch (error) {
      read.problems.push(`${where}.${name}: ${problemOf(error)}`);
    }
  }
}

function openCodeServer(name: string, value: unknown): McpServerConfig {
  const entry = openCodeEntry.parse(value);
  const enabled = entry.enabled ?? true;
  const codemode = entry.codemode === undefined ? {} : { codemode: entry.codemode };
  const timeouts = timeoutsOf(entry.timeout, entry.type === 'local' ? localTimeouts : defaultTimeouts);
  if (entry.type === 'remote')
    return {
      kind: 'remote',
      name,
      enabled,
      timeouts,
      url: entry.url,
      headers: entry.headers ?? {},
      oauth: signInSettings(entry.oauth),
      ...codemode,
    };
  const [program, ...args] = entry.command;
  return {
    kind: 'local',
    name,
    enabled,
    timeouts,
    command: [program!, ...args],
    environment: entry.environment ?? {},
    ...codemode,
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
  };
}

function signInSettings(entry: z.infer<typeof signInEntry> | false | undefined): false | SignInSettings {
  if (entry === undefined || entry === false) return entry ?? {};
  const { client_id, clientId = client_id, client_secret, clientSecret = client_secret, scope } = entry;
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Members of `oauth` that mean nothing here: Cloche comes back to an address of its own. */
function unusedSignIn(entry: unknown): string[] {
  const oauth = isRecord(entry) && isRecord(entry.oauth) ? entry.oauth : {};
  return Object.keys(oauth).filter((key) => !(key in signInEntry.shape));
}

function olderServer(name: string, value: unknown): McpServerConfig {
  const entry = olderEntry.parse(value);
  const enabled = entry.disabled !== true;
  const timeouts = timeoutsOf(entry.timeout, 'url' in entry ? defaultTimeouts : localTimeouts);
  if ('url' in entry)
    return { kind: 'remote', name, enabled, timeouts, url: entry.url, headers: entry.headers ?? {}, oauth: {} };
  return {
    kind: 'local',
    name,
    enabled,
    timeouts,
    command: [entry.command, ...(entry.args ?? [])],
    environment: entry.env ?? {},
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
  };
}

function timeoutsOf(said: z.infer<typeof timeout> | undefined, unsaid: McpTimeouts): McpTimeouts {
  if (said === undefined) return unsaid;
  if (typeof said === 'number') return { startMs: said, listMs: said, callMs: said };
  const { startMs, listMs, callMs } = unsaid;
  return { startMs: said.startup ?? startMs, listMs: said.catalog ?? listMs, callMs: said.execution ?? callMs };
}

function checked(server: McpServerConfig): McpServerConfig {
  if (server.kind === 'local') {
    if (server.command[0].trim() === '') throw new Error('its command is empty.');
    return server;
  }
  if (!URL.canParse(server.url) || !/^https?:$/.test(new URL(server.url).protocol))
    throw new Error(`${JSON.stringify(server.url)} is not an http or https URL.`);
  return server;
}

function problemOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return (error as Error).message;
  const issue = error.issues[0]!;
  const path = issue.path.join('.');
  return `${path === '' ? '' : `${path}: `}${issue.message}. A local server has a command, a remote one a url.`;
}
