// All servers of one project: which are wanted, one connection for each, and what they give to the registry. A server whose configuration
// changed is closed and made anew; the others are left alone.
import { isAlwaysDenied, type RuleSet } from '../../permission/rules';
import type { Sandbox } from '../../sandbox/sandbox';
import { stableJson } from '../../std/json';
import type { Agent } from '../agents';
import type { ToolSource } from '../registry';
import { toolName } from '../tool-names';
import { createConnection, type McpConnection } from './connection';
import { type McpPrompt, type PromptText, promptsOf, promptText } from './prompts';
import type { LogLevel, OpenOptions } from './protocol-client';
import { createResourceNews, type ResourceNews } from './resource-news';
import { resourceTools } from './resource-tools';
import { asksOfCall, type McpConversation, type ServerAsks } from './server-asks';
import { hostOf, type McpServerConfig, type RemoteServer } from './server-config';
import { type McpServerState, whyNot } from './server-state';
import { type AllowedDefinitions, serverTools } from './server-tools';
import { serverWords } from './server-words';
import type { SignInWay } from './sign-in';
import type { SignInStore } from './sign-in-store';

/** One that is to be there. `trusted`: the person said so, for this very configuration. */
export interface WantedServer {
  config: McpServerConfig;
  trusted: boolean;
}

export interface McpServers {
  /** In the order they were wanted; the same array until something changed. */
  states(): readonly McpServerState[];
  subscribe(listener: () => void): () => void;
  /** Makes what is there what is wanted. */
  want(servers: readonly WantedServer[]): void;
  /** Resolves when none is connecting any more, after `limitMs` at the latest: who speaks first thing is not told that a tool is missing. */
  settled(limitMs: number): Promise<void>;
  connect(name: string): Promise<void>;
  /** Signs in with the person and connects. Rejects with an Error fit to show. */
  signIn(name: string, way: SignInWay, signal: AbortSignal): Promise<void>;
  /** Gives the keys back, forgets them and connects without. Rejects when they could not be given back; they are forgotten then too. */
  signOut(name: string): Promise<void>;
  /** Who gave the keys of this server that are kept, by host name; undefined: not signed in. */
  signedInAt(name: string): string | undefined;
  /** What the registry asks, for one conversation: the same object each time, for it is known by it what it has read. */
  sources(conversation: McpConversation): ToolSource[];
  /** How much that server writes into its log, as long as it is wanted. Rejects with an Error fit to show. */
  setLogLevel(name: string, level: LogLevel): Promise<void>;
  /** Prompts of connected servers, to be offered as commands. */
  prompts(): McpPrompt[];
  /** What comes of a prompt. Rejects with an Error fit to show. */
  getPrompt(server: string, name: string, input: Record<string, string>): Promise<PromptText>;
  /** What the server proposes for an argument of a prompt that was begun. */
  completePrompt(server: string, ...asked: Parameters<McpConnection['completePrompt']>): Promise<string[]>;
  /** What the servers say about themselves, worded for the system prompt of this agent; undefined: nothing. */
  instructions(rules: RuleSet, agent: Pick<Agent, 'readOnly'>): string | undefined;
  close(): Promise<void>;
}

export interface McpServersOptions {
  sandbox: Sandbox;
  fetch: OpenOptions['fetch'];
  signIns: SignInStore;
  /** Which definition of a tool was allowed last, by its name. */
  allowed: AllowedDefinitions;
  retryDelayMs?: number;
}

