// What went wrong at a provider, as words for people. Neither keys nor the request's content ever get into them.
import { APICallError } from 'ai';

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

/** Any throw of a provider package. `secrets` are cut out of what the provider said. */
export function providerFailure(
  error: unknown,
  provider: string,
  secrets: readonly (string | undefined)[],
): ProviderFailure {
  if (!APICallError.isInstance(error)) {
    const said = redact(
      error instanceof Error ? error.message : typeof error === 'string' ? error : sayObject(error),
      secrets,
    );
    const overloaded = /overload|rate.?limit|too many requests/i.test(said);
    if (error instanceof TypeError || overloaded)
      return {
        message: `${provider} can't be reached right now${said ? ` (${said})` : ''}.`,
        retryable: true,
        kind: 'network',
      };
    return { message: `${provider} failed: ${said || 'no reason given'}.`, retryable: true, kind: 'provider' };
  }
  const status = error.statusCode;
  const said = redact(error.message, secrets).slice(0, 600);
  if (status === undefined)
    return { message: `${provider} can't be reached (${said}).`, retryable: true, kind: 'network' };
  const wait = waitMs(error.responseHeaders);
  const base = { status, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
  if (status === 401 || status === 403)
    return { ...base, message: `${provider} refused the key (${said}).`, retryable: false, kind: 'key' };
  if (status === 402 || /quota|billing|credit balance/i.test(said))
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
  if (status === 413 || /context (length|window)|too long|maximum context|token limit/i.test(said))
    return {
      ...base,
      message: `The conversation is too long for this model (${said}). Start a new one.`,
      retryable: false,
      kind: 'limit',
      overflow: true,
    };
  if (status >= 500)
    return { ...base, message: `${provider} has trouble of its own (${said}).`, retryable: true, kind: 'provider' };
  return {
    ...base,
    message: `${provider} did not accept the request (${said}).`,
    retryable: error.isRetryable,
    kind: 'provider',
  };
}

function redact(text: string, secrets: readonly (string | undefined)[]): string {
  let clean = text;
  for (const secret of secrets)
    if (secret !== undefined && secret.length > 3) clean = clean.replaceAll(secret, '[key]');
  // Providers echo a part of the key that they refuse.
  return clean.replace(/\b(sk-|AIza)[\w*.-]{4,}/g, '[key]');
}

function sayObject(error: unknown): string {
  const nested = (error as { error?: { message?: unknown }; message?: unknown } | null) ?? {};
  const said = nested.error?.message ?? nested.message;
  return typeof said === 'string' ? said : '';
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
