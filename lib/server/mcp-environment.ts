// The settings of the way to MCP servers of the web: whether there is one, to whom, and how much.
import { z } from 'zod';

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

const count = (byDefault: number) => z.coerce.number().int().min(0).default(byDefault);

const schema = z.object({
  CLOCHE_MCP: z.enum(['on', 'off']).default('on'),
  CLOCHE_MCP_HOSTS: z.string().default(''),
  CLOCHE_MCP_TRUSTED_ORIGINS: z.string().default(''),
  CLOCHE_MCP_KEYS: z.string().default('{}'),
  CLOCHE_TRUSTED_PROXIES: count(0),
  CLOCHE_MCP_REQUESTS_PER_MINUTE: count(600),
  CLOCHE_MCP_MAX_CONCURRENT: count(256),
  CLOCHE_MCP_MAX_ANSWER_BYTES: count(64 * 1024 * 1024),
  CLOCHE_MCP_IDLE_TIMEOUT_MS: count(300_000),
});

/** Throws an Error that names the variable whose value is wrong. Empty strings count as unset. */
export function readMcpEnvironment(env: Readonly<Record<string, string | undefined>>): McpEnvironment {
  const parsed = schema.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (!parsed.success)
    throw new Error(
      `The environment is not right: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
    );
  const values = parsed.data;
  const trustedOrigins = listed(values.CLOCHE_MCP_TRUSTED_ORIGINS);
  const wrong = trustedOrigins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong !== undefined)
    throw new Error(`CLOCHE_MCP_TRUSTED_ORIGINS must list origins like "http://10.0.0.5:8080": ${wrong}`);
  const keys = keysSchema.safeParse(jsonOf(values.CLOCHE_MCP_KEYS));
  if (!keys.success)
    throw new Error(
      'CLOCHE_MCP_KEYS must be JSON of headers by origin, like {"https://mcp.example.org": {"authorization": "Bearer …"}}.',
    );
  return {
    keys: keys.data,
    isOn: values.CLOCHE_MCP === 'on',
    hosts: listed(values.CLOCHE_MCP_HOSTS),
    trustedOrigins,
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

const keysSchema = z.record(
  z.string().refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
  z.record(z.string().regex(/^[a-z0-9-]{1,100}$/i), z.string().regex(/^[\x20-\x7e]+$/)),
);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
}
