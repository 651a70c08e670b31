// The settings of the way to MCP servers of the web: whether there is one, to whom, and how much.
import { z } from 'zod';
import { count, type Environment, hostList, isOrigin, json, originList, readEnvironment } from './environment';

export interface McpEnvironment {
  isOn: boolean;
  /** Host names; `*.example.org` is every name below it. Empty: every public host. */
  hosts: string[];
  /** Origins of the operator's own servers: http and private addresses are fine there. */
  trustedOrigins: string[];
  /** Headers that this server adds for everybody, by origin: the operator's own keys. What a person sends wins. */
  keys: Record<string, Record<string, string>>;
  trustedProxies: number;
  limits: {
    requestsPerMinute: number;
    maxConcurrent: number;
    /** Of one message to a server. */
    maxRequestBytes: number;
    /** Of one answer; a stream that gets longer is cut, and opened again by the client. */
    maxAnswerBytes: number;
    idleTimeoutMs: number;
  };
}

const keys = json(
  z.record(
    z.string().refine(isOrigin),
    z.record(z.string().regex(/^[a-z0-9-]{1,100}$/i), z.string().regex(/^[\x20-\x7e]+$/)),
  ),
  '{"https://mcp.example.org": {"authorization": "Bearer …"}}, headers by origin',
);

const schema = z.object({
  CLOCHE_MCP: z.enum(['on', 'off']).default('on'),
  CLOCHE_MCP_HOSTS: hostList,
  CLOCHE_MCP_TRUSTED_ORIGINS: originList,
  CLOCHE_MCP_KEYS: keys.default({}),
  CLOCHE_TRUSTED_PROXIES: count(0),
  CLOCHE_MCP_REQUESTS_PER_MINUTE: count(600),
  CLOCHE_MCP_MAX_CONCURRENT: count(256),
  CLOCHE_MCP_MAX_ANSWER_BYTES: count(64 * 1024 * 1024),
  CLOCHE_MCP_IDLE_TIMEOUT_MS: count(300_000),
});

/** Throws an Error that names the variable whose value is wrong. Empty strings count as unset. */
export function readMcpEnvironment(env: Environment): McpEnvironment {
  const values = readEnvironment(schema, env);
  return {
    keys: values.CLOCHE_MCP_KEYS,
    isOn: values.CLOCHE_MCP === 'on',
    hosts: values.CLOCHE_MCP_HOSTS,
    trustedOrigins: values.CLOCHE_MCP_TRUSTED_ORIGINS,
    trustedProxies: values.CLOCHE_TRUSTED_PROXIES,
    limits: {
      requestsPerMinute: values.CLOCHE_MCP_REQUESTS_PER_MINUTE,
      maxConcurrent: values.CLOCHE_MCP_MAX_CONCURRENT,
      maxRequestBytes: 8 * 1024 * 1024,
      maxAnswerBytes: values.CLOCHE_MCP_MAX_ANSWER_BYTES,
      idleTimeoutMs: values.CLOCHE_MCP_IDLE_TIMEOUT_MS,
    },
  };
}
