// Spans as the rows of a waterfall: a tree in reading order, each with its place in time and what a person wants to know of it.
import type { AttributeValue, Span } from '../../lib/std/trace';

export interface TraceRow {
  span: Span;
  /** 0 for a turn. */
  depth: number;
  kind: 'turn' | 'step' | 'call';
  /** `read`, `Model`, `build`. */
  label: string;
  /** Fractions of its own turn: where it begins, how long it waited in the queue, for the person, and ran. */
  start: number;
  wait: number;
  ask: number;
  run: number;
  /** Milliseconds. `totalMs` is undefined for what never ended. */
  waitMs: number;
  askMs: number;
  totalMs: number | undefined;
  bytesIn: number | undefined;
  bytesOut: number | undefined;
  /** `allowed by a rule`, `rejected by you`; empty where nothing was asked. */
  decision: string;
  /** `truncated`, `2 retries`, `match: exact`; may be empty. */
  remarks: string[];
}

/** All rows, oldest turn first; what a span started stands below it. */
export function traceRows(spans: readonly Span[]): TraceRow[] {
  const children = new Map<string, Span[]>();
  const known = new Set(spans.map((span) => span.spanId));
  const roots: Span[] = [];
  for (const span of spans) {
    const parent = span.parentSpanId;
    if (parent === undefined || !known.has(parent)) roots.push(span);
    else {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [span]);
      else siblings.push(span);
    }
  }
  const rows: TraceRow[] = [];
  const add = (span: Span, depth: number, from: number, length: number) => {
    rows.push(rowOf(span, depth, from, length));
    for (const child of children.get(span.spanId) ?? []) add(child, depth + 1, from, length);
  };
  for (const root of roots) {
    const end =
      root.endMs ??
      spans.reduce(
        (last, span) => (span.traceId === root.traceId ? Math.max(last, span.endMs ?? span.startMs) : last),
        root.startMs,
      );
    add(root, 0, root.startMs, Math.max(1, end - root.startMs));
  }
  return rows;
}

function rowOf(span: Span, depth: number, from: number, length: number): TraceRow {
  const { attributes } = span;
  const waitMs = numberOf(attributes['cloche.call.queue_ms']) ?? 0;
  const askMs = numberOf(attributes['cloche.call.ask_ms']) ?? 0;
  const totalMs = span.endMs === undefined ? undefined : span.endMs - span.startMs;
  const share = (ms: number) => Math.max(0, Math.min(1, ms / length));
  const kind = kindOf(span);
  return {
    span,
    depth,
    kind,
    label:
      kind === 'step'
        ? 'Model'
        : String(attributes['gen_ai.tool.name'] ?? attributes['gen_ai.agent.name'] ?? span.name),
    start: share(span.startMs - from),
    wait: share(waitMs),
    ask: share(askMs),
    run: share(Math.max(0, (totalMs ?? 0) - waitMs - askMs)),
    waitMs,
    askMs,
    totalMs,
    bytesIn: numberOf(attributes['cloche.call.bytes_in']),
    bytesOut: numberOf(attributes['cloche.call.bytes_out']),
    decision: decisionOf(attributes['cloche.permission.decision'], attributes['cloche.permission.by']),
    remarks: remarksOf(span),
  };
}

function kindOf({ attributes }: Span): TraceRow['kind'] {
  const operation = attributes['gen_ai.operation.name'];
  return operation === 'invoke_agent' ? 'turn' : operation === 'chat' ? 'step' : 'call';
}

function decisionOf(decision: AttributeValue | undefined, by: AttributeValue | undefined): string {
  if (decision === undefined) return '';
  const who: Record<string, string> = {
    rule: 'by a rule',
    grant: 'by a remembered answer',
    person: 'by you',
    nobody: 'as nobody answered',
    stop: 'as it was stopped',
  };
  return `${decision} ${who[String(by)] ?? `by ${by}`}`;
}

function remarksOf({ attributes, status, statusMessage, endMs }: Span): string[] {
  const retries = numberOf(attributes['cloche.retries']) ?? 0;
  const tokens = attributes['gen_ai.usage.input_tokens'];
  return [
    endMs === undefined ? 'did not end' : '',
    status === 'error' ? `failed: ${statusMessage ?? ''}` : '',
    attributes['cloche.call.truncated'] === true ? 'truncated' : '',
    retries > 0 ? `${retries} ${retries === 1 ? 'retry' : 'retries'}` : '',
    attributes['cloche.edit.strategy'] === undefined ? '' : `match: ${attributes['cloche.edit.strategy']}`,
    tokens === undefined ? '' : `${tokens} tokens in, ${attributes['gen_ai.usage.output_tokens']} out`,
  ].filter((remark) => remark !== '');
}

function numberOf(value: AttributeValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
