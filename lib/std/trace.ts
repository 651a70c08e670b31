// Spans as OpenTelemetry has them, without its packages: a recorder that keeps a bounded list, and the OTLP/JSON file that its tools read.
// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
import { steadyNow } from './steady';

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue>;

/** Plain JSON. Times are epoch milliseconds with fractions. Without `endMs` it has not ended, or nobody was there to see it. */
export interface Span {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  startMs: number;
  endMs?: number;
  attributes: Attributes;
  status: 'unset' | 'ok' | 'error';
  statusMessage?: string;
  events: { name: string; atMs: number; attributes: Attributes }[];
}

/** Spans of one trace, in the order in which they began. */
export interface SpanRecorder {
  readonly spans: readonly Span[];
  /** How many were not kept because the list was full. */
  dropped(): number;
  /** A running span; it takes changes even when it was not kept. */
  start(name: string, attributes: Attributes, parent?: Span): Span;
  /** Adds an event, at now. */
  event(span: Span, name: string, attributes?: Attributes): void;
  /** Ends it, once. */
  end(span: Span, status?: Span['status'], message?: string): void;
}

/** A recorder that keeps at most `limit` spans. */
export function createSpanRecorder(limit: number, traceId = randomHex(16)): SpanRecorder {
  const spans: Span[] = [];
  let dropped = 0;
  return {
    spans,
    dropped: () => dropped,
    start(name, attributes, parent) {
      const span: Span = {
        traceId,
        spanId: randomHex(8),
        ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
        name,
        startMs: steadyNow(),
        attributes: { ...attributes },
        status: 'unset',
        events: [],
      };
      if (spans.length < limit) spans.push(span);
      else dropped++;
      return span;
    },
    event: (span, name, attributes = {}) => void span.events.push({ name, atMs: steadyNow(), attributes }),
    end(span, status = 'ok', message) {
      if (span.endMs !== undefined) return;
      span.endMs = steadyNow();
      span.status = status;
      if (message !== undefined) span.statusMessage = message;
    },
  };
}

/** The body of an OTLP/HTTP export request as JSON. Spans without an end are left out: the format has no such thing. */
export function toOtlp(spans: readonly Span[], resource: Attributes): object {
  const ended = spans.filter((span) => span.endMs !== undefined);
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [
          {
            scope: { name: 'cloche' },
            spans: ended.map((span) => ({
              traceId: span.traceId,
              spanId: span.spanId,
              ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
              name: span.name,
              // INTERNAL: what asks the model over the network is the provider package behind the route, not this.
              kind: 1,
              startTimeUnixNano: nanoseconds(span.startMs),
              endTimeUnixNano: nanoseconds(span.endMs!),
              attributes: keyValues(span.attributes),
              events: span.events.map(({ name, atMs, attributes }) => ({
                timeUnixNano: nanoseconds(atMs),
                name,
                attributes: keyValues(attributes),
              })),
              status: {
                code: { unset: 0, ok: 1, error: 2 }[span.status],
                ...(span.statusMessage === undefined ? {} : { message: span.statusMessage }),
              },
            })),
          },
        ],
      },
    ],
  };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** As a decimal string: 64 bits don't fit into a number. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1_000_000)));
}

function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
