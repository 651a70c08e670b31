// One server for as long as it is wanted: connects, learns what it offers, notices when it is gone and comes back with growing pauses. A call
// to a server that is gone tries to connect first. What it is in, is always said.
import type { Sandbox } from '../../sandbox/sandbox';
import { untilOnline } from '../../std/online';
import { sleep } from '../../std/signals';
import { steadyNow } from '../../std/steady';
import { callDeadline } from './call-deadline';
import type { CallOptions, LogLevel, OpenOptions, ProtocolClient } from './protocol-client';
import { readLists } from './read-lists';
import { createRunningCalls, type ServerAsks } from './server-asks';
import type { McpServerConfig } from './server-config';
import { freshState, type McpServerState, reasonOf, whyNot } from './server-state';
import { refuseUnknowable, UnknowableError } from './unknowable';
import { createVisits } from './visits';

export interface McpCallOptions extends Omit<CallOptions, 'onLife'> {
  /** Asks the person for the server while the call runs. */
  asks: ServerAsks;
}

export interface McpConnection {
  state(): McpServerState;
  /** Connects now, from whatever state; resolves when that has succeeded or failed. */
  connect(): Promise<void>;
  /** Rejects with an Error fit to show. */
  callTool(name: string, input: Record<string, unknown>, options: McpCallOptions): Promise<unknown>;
  readResource(uri: string, signal: AbortSignal): Promise<unknown>;
  getPrompt(name: string, input: Record<string, string>, signal?: AbortSignal): Promise<unknown>;
  /** Nothing where the server completes nothing, or is gone. */
  completePrompt: ProtocolClient['completePrompt'];
  /** For this connection and those that come in its place. */
  setLogLevel(level: LogLevel): Promise<void>;
  /** How often the server said that this resource changed. */
  updatesOf(uri: string): number;
  /** For good. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  config: McpServerConfig;
  status: { kind: 'disabled' } | { kind: 'untrusted' } | { kind: 'connecting' };
  sandbox: Sandbox;
  fetch: OpenOptions['fetch'];
  signIns: OpenOptions['signIns'];
  onChange(): void;
  /** Default 1000: the first pause before it is connected again; doubles up to half a minute. */
  retryDelayMs?: number;
}

const maxLogLines = 300;
const maxLogLineChars = 2000;
const listChangedDelayMs = 100;
const maxRetries = 6;
const maxRetryDelayMs = 30_000;

