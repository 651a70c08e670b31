// What a provider said about a failure: wherever its format, or that of a gateway before it, puts the words.
import { APICallError } from 'ai';
import { isRecord, parseJson } from '../std/json';

/** A failure as it was told. `said`: for people. `all`: the same and what stands beside it, to be searched. */
export interface ProviderWords {
  status?: number;
  said: string;
  all: string;
  headers: Record<string, string>;
  retryable?: boolean;
}

/** Any throw of a provider package: refused requests, errors in the middle of a stream, and what is no error of a provider (no status then). */
export function providerWords(error: unknown): ProviderWords {
  if (APICallError.isInstance(error)) {
    const body = error.responseBody ?? '';
    const json = parseJson(body);
    const said = (json.ok ? saidIn(json.value) : '') || error.message;
    const headers = error.responseHeaders ?? {};
    const words = { said, all: `${said}\n${body}`, headers, retryable: error.isRetryable };
    return error.statusCode === undefined ? words : { ...words, status: error.statusCode };
  }
  if (typeof error === 'string') return { said: error, all: error, headers: {} };
  if (!isRecord(error) && !(error instanceof Error)) return { said: '', all: '', headers: {} };
  const told = error as Record<string, unknown>;
  const said = saidIn(told);
  const status = [told.statusCode, told.status, told.code, told.error_code].find(isStatus);
  const all = [said, told.code, told.type, isRecord(told.data) ? JSON.stringify(told.data) : ''].join('\n');
  return { said, all, headers: {}, ...(status === undefined ? {} : { status }) };
}

const isStatus = (value: unknown): value is number => typeof value === 'number' && value >= 400 && value < 600;

/** `{error: {message, metadata: {raw}}}` (OpenRouter), `{error}`, `{message}`, `{detail}` (FastAPI), and lists of these (Google). */
function saidIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(saidIn).find((one) => one !== '') ?? '';
  if (!isRecord(value) && !(value instanceof Error)) return '';
  const { error, message, detail, msg, metadata } = value as Record<string, unknown>;
  // A gateway's own words are "Provider returned error"; what that provider said is beside them.
  const raw = isRecord(metadata) && typeof metadata.raw === 'string' ? metadata.raw : '';
  const json = parseJson(raw);
  const behind = (json.ok ? saidIn(json.value) : '') || raw;
  const own = saidIn(error) || saidIn(message) || saidIn(detail) || saidIn(msg);
  return behind === '' ? own : `${own}: ${behind}`;
}
