// The settings of the page fetcher: what the deployment lets agents read from the web, and how much of it.
import { z } from 'zod';
import { count, type Environment, hostList, readEnvironment } from './environment';

export interface FetchEnvironment {
  isOn: boolean;
  /** Host names; `*.example.org` is every name below it. Empty: every public host. */
  hosts: string[];
  /** What becomes of `http:` URLs. */
  http: 'upgrade' | 'refuse';
  robots: 'honour' | 'ignore';
  userAgent: string;
  trustedProxies: number;
  limits: {
    requestsPerMinute: number;
    maxConcurrent: number;
    /** Of one page, decompressed. */
    maxBytes: number;
    idleTimeoutMs: number;
    /** The most that a request may ask for. */
    totalTimeoutMs: number;
  };
}

const schema = z.object({
  CLOCHE_FETCH: z.enum(['on', 'off']).default('on'),
  CLOCHE_FETCH_HOSTS: hostList,
  CLOCHE_FETCH_HTTP: z.enum(['upgrade', 'refuse']).default('upgrade'),
  CLOCHE_FETCH_ROBOTS: z.enum(['honour', 'ignore']).default('honour'),
  CLOCHE_FETCH_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .default('Cloche-User/1.0 (fetches single pages when a person asks)'),
  CLOCHE_TRUSTED_PROXIES: count(0),
  CLOCHE_FETCH_REQUESTS_PER_MINUTE: count(60),
  CLOCHE_FETCH_MAX_CONCURRENT: count(32),
  CLOCHE_FETCH_MAX_BYTES: count(5 * 1024 * 1024),
  CLOCHE_FETCH_IDLE_TIMEOUT_MS: count(15_000),
  CLOCHE_FETCH_TOTAL_TIMEOUT_MS: count(120_000),
});

/** Throws an Error that names the variable whose value is wrong. Empty strings count as unset. */
export function readFetchEnvironment(env: Environment): FetchEnvironment {
  const values = readEnvironment(schema, env);
  return {
    isOn: values.CLOCHE_FETCH === 'on',
    hosts: values.CLOCHE_FETCH_HOSTS,
    http: values.CLOCHE_FETCH_HTTP,
    robots: values.CLOCHE_FETCH_ROBOTS,
    userAgent: values.CLOCHE_FETCH_USER_AGENT,
    trustedProxies: values.CLOCHE_TRUSTED_PROXIES,
    limits: {
      requestsPerMinute: values.CLOCHE_FETCH_REQUESTS_PER_MINUTE,
      maxConcurrent: values.CLOCHE_FETCH_MAX_CONCURRENT,
      maxBytes: values.CLOCHE_FETCH_MAX_BYTES,
      idleTimeoutMs: values.CLOCHE_FETCH_IDLE_TIMEOUT_MS,
      totalTimeoutMs: values.CLOCHE_FETCH_TOTAL_TIMEOUT_MS,
    },
  };
}
