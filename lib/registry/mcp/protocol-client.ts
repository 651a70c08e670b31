// The protocol itself, on the official SDK. Loaded only when a server is connected, so that nobody else pays for it. Lists are read with loose
// schemas of our own: one bad entry must not cost the whole list.
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type LoggingLevel, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Sandbox } from '../../sandbox/sandbox';
import { cancellingFetch } from './cancelling-fetch';
import { hearingRights, keptSignIn, RightsError, SignedOutError } from './kept-sign-in';
import { sandboxTransport } from './sandbox-transport';
import type { McpServerConfig, RemoteServer } from './server-config';
import { answerServer, clientCapabilities, type ServerListener } from './server-requests';
import type { SignInStore } from './sign-in-store';
import { callAsTask } from './task-call';

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?(progress: { progress: number; total?: number; message?: string }): void;
  /** The server runs it as a task. */
  asTask?: boolean;
  /** It still runs, though there is no progress to tell. */
  onLife?(): void;
}

/** One connection, from `initialize` to its end. */
export interface ProtocolClient {
  readonly label: string;
  readonly instructions: string | undefined;
  readonly offers: { tools: boolean; resources: boolean; prompts: boolean; completions: boolean; logging: boolean };
  /** Entries as the server sent them. *Throws* when a cursor comes back or the pages do not end. */
  list(what: 'tools' | 'resources' | 'resourceTemplates' | 'prompts'): Promise<unknown[]>;
  callTool(name: string, input: Record<string, unknown>, options: CallOptions): Promise<unknown>;
  /** Where the server tells changes, it is asked to tell those of this one from now on. */
  readResource(uri: string, signal?: AbortSignal): Promise<unknown>;
  /** How much the server writes into its log from now on. */
  setLogLevel(level: LogLevel): Promise<void>;
  getPrompt(name: string, input: Record<string, string>, signal?: AbortSignal): Promise<unknown>;
  /** What may go on where `argument` of a prompt was begun; `given`: the other arguments. */
  completePrompt(
    name: string,
    argument: { name: string; value: string },
    given: Record<string, string>,
    signal: AbortSignal,
  ): Promise<string[]>;
  close(): Promise<void>;
}

/** From all to next to nothing. */
export type LogLevel = LoggingLevel;

export interface OpenOptions extends ServerListener {
  config: McpServerConfig;
  sandbox: Sandbox;
  /** For remote servers. */
  fetch: FetchLike;
  signIns: SignInStore;
  signal: AbortSignal;
  /** `how` is known for processes only. */
  onClose(how: string | undefined): void;
}

type Progress = Parameters<NonNullable<CallOptions['onProgress']>>[0];

const maxPages = 1000;
const maxSubscribed = 200;
/** What a timer can hold. */
const longest = 2 ** 31 - 1;
const methods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
} as const;

/** Connects. Rejects with the reason; nothing is left running then. */
export async function openProtocolClient(options: OpenOptions): Promise<ProtocolClient> {
  const { config } = options;
  if (config.kind === 'local') {
    let end: string | undefined;
    const transport = sandboxTransport(options.sandbox, config, {
      onLog: options.onLog,
      onEnd: (how) => {
        end = how;
      },
    });
    try {
      return await connect(transport, options, () => end);
    } catch (error) {
      throw end === undefined ? error : new Error(end);
    }
  }
  try {
    return await connect(httpTransport(config, options), options, () => undefined);
  } catch (error) {
    const isOlder = error instanceof StreamableHTTPError && [400, 404, 405].includes(error.code ?? 0);
    if (!isOlder) throw error;
    options.onLog(`Streamable HTTP was refused (${error.code}); trying server-sent events.`);
    const sse = new SSEClientTransport(new URL(config.url), {
      fetch: hearingRights(config, options.signIns, options.fetch),
      requestInit: { headers: config.headers },
      ...signedIn(config, options),
    });
    return connect(sse, options, () => undefined);
  }
}

function httpTransport(config: RemoteServer, options: OpenOptions): Transport {
  return new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: cancellingFetch(hearingRights(config, options.signIns, options.fetch)),
    requestInit: { headers: config.headers },
    ...signedIn(config, options),
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 8,
    },
  }) as Transport;
}

function signedIn({ url, oauth }: RemoteServer, { signIns }: OpenOptions): { authProvider?: OAuthClientProvider } {
  const authProvider = oauth === false ? undefined : keptSignIn(url, signIns);
  return authProvider === undefined ? {} : { authProvider };
}

