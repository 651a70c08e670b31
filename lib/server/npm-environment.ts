// The settings of the registry proxy. The registry is the operator's: by default the one that npm on this machine uses.
import { z } from 'zod';
import { count, type Environment, readEnvironment } from './environment';

export interface NpmEnvironment {
  /** Ends with a slash. */
  registry: URL;
  /** Reverse proxies in front of us that append to `x-forwarded-for`. */
  trustedProxies: number;
  limits: {
    requestsPerMinute: number;
    maxConcurrent: number;
    /** Of one tarball, as sent. */
    maxTarballBytes: number;
    /** Of one document, decompressed. */
    maxDocumentBytes: number;
    maxQuestionBytes: number;
    idleTimeoutMs: number;
    totalTimeoutMs: number;
  };
}

const schema = z.object({
  CLOCHE_TRUSTED_PROXIES: count(0),
  CLOCHE_NPM_REQUESTS_PER_MINUTE: count(6000),
  CLOCHE_NPM_MAX_CONCURRENT: count(256),
  CLOCHE_NPM_MAX_TARBALL_BYTES: count(256 * 1024 * 1024),
  CLOCHE_NPM_MAX_DOCUMENT_BYTES: count(128 * 1024 * 1024),
  CLOCHE_NPM_IDLE_TIMEOUT_MS: count(30_000),
  CLOCHE_NPM_TOTAL_TIMEOUT_MS: count(300_000),
});

/**
 * Registry: CLOCHE_NPM_REGISTRY, else npm's own NPM_CONFIG_REGISTRY or `npm_config_registry` (which `npm run` sets from .npmrc), else the
 * public one. Throws an Error that names the variable whose value is wrong.
 */
export function readNpmEnvironment(env: Environment): NpmEnvironment {
  const address =
    env.CLOCHE_NPM_REGISTRY || env.NPM_CONFIG_REGISTRY || env.npm_config_registry || 'https://registry.npmjs.org/';
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new Error(`CLOCHE_NPM_REGISTRY must be an http or https URL: ${address}`);
  const registry = new URL(address);
  if (registry.username || registry.password || registry.search)
    throw new Error('CLOCHE_NPM_REGISTRY must have no credentials and no query: guests would use them.');
  if (!registry.pathname.endsWith('/')) registry.pathname += '/';
  const values = readEnvironment(schema, env);
  return {
    registry,
    trustedProxies: values.CLOCHE_TRUSTED_PROXIES,
    limits: {
      requestsPerMinute: values.CLOCHE_NPM_REQUESTS_PER_MINUTE,
      maxConcurrent: values.CLOCHE_NPM_MAX_CONCURRENT,
      maxTarballBytes: values.CLOCHE_NPM_MAX_TARBALL_BYTES,
      maxDocumentBytes: values.CLOCHE_NPM_MAX_DOCUMENT_BYTES,
      maxQuestionBytes: 4 * 1024 * 1024,
      idleTimeoutMs: values.CLOCHE_NPM_IDLE_TIMEOUT_MS,
      totalTimeoutMs: values.CLOCHE_NPM_TOTAL_TIMEOUT_MS,
    },
  };
}