/** None yet. */
export function createMcpServers({ sandbox, fetch, signIns, allowed, retryDelayMs }: McpServersOptions): McpServers {
  const listeners = new Set<() => void>();
  let connections: { key: string; connection: McpConnection }[] = [];
  let states: readonly McpServerState[] = [];
  const newsOf = new WeakMap<McpConversation, ResourceNews>();

  function changed(): void {
    states = connections.map(({ connection }) => connection.state());
    for (const listener of [...listeners]) listener();
  }

  function named(name: string): McpConnection {
    const found = connections.find(({ connection }) => connection.state().config.name === name);
    if (found === undefined) throw new Error(`There is no MCP server ${name}.`);
    return found.connection;
  }

  return {
    states: () => states,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    want(servers) {
      const before = connections;
      connections = servers.map(({ config, trusted }) => {
        const status = !config.enabled
          ? ({ kind: 'disabled' } as const)
          : trusted
            ? ({ kind: 'connecting' } as const)
            : ({ kind: 'untrusted' } as const);
        const key = stableJson([config, status]);
        const same = before.find((one) => one.key === key);
        if (same !== undefined) return same;
        const connection = createConnection({
          config,
          status,
          sandbox,
          fetch,
          signIns,
          onChange: changed,
          ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
        });
        return { key, connection };
      });
      for (const one of before) if (!connections.includes(one)) void one.connection.close();
      changed();
    },
    settled(limitMs) {
      const isSettled = () => states.every(({ status }) => status.kind !== 'connecting');
      if (isSettled()) return Promise.resolve();
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          listeners.delete(look);
          resolve();
        };
        const look = () => isSettled() && finish();
        const timer = setTimeout(finish, limitMs);
        listeners.add(look);
      });
    },
    connect: async (name) => {
      const connection = named(name);
      const { kind } = connection.state().status;
      if (kind === 'untrusted' || kind === 'disabled') throw new Error(whyNot(connection.state().status));
      await connection.connect();
    },
    async signIn(name, way, signal) {
      const connection = named(name);
      const config = startable(connection);
      const { oauth } = config;
      if (oauth === false) throw new Error(`The configuration says never to sign in to ${name}.`);
      const { signIn } = await import('./sign-in');
      await signIn({ config: { ...config, oauth }, store: signIns, fetch, way, signal });
      await connection.connect();
    },
    async signOut(name) {
      const connection = named(name);
      const { signOut } = await import('./kept-sign-in');
      try {
        await signOut(startable(connection).url, signIns, fetch);
      } finally {
        await connection.connect();
      }
    },
    signedInAt(name) {
      const { config } = named(name).state();
      const kept = config.kind === 'remote' ? signIns.load(config.url) : undefined;
      return kept && hostOf(kept.discovery.authorizationServerUrl);
    },
    sources(conversation) {
      const news = newsOf.get(conversation) ?? createResourceNews();
      newsOf.set(conversation, news);
      const ask = (server: string, callId: string) => asksOfCall(conversation, server, callId);
      const perServer = connections.map(({ connection }): ToolSource => {
        const { name } = connection.state().config;
        return {
          name: `MCP server ${name}`,
          offer({ agent }) {
            const { tools, absent } = offerOf(connection, agent, ask, allowed);
            const { codemode } = connection.state().config;
            const programsOnly = codemode === undefined ? 'auto' : codemode ? 'always' : 'never';
            const told = tools.map((tool) => news.telling(tool, () => name));
            return { tools: told, programsOnly, ...(absent && { absent }) };
          },
        };
      });
      const all = connections.map(({ connection }) => connection);
      return [...perServer, { name: 'MCP resources', offer: () => ({ tools: resourceTools(all, news) }) }];
    },
    setLogLevel: async (name, level) => named(name).setLogLevel(level),
    prompts: () => states.flatMap(promptsOf),
    getPrompt: async (server, name, input) => promptText(await named(server).getPrompt(name, input)),
    completePrompt: async (server, ...asked) => named(server).completePrompt(...asked),
    instructions: (rules, agent) => serverWords(states, (state) => isUsable(state, rules, agent)),
    async close() {
      const all = connections;
      connections = [];
      await Promise.all(all.map(({ connection }) => connection.close()));
    },
  };
}

/** The configuration of a server of the web that may be reached. *Throws* an Error fit to show. */
function startable(connection: McpConnection): RemoteServer {
  const { config, status } = connection.state();
  if (config.kind === 'local')
    throw new Error(`${config.name} is a program of the sandbox; there is nothing to sign in to.`);
  if (status.kind === 'untrusted' || status.kind === 'disabled') throw new Error(whyNot(status));
  return config;
}

/** May this agent use anything of the server? What `offerOf` and the registry decide, without their reasons. */
function isUsable(
  { config, tools, resources }: McpServerState,
  rules: RuleSet,
  agent: Pick<Agent, 'readOnly'>,
): boolean {
  if (agent.readOnly === true && config.kind === 'local') return false;
  if (resources.length > 0 && !isAlwaysDenied('mcp_resource', rules)) return true;
  return tools.some((tool) => {
    const { name } = (tool ?? {}) as { name?: unknown };
    return typeof name === 'string' && !isAlwaysDenied(toolName(config.name, name), rules);
  });
}

function offerOf(
  connection: McpConnection,
  agent: { name: string; readOnly?: boolean },
  ask: (server: string, callId: string) => ServerAsks,
  allowed: AllowedDefinitions,
): ReturnType<ToolSource['offer']> {
  const { config, status, tools } = connection.state();
  const every = `${toolName(config.name)}_*`;
  // A server that is gone for a moment keeps its tools: a call connects first.
  if (status.kind !== 'connected' && tools.length === 0)
    return { tools: [], absent: [{ name: every, why: whyNot(status) }] };
  if (agent.readOnly === true && config.kind === 'local')
    return {
      tools: [],
      absent: [{ name: every, why: `It runs in the sandbox and could change files, which ${agent.name} may not.` }],
    };
  return serverTools(connection, (callId) => ask(config.name, callId), allowed);
}
