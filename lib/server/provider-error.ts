// What went wrong at a provider, as words for people. Neither keys nor the request's content ever get into them.
import { APICallError } from 'ai';
import { providerWords } from './provider-words';

/** JSON; what the browser's model makes a ModelError of. */
export interface ProviderFailure {
  message: string;
  retryable: boolean;
  kind: 'network' | 'provider' | 'key' | 'limit' | 'bug';
  /** The prompt is longer than the model's context. */
  overflow?: boolean;
  status?: number;
  retryAfterMs?: number;
}

/** In the words of the providers and servers that were read about: Anthropic, OpenAI, Google, OpenRouter, vLLM, llama.cpp, Groq, xAI, Moonshot, DashScope. */
const tooLong =
  /context[ _](length|window|limit|size)|too long|maximum context|token limit|maximum number of (input )?tokens|maximum prompt length|reduce the length|range of input length/i;
const wrongKey = /api[ _-]?key not valid|(invalid|incorrect|expired) (x-)?api[ _-]?key|api_key_invalid/i;
/** Nothing is left on the account. `quota` alone may be the one of a minute. */
const nothingLeft =
  /insufficient[ _](quota|balance|credits?|funds)|billing|credit balance|arrearage|account is suspended/i;

/** Any throw of a provider package. `secrets` are cut out of what the provider said. */
export function providerFailure(
  error: unknown,
  provider: string,
  secrets: readonly (string | undefined)[],
): ProviderFailure {
  const words = providerWords(error);
  const { status, all } = words;
  // It stands in brackets, before a full stop of ours.
  const said = redact(words.said, secrets).slice(0, 600).trimEnd().replace(/\.$/, '');
  const overflow: ProviderFailure = {
    message: `The conversation is too long for this model (${said}). Start a new one.`,
    retryable: false,
    kind: 'limit',
    overflow: true,
  };
  if (isCut(error))
    return {
      message: `The connection to ${provider} broke in the middle of its answer.`,
      retryable: true,
      kind: 'network',
    };
  if (status === undefined) {
    if (APICallError.isInstance(error))
      return { message: `${provider} can't be reached (${said}).`, retryable: true, kind: 'network' };
    if (error instanceof TypeError || /overload|rate.?limit|too many requests/i.test(all))
      return {
        message: `${provider} can't be reached right now${said ? ` (${said})` : ''}.`,
        retryable: true,
        kind: 'network',
      };
    if (tooLong.test(all)) return overflow;
    return { message: `${provider} failed: ${said || 'no reason given'}.`, retryable: true, kind: 'provider' };
  }
  const wish = waitMs(words.headers) ?? retryDelayMs(all);
  const base = { status, ...(wish === undefined ? {} : { retryAfterMs: wish }) };
  if (status === 401 || status === 403 || wrongKey.test(all))
    return { ...base, message: `${provider} refused the key (${said}).`, retryable: false, kind: 'key' };
  // Google names the account also where only a minute is used up, and says when it is over.
  const isMinute = status === 429 && wish !== undefined && !/PerDay/.test(all);
  if (status === 402 || (nothingLeft.test(all) && !isMinute))
    return {
      ...base,
      message: `The account at ${provider} can't pay for this (${said}).`,
      retryable: false,
      kind: 'limit',
    };
  if (status === 429)
    return { ...base, message: `${provider} asks to slow down (${said}).`, retryable: true, kind: 'limit' };
  if (status === 404)
    return { ...base, message: `${provider} does not know this model (${said}).`, retryable: false, kind: 'provider' };
  if (status === 413 || tooLong.test(all)) return { ...base, ...overflow };
  if (status >= 500)
    return { ...base, message: `${provider} has trouble of its own (${said}).`, retryable: true, kind: 'provider' };
  return {
    ...base,
    message: `${provider} did not accept the request (${said}).`,
    retryable: words.retryable ?? false,
    kind: 'provider',
  };
}

/** An answer that began well and whose bytes ended too early: fetch throws a TypeError for that, and the providers' packages wrap it. */
function isCut(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode ?? 500) < 400 && error.cause instanceof TypeError;
}

function redact(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets)
    if (secret !== undefined && secret.length > 3) clean = clean.replaceAll(secret, '[key]');
  // Providers echo a part of the key that they refuse.
  return clean.replace(/\b(sk-|AIza|gsk_|xai-)[\w*.-]{4,}/g, '[key]');
}

function waitMs(headers: Record<string, string> | undefined): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (Number.isFinite(exact)) return exact;
  const value = headers?.['retry-after'];
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Google's way: `{"@type": "…RetryInfo", "retryDelay": "26s"}`. */
function retryDelayMs(text: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(text)?.[1];
  return seconds === undefined ? undefined : Number.parseFloat(seconds) * 1000;
}
