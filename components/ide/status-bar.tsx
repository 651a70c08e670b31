// The line at the bottom: facts about the computer on the left, about the text on the right.
'use client';

import { useEffect, useState } from 'react';
import type { Sandbox } from '../../lib/sandbox/sandbox';
import { OfflineStatus } from '../offline/offline-status';
import { useStore } from '../ui/store';
import { useUnremembered } from './storage-notice';
import { useWorkbench } from './workbench-context';

/** Not a live region: it would talk all the time. */
export function StatusBar() {
  const workbench = useWorkbench();
  const terminals = useStore(workbench.terminals.list).length;
  const busy = useStore(workbench.terminals.busy);
  const { ports } = useStore(workbench.preview.state);
  const version = useNodeVersion(workbench.sandbox);
  return (
    <footer className="status-bar">
      <span className="status-node">{version && `Node ${version}`}</span>
      <SaveState />
      <RememberedState />
      <span>
        {terminals === 1 ? '1 terminal' : `${terminals} terminals`}
        {busy > 0 && `, ${busy} at work`}
      </span>
      {ports.map(({ port }) => (
        <button
          key={port}
          type="button"
          aria-label={`Show port ${port} in the preview`}
          onClick={() => {
            workbench.preview.show(port);
            workbench.showPanel('preview');
          }}
        >
          :{port}
        </button>
      ))}
      <span className="status-gap" />
      <OfflineStatus />
      <TextState />
    </footer>
  );
}

/** From the text to the disk: typed, written to the computer, kept in the browser. *Saved* means all three. */
function SaveState() {
  const workbench = useWorkbench();
  const files = [...useStore(workbench.documents.files).values()];
  const storage = useStore(workbench.storage);
  if (files.some((file) => file.saveError !== undefined)) return <span data-tone="error">not saved</span>;
  if (files.some((file) => file.conflict !== undefined))
    return <span data-tone="warning">a file needs a decision</span>;
  const dirty = files.filter((file) => file.dirty).length;
  if (storage.kind === 'failing') return <span data-tone="error">not saved</span>;
  if (storage.kind === 'unkept') return <span data-tone="warning">not kept after this tab</span>;
  if (files.some((file) => file.saving)) return <span>saving…</span>;
  if (dirty > 0) return <span>{`${dirty} not saved yet`}</span>;
  return <span>{storage.kind === 'saving' ? 'saving…' : 'saved'}</span>;
}

/** Settings, tabs and drafts are kept apart from the project, where the browser lets us. */
function RememberedState() {
  const unremembered = useUnremembered();
  if (unremembered === undefined) return null;
  return (
    <span data-tone="warning" title={unremembered}>
      settings not kept
    </span>
  );
}

function TextState() {
  const { documents, cursor } = useWorkbench();
  const at = useStore(cursor);
  const active = useStore(documents.active);
  const view = useStore(documents.files).get(active ?? '')?.view;
  if (view?.kind !== 'text') return null;
  const windows = view.buffer.getText().slice(0, 10_000).includes('\r\n');
  return (
    <>
      {at && (
        <span>
          Ln {at.line}, Col {at.column}
          {at.selected > 0 && ` (${at.selected} selected)`}
        </span>
      )}
      <span>
        {view.shape.encoding.toUpperCase()}
        {view.shape.bom && ' with BOM'}
      </span>
      <span>{windows ? 'CRLF' : 'LF'}</span>
    </>
  );
}

/** Asks the sandbox itself, a little after the start; undefined until it has answered, or when there is no node. */
function useNodeVersion(sandbox: Sandbox): string | undefined {
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(async () => {
      try {
        const child = await sandbox.spawn('node', ['--version']);
        const text = await new Response(copied(child.output)).text();
        if (!gone && /^v\d/.test(text)) setVersion(text.trim().slice(1));
      } catch {
        // No node, nothing to show.
      }
    }, 1500);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [sandbox]);
  return version;
}

/** Responses refuse shared memory. */
function copied(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform: (chunk, out) => out.enqueue(new Uint8Array(chunk)),
    }),
  );
}
