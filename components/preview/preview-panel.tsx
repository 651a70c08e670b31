// The preview: an address bar over a frame of another origin.
'use client';

import { ChevronDown, ExternalLink, RotateCw } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { commandKeys } from '../ide/commands';
import { PanelHeader } from '../ide/panel-header';
import { useCommands, useWorkbench } from '../ide/workbench-context';
import { Menu } from '../ui/menu';
import { useStore, useStorePart } from '../ui/store';
import { IconButton } from '../ui/tip';
import { NothingListens } from './nothing-listens';
import { answerPreviewPages } from './preview-channel';
import { PreviewFrame } from './preview-frame';
import { previewUrl } from './preview-state';
import { fitPage } from './preview-widths';
import { WidthMenu } from './width-menu';
import './preview.css';

/** Shows the chosen port, or how to get one. */
export function PreviewPanel() {
  const { preview, project, layout } = useWorkbench();
  const commands = useCommands();
  const { ports, port, path, reloads } = useStore(preview.state);
  const { id } = useStore(project);
  const open = ports.find((other) => other.port === port);

  const px = useStorePart(layout, (now) => now.previewWidth);
  const body = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const page = px === undefined ? undefined : fitPage(px, room);

  useEffect(() => answerPreviewPages(id, () => preview.state.get().ports), [id, preview]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(entry!.contentRect));
    observer.observe(body.current!);
    return () => observer.disconnect();
  }, []);

  return (
    <>
      <PanelHeader
        panel="preview"
        bare
        actions={
          open && (
            <>
              <WidthMenu px={px} scale={page?.scale ?? 1} />
              <IconButton
                label="Open in a new tab"
                small
                onClick={() => window.open(`/p/${id}/preview/${open.port}?path=${encodeURIComponent(path)}`, '_blank')}
              >
                <ExternalLink size={14} />
              </IconButton>
            </>
          )
        }
      >
        {ports.length > 0 && (
          <Menu
            label="Ports"
            entries={ports.map((other) => ({
              kind: 'item',
              label: `Port ${other.port}`,
              checked: other.port === port,
              run: () => preview.show(other.port),
            }))}
          >
            <button type="button" className="port-button" aria-label={`Port ${port ?? 'none'}; choose another`}>
              :{port}
              <ChevronDown size={12} aria-hidden="true" />
            </button>
          </Menu>
        )}
        {open && (
          <>
            <IconButton
              label="Reload"
              keys={commandKeys(commands.find((command) => command.id === 'preview.reload'))}
              small
              onClick={() => preview.reload()}
            >
              <RotateCw size={14} />
            </IconButton>
            <AddressBar path={path} go={preview.go} />
          </>
        )}
        {!open && <span className="panel-title">Preview</span>}
      </PanelHeader>
      <div className="preview-body" ref={body}>
        {open ? (
          <PreviewFrame
            key={`${open.port} ${reloads}`}
            url={previewUrl(open, path)}
            name={`Preview of port ${open.port}`}
            style={page && { width: page.width, height: page.height, scale: String(page.scale) }}
          />
        ) : (
          <NothingListens port={port} />
        )}
      </div>
    </>
  );
}

function AddressBar({ path, go }: { path: string; go: (path: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(input.current!.value);
  };
  return (
    <form className="address" onSubmit={submit}>
      <input
        key={path}
        ref={input}
        className="field"
        aria-label="Address in the preview"
        defaultValue={path}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = path;
        }}
      />
    </form>
  );
}
