// What the host configured for models: read from the environment once, checked, and never shown to anybody. Without any of it there is
// still the practice model, and people's own keys.
import { z } from 'zod';
import { count, type Environment, json, list, readEnvironment } from './environment';

export type ProviderId = 'anthropic' | 'openai' | 'google' | 'compatible';

export interface ProviderConfig {
  id: ProviderId;
  name: string;
  /** The host's key; `compatible` servers may need none and are then `open`. */
  key?: string;
  open: boolean;
  baseUrl?: string;
  /** Offered models. */
  models: string[];
  /** The host named the models itself: then no others are allowed, not even with an own key. */
  closed: boolean;
  keyHint?: string;
}

export interface ModelPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

export interface ChatEnvironment {
  providers: ProviderConfig[];
  /** People may send their own keys. */
  ownKeys: boolean;
  /** US dollars per million tokens, by `<provider>/<model>`. */
  prices: Record<string, ModelPrice>;
  /** How many tokens a model's window takes, by `<provider>/<model>`. */
  contextTokens: Record<string, number>;
  limits: {
    maxBodyBytes: number;
    maxOutputTokens: number;
    stepsPerMinute: number;
    hostKeyStepsPerDay: number;
    hostKeyStepsPerVisitorPerDay: number;
    idleTimeoutMs: number;
  };
  /** How many reverse proxies in front of us append to `x-forwarded-for`. */
  trustedProxies: number;
}

const text = z.string().trim().min(1).optional().catch(undefined);
const price = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
});

const schema = z.object({
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: z.url().optional(),
  ANTHROPIC_MODELS: list,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: z.url().optional(),
  OPENAI_MODELS: list,
  GOOGLE_API_KEY: text,
  GOOGLE_GENERATIVE_AI_API_KEY: text,
  GEMINI_API_KEY: text,
  GOOGLE_BASE_URL: z.url().optional(),
  GOOGLE_MODELS: list,
  OPENAI_COMPATIBLE_URL: z.url().optional(),
  OPENAI_COMPATIBLE_NAME: text,
  OPENAI_COMPATIBLE_API_KEY: text,
  OPENAI_COMPATIBLE_MODELS: list,
  CLOCHE_OWN_KEYS: z.enum(['on', 'off']).default('on'),
  CLOCHE_MODEL_PRICES: json(z.record(z.string(), price), '{"anthropic/model":{"input":3,"output":15}}').default({}),
  CLOCHE_MODEL_CONTEXT_TOKENS: json(z.record(z.string(), z.int().positive()), '{"anthropic/model":200000}').default({}),
  CLOCHE_CHAT_MAX_BYTES: count(36_000_000),
  CLOCHE_CHAT_MAX_OUTPUT_TOKENS: count(32_000),
  CLOCHE_CHAT_STEPS_PER_MINUTE: count(60),
  CLOCHE_HOST_KEY_STEPS_PER_DAY: count(5000),
  CLOCHE_HOST_KEY_STEPS_PER_VISITOR_PER_DAY: count(500),
  CLOCHE_CHAT_IDLE_TIMEOUT_MS: count(180_000),
  CLOCHE_TRUSTED_PROXIES: count(0),
});

/** Offered when the host named no models; ids that the pinned provider packages know. */
const usualModels = {
  anthropic: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
  openai: ['gpt-5.6', 'gpt-5.4', 'gpt-5.4-mini'],
  google: ['gemini-3.8-flash', 'gemini-3.1-pro-preview', 'gemini-2.5-pro'],
};

/** Reads `env`; a wrong value throws an Error that names the variable (and never its content). Empty strings count as unset. */
export function readChatEnvironment(env: Environment): ChatEnvironment {
  const values = readEnvironment(schema, env);
  const cloud = (
    id: 'anthropic' | 'openai' | 'google',
    name: string,
    keyHint: string,
    given: { key: string | undefined; baseUrl: string | undefined; models: string[] },
  ): ProviderConfig => ({
    id,
    name,
    keyHint,
    open: false,
    closed: given.models.length > 0,
    models: given.models.length > 0 ? given.models : usualModels[id],
    ...(given.key === undefined ? {} : { key: given.key }),
    ...(given.baseUrl === undefined ? {} : { baseUrl: given.baseUrl }),
  });
  const googleKey = values.GOOGLE_GENERATIVE_AI_API_KEY ?? values.GEMINI_API_KEY ?? values.GOOGLE_API_KEY;
  const providers = [
    cloud('anthropic', 'Anthropic', 'sk-ant-…', {
      key: values.ANTHROPIC_API_KEY,
      baseUrl: values.ANTHROPIC_BASE_URL,
      models: values.ANTHROPIC_MODELS,
    }),
    cloud('openai', 'OpenAI', 'sk-…', {
      key: values.OPENAI_API_KEY,
      baseUrl: values.OPENAI_BASE_URL,
      models: values.OPENAI_MODELS,
    }),
    cloud('google', 'Google', 'AIza…', {
      key: googleKey,
      baseUrl: values.GOOGLE_BASE_URL,
      models: values.GOOGLE_MODELS,
    }),
  ];
  if (values.OPENAI_COMPATIBLE_URL !== undefined) {
    if (values.OPENAI_COMPATIBLE_MODELS.length === 0)
      throw new Error(
        'OPENAI_COMPATIBLE_MODELS must name the models of OPENAI_COMPATIBLE_URL, as in qwen3:8b,gpt-oss.',
      );
    providers.push({
      id: 'compatible',
      name: values.OPENAI_COMPATIBLE_NAME ?? new URL(values.OPENAI_COMPATIBLE_URL).host,
      baseUrl: values.OPENAI_COMPATIBLE_URL,
      open: true,
      closed: true,
      models: values.OPENAI_COMPATIBLE_MODELS,
      ...(values.OPENAI_COMPATIBLE_API_KEY === undefined ? {} : { key: values.OPENAI_COMPATIBLE_API_KEY }),
    });
  }
  return {
    providers,
    ownKeys: values.CLOCHE_OWN_KEYS === 'on',
    prices: values.CLOCHE_MODEL_PRICES,
    contextTokens: values.CLOCHE_MODEL_CONTEXT_TOKENS,
    trustedProxies: values.CLOCHE_TRUSTED_PROXIES,
    limits: {
      maxBodyBytes: values.CLOCHE_CHAT_MAX_BYTES,
      maxOutputTokens: values.CLOCHE_CHAT_MAX_OUTPUT_TOKENS,
      stepsPerMinute: values.CLOCHE_CHAT_STEPS_PER_MINUTE,
      hostKeyStepsPerDay: values.CLOCHE_HOST_KEY_STEPS_PER_DAY,
      hostKeyStepsPerVisitorPerDay: values.CLOCHE_HOST_KEY_STEPS_PER_VISITOR_PER_DAY,
      idleTimeoutMs: values.CLOCHE_CHAT_IDLE_TIMEOUT_MS,
    },
  };
}