async function connect(
  transport: Transport,
  options: OpenOptions,
  endOf: () => string | undefined,
): Promise<ProtocolClient> {
  const { sandbox, signal, onClose } = options;
  const { timeouts } = options.config;
  const client = new Client(
    { name: 'cloche', title: 'Cloche', version: '0.1.0' },
    { capabilities: clientCapabilities, jsonSchemaValidator: noValidator },
  );
  answerServer(client, sandbox.workdir, options);

  try {
    await client.connect(transport, { timeout: timeouts.startMs, signal });
  } catch (error) {
    await client.close().catch(() => {});
    await transport.close().catch(() => {});
    throw error;
  }
  client.onclose = () => onClose(endOf());
  if (endOf() !== undefined) onClose(endOf());
  const version = client.getServerVersion();
  const { tools, resources, prompts, completions, logging, tasks } = client.getServerCapabilities() ?? {};
  const subscribed = new Set<string>();

  return {
    label: [version?.title ?? version?.name, version?.version].filter(Boolean).join(' '),
    instructions: client.getInstructions(),
    offers: {
      tools: tools !== undefined,
      resources: resources !== undefined,
      prompts: prompts !== undefined,
      completions: completions !== undefined,
      logging: logging !== undefined,
    },
    async list(what) {
      const result = z.looseObject({ [what]: z.array(z.unknown()), nextCursor: z.string().optional() });
      const entries: unknown[] = [];
      const seen = new Set<string>();
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const params = cursor === undefined ? {} : { cursor };
        const answer = await client.request({ method: methods[what], params }, result, { timeout: timeouts.listMs });
        entries.push(...(answer[what] as unknown[]));
        cursor = answer.nextCursor as string | undefined;
        if (cursor === undefined) return entries;
        if (seen.has(cursor))
          throw new Error(`Its list of ${what} never ends: the cursor ${JSON.stringify(cursor)} came again.`);
        seen.add(cursor);
      }
      throw new Error(`Its list of ${what} has more than ${maxPages} pages.`);
    },
    callTool(name, input, { signal: callSignal, onProgress, asTask, onLife }) {
      const params = { name, arguments: input };
      const how = {
        // The caller's signal is the deadline: it knows when the server waits for the person.
        timeout: longest,
        onprogress: (progress: Progress) => onProgress?.(progress),
        ...(callSignal === undefined ? {} : { signal: callSignal }),
      };
      if (asTask === true && tasks?.requests?.tools?.call !== undefined)
        return callAsTask(client, params, how, () => onLife?.());
      return client.request({ method: 'tools/call', params }, z.looseObject({}), how);
    },
    async readResource(uri, callSignal) {
      const how = { timeout: timeouts.callMs, ...(callSignal === undefined ? {} : { signal: callSignal }) };
      if (resources?.subscribe === true && !subscribed.has(uri) && subscribed.size < maxSubscribed) {
        subscribed.add(uri);
        // Without it the resource is read all the same.
        await client.subscribeResource({ uri }, how).catch(() => subscribed.delete(uri));
      }
      return client.request({ method: 'resources/read', params: { uri } }, z.looseObject({}), how);
    },
    async setLogLevel(level) {
      await client.setLoggingLevel(level, { timeout: timeouts.listMs });
    },
    getPrompt: (name, input, callSignal) =>
      client.request({ method: 'prompts/get', params: { name, arguments: input } }, z.looseObject({}), {
        timeout: timeouts.callMs,
        ...(callSignal === undefined ? {} : { signal: callSignal }),
      }),
    async completePrompt(name, argument, given, completeSignal) {
      const params = { ref: { type: 'ref/prompt', name }, argument, context: { arguments: given } };
      const limits = { timeout: timeouts.listMs, signal: completeSignal };
      const { completion } = await client.request({ method: 'completion/complete', params }, completionAnswer, limits);
      return completion.values;
    },
    async close() {
      client.onclose = undefined;
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

const completionAnswer = z.looseObject({ completion: z.looseObject({ values: z.array(z.string()) }) });

/** The SDK would compile schemas with `eval`, which this page forbids; results are checked where they are read. */
const noValidator = {
  getValidator:
    <T>() =>
    (input: unknown) => ({ valid: true as const, data: input as T & {}, errorMessage: undefined }),
};

/** Whether the server has forgotten the session: HTTP 404, or 400 from older ones. Nothing was run then, so it may be tried again on a new one. */
export function isSessionLost(error: unknown): boolean {
  if (!(error instanceof StreamableHTTPError)) return false;
  return error.code === 404 || (error.code === 400 && /session/i.test(error.message));
}

/** Why a person has to sign in first; undefined: that is not what went wrong. */
export function signInReason(error: unknown): string | undefined {
  if (error instanceof SignedOutError) return error.message;
  if (error instanceof UnauthorizedError) return 'Nobody is signed in there.';
  // A server's own error may have any number.
  if (error instanceof McpError) return undefined;
  if (error instanceof RightsError) return error.signInHelps ? error.message : undefined;
  return (error as { code?: unknown } | null)?.code === 401 ? 'Nobody is signed in there.' : undefined;
}