/** Connects at once when its status is `connecting`. */
export function createConnection(options: ConnectionOptions): McpConnection {
  const { config, sandbox, onChange } = options;
  const closed = new AbortController();
  let client: ProtocolClient | undefined;
  let attempt: Promise<void> | undefined;
  let retries = 0;
  let stopRetry: (() => void) | undefined;
  let relist: ReturnType<typeof setTimeout> | undefined;
  const running = createRunningCalls();
  const visits = createVisits();
  const updates = new Map<string, number>();
  let logLevel: LogLevel | undefined;
  let state: McpServerState = freshState(config, options.status);

  function change(patch: Partial<McpServerState>): void {
    if (closed.signal.aborted) return;
    state = { ...state, ...patch };
    onChange();
  }

  function log(line: string): void {
    change({ log: [...state.log, line.slice(0, maxLogLineChars)].slice(-maxLogLines) });
  }

  async function open(): Promise<void> {
    stopRetry?.();
    change({ status: { kind: 'connecting' } });
    const previous = client;
    client = undefined;
    await previous?.close().catch(() => {});
    try {
      refuseUnknowable(config);
      const { openProtocolClient } = await import('./protocol-client');
      const opened = await openProtocolClient({
        config,
        sandbox,
        fetch: options.fetch,
        signIns: options.signIns,
        signal: closed.signal,
        onLog: log,
        onClose: (how) => gone(opened, how),
        onListChanged: () => {
          clearTimeout(relist);
          relist = setTimeout(() => void learn(opened).catch((error) => log(String(error))), listChangedDelayMs);
        },
        asks: running.asks,
        onVisited: visits.finish,
        onResourceUpdated: (uri) => void updates.set(uri, (updates.get(uri) ?? 0) + 1),
      });
      if (closed.signal.aborted) return void opened.close().catch(() => {});
      client = opened;
      if (logLevel !== undefined && opened.offers.logging) await opened.setLogLevel(logLevel).catch(() => {});
      await learn(opened);
      if (client !== opened) return;
      retries = 0;
      change({
        status: { kind: 'connected' },
        label: opened.label,
        instructions: opened.instructions,
        logs: opened.offers.logging,
      });
    } catch (error) {
      const broken = client;
      client = undefined;
      await broken?.close().catch(() => {});
      const { signInReason } = await import('./protocol-client');
      const why = reasonOf(error);
      log(why);
      const signIn = signInReason(error);
      if (signIn !== undefined) change({ status: { kind: 'needs-auth', why: signIn } });
      else fail(why, config.kind === 'remote' && !(error instanceof UnknowableError));
    }
  }

  async function learn(from: ProtocolClient): Promise<void> {
    const lists = await readLists(from, log);
    if (from === client) change(lists);
  }

  function gone(which: ProtocolClient, how: string | undefined): void {
    if (which !== client || closed.signal.aborted) return;
    client = undefined;
    const why = how ?? 'The connection was closed.';
    log(why);
    fail(why, true);
  }

  function fail(why: string, isRetried: boolean): void {
    if (!isRetried || retries >= maxRetries) return change({ status: { kind: 'failed', why } });
    const delayMs = Math.min(maxRetryDelayMs, (options.retryDelayMs ?? 1000) * 2 ** retries++);
    change({ status: { kind: 'failed', why, retryAtMs: steadyNow() + delayMs } });
    const pause = new AbortController();
    stopRetry = () => pause.abort();
    const both = AbortSignal.any([pause.signal, closed.signal]);
    // Without a network every attempt is wasted: the next one is made when it is back.
    sleep(delayMs, both)
      .then(() => untilOnline(both))
      .then(
        () => void connect(),
        () => {},
      );
  }

  function connect(): Promise<void> {
    attempt ??= open().finally(() => {
      attempt = undefined;
    });
    return attempt;
  }

  /** The client, connected if need be. */
  async function ready(): Promise<ProtocolClient> {
    if (client === undefined || attempt !== undefined) await connect();
    if (client === undefined)
      throw new Error(`The MCP server ${config.name} is not connected. ${whyNot(state.status)}`);
    return client;
  }

  /** Once again on a new connection when the server has forgotten the old one: then nothing was run. */
  async function withSession<T>(work: (client: ProtocolClient) => Promise<T>): Promise<T> {
    const first = await ready();
    try {
      return await work(first);
    } catch (error) {
      const { isSessionLost, signInReason } = await import('./protocol-client');
      const why = signInReason(error);
      if (client === first && why !== undefined) {
        client = undefined;
        await first.close().catch(() => {});
        change({ status: { kind: 'needs-auth', why } });
        throw new Error(`${why} The person has to sign in again, in the list of MCP servers.`);
      }
      if (!isSessionLost(error)) throw error;
      log('The server has forgotten the session; connecting again.');
      if (client === first) client = undefined;
      return work(await ready());
    }
  }

  if (options.status.kind === 'connecting') void connect();
  return {
    state: () => state,
    connect() {
      retries = 0;
      return connect();
    },
    async callTool(name, input, { asks, signal, onProgress, asTask }) {
      const deadline = callDeadline(config.timeouts.callMs);
      const own = running.begin(asks, deadline);
      const both = AbortSignal.any([deadline.signal, ...(signal === undefined ? [] : [signal])]);
      const call = (now: ProtocolClient) => {
        deadline.again();
        return now.callTool(name, input, {
          signal: both,
          ...(asTask === undefined ? {} : { asTask }),
          onLife: deadline.again,
          onProgress(progress) {
            deadline.again();
            onProgress?.(progress);
          },
        });
      };
      try {
        return await visits.around(own.asks, both, () => withSession(call));
      } catch (error) {
        if (!deadline.signal.aborted) throw error;
        throw new Error(`It did not answer in time (${config.timeouts.callMs / 1000} s without a sign of life).`);
      } finally {
        deadline.end();
        own.end();
      }
    },
    readResource: (uri, signal) => withSession((now) => now.readResource(uri, signal)),
    getPrompt: (name, input, signal) => withSession((now) => now.getPrompt(name, input, signal)),
    async setLogLevel(level) {
      logLevel = level;
      if (client?.offers.logging) await client.setLogLevel(level);
    },
    updatesOf: (uri) => updates.get(uri) ?? 0,
    completePrompt: async (...asked) => (client?.offers.completions === true ? client.completePrompt(...asked) : []),
    async close() {
      closed.abort();
      clearTimeout(relist);
      const last = client;
      client = undefined;
      await last?.close().catch(() => {});
      await attempt?.catch(() => {});
    },
  };
}
