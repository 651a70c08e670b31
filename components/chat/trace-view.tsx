// The trace of a conversation as a waterfall: for each call how long it waited, asked and ran, how much went in and out, and who decided.
// Rows have one height, so only those in sight are drawn, however long the conversation is.
'use client';

import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Span, toOtlp } from '../../lib/std/trace';
import { Sheet } from '../ui/sheet';
import { showSize } from '../ui/show-size';
import { showError } from '../ui/toasts';
import { useCurrent } from './chat-context';
import { saveJson } from './save-json';
import { type TraceRow, traceRows } from './trace-rows';

const rowPx = 28;
/** Rows drawn above and below what is in sight. */
const margin = 12;
const refreshMs = 500;

/** Shows all that is kept; follows a turn that runs. */
export function TraceView({ open, close }: { open: boolean; close: () => void }) {
  const spans = useTrace(open);
  const { state } = useCurrent();
  const save = () =>
    saveJson(`trace-${state.id}.json`, toOtlp(spans ?? [], { 'service.name': 'cloche', 'session.id': state.id }));
  return (
    <Sheet
      title="Trace"
      wide
      open={open}
      close={close}
      footer={
        <footer className="trace-foot">
          <span>{spans === undefined ? '' : `${spans.length} spans`}</span>
          {spans !== undefined && spans.length > 0 && (
            <ul className="trace-key" aria-label="Colours of the bars">
              <li data-part="wait">waited</li>
              <li data-part="ask">asked you</li>
              <li data-part="run">ran</li>
            </ul>
          )}
          <button type="button" className="button" disabled={!spans?.length} onClick={save}>
            <Download size={14} aria-hidden="true" />
            Save as OTLP
          </button>
        </footer>
      }
    >
      {spans !== undefined &&
        (spans.length === 0 ? <p>Nothing has run in this conversation yet.</p> : <Waterfall spans={spans} />)}
    </Sheet>
  );
}

/** Loaded when opened, and again while a turn runs. */
function useTrace(open: boolean): readonly Span[] | undefined {
  const { session, state } = useCurrent();
  const [spans, setSpans] = useState<readonly Span[]>();
  const isRunning = state.status.kind === 'running' || state.status.kind === 'retrying';
  useEffect(() => {
    if (!open) return;
    let isOver = false;
    const load = () =>
      session.trace().then(
        (loaded) => {
          if (!isOver) setSpans(loaded);
        },
        (error: unknown) => showError('Could not load the trace', error),
      );
    void load();
    const timer = isRunning ? setInterval(load, refreshMs) : undefined;
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [open, session, isRunning]);
  return spans;
}

function Waterfall({ spans }: { spans: readonly Span[] }) {
  const rows = traceRows(spans);
  const scroller = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current!;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  const from = Math.max(0, Math.floor(view.top / rowPx) - margin);
  const to = Math.min(rows.length, Math.ceil((view.top + view.height) / rowPx) + margin);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="trace" ref={scroller} tabIndex={0} aria-label="Waterfall">
      <table
        aria-rowcount={rows.length + 1}
        style={{ marginTop: from * rowPx, marginBottom: (rows.length - to) * rowPx }}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(from, to).map((row, at) => (
            <Row key={row.span.spanId} row={row} index={from + at + 2} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What a phone shows without scrolling comes first. */
const columns = ['What', 'Took', 'When', 'Waited', 'Asked', 'In', 'Out', 'Decision'];

function Row({ row, index }: { row: TraceRow; index: number }) {
  const remarks = row.remarks.join(' · ');
  return (
    <tr aria-rowindex={index} data-kind={row.kind} data-bad={row.span.status === 'error'}>
      <td style={{ paddingLeft: Math.min(row.depth, 6) * 12 }} title={remarks || undefined}>
        <span>{row.label}</span>
        {remarks !== '' && <small>{remarks}</small>}
      </td>
      <td>{row.totalMs === undefined ? '' : milliseconds(row.totalMs)}</td>
      <td className="trace-bar">
        <div
          aria-hidden="true"
          style={{ marginLeft: percent(row.start), width: percent(row.wait + row.ask + row.run) }}
        >
          <i data-part="wait" style={{ flexGrow: row.wait }} />
          <i data-part="ask" style={{ flexGrow: row.ask }} />
          <i data-part="run" style={{ flexGrow: row.run }} />
        </div>
      </td>
      <td>{milliseconds(row.waitMs)}</td>
      <td>{milliseconds(row.askMs)}</td>
      <td>{row.bytesIn === undefined ? '' : showSize(row.bytesIn)}</td>
      <td>{row.bytesOut === undefined ? '' : showSize(row.bytesOut)}</td>
      <td title={row.decision}>{row.decision}</td>
    </tr>
  );
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

function milliseconds(ms: number): string {
  if (ms < 1) return ms === 0 ? '' : '<1 ms';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
