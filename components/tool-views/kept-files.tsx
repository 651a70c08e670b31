// Images and documents of a conversation: small, and large on a click. They come from the store of the session and from nowhere else, so that
// nothing the model says can make the page load an address.
'use client';

import { FileText, ImageOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SavedBlob } from '../../lib/session/messages';
import type { KeptFile } from '../../lib/tools/tool';
import { Sheet } from '../ui/sheet';

/** What a page may draw as an image; the type that the store names decides nothing else. */
const drawn = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

interface KeptFilesProps {
  files: readonly KeptFile[];
  load: (id: string) => Promise<SavedBlob | undefined>;
}

/** Nothing for no files. */
export function KeptFiles({ files, load }: KeptFilesProps) {
  if (files.length === 0) return null;
  return (
    <ul className="kept-files">
      {files.map((file) => (
        <li key={file.id}>
          {drawn.includes(file.mediaType) ? (
            <Thumbnail file={file} load={load} />
          ) : file.mediaType.startsWith('audio/') ? (
            <Sound file={file} load={load} />
          ) : (
            <span className="kept-file">
              <FileText size={16} aria-hidden="true" />
              {file.name ?? 'Document'}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The file as an address of this page, for as long as it is shown; `gone` when it is not kept any more. */
function useBlobUrl(file: KeptFile, load: KeptFilesProps['load']): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let left = false;
    load(file.id)
      .catch(() => undefined)
      .then((blob) => {
        if (left) return;
        if (blob !== undefined)
          made = URL.createObjectURL(new Blob([new Uint8Array(blob.bytes)], { type: file.mediaType }));
        setUrl(made ?? 'gone');
      });
    return () => {
      left = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file, load]);
  return url;
}

function Gone({ name }: { name: string }) {
  return (
    <span className="kept-file">
      <ImageOff size={16} aria-hidden="true" />
      {`${name} is not kept any more`}
    </span>
  );
}

function Sound({ file, load }: { file: KeptFile; load: KeptFilesProps['load'] }) {
  const url = useBlobUrl(file, load);
  const name = file.name ?? 'Sound';
  if (url === undefined) return <span className="kept-file" aria-busy="true" />;
  if (url === 'gone') return <Gone name={name} />;
  // biome-ignore lint/a11y/useMediaCaption: a server's answer brings no captions.
  return <audio className="kept-sound" controls preload="metadata" src={url} aria-label={name} />;
}

function Thumbnail({ file, load }: { file: KeptFile; load: KeptFilesProps['load'] }) {
  const url = useBlobUrl(file, load);
  const [open, setOpen] = useState(false);
  const name = file.name ?? 'Image';
  if (url === undefined) return <span className="kept-file" aria-busy="true" />;
  if (url === 'gone') return <Gone name={name} />;
  return (
    <>
      <button type="button" className="thumbnail" aria-label={`Open ${name}`} onClick={() => setOpen(true)}>
        {/* biome-ignore lint/performance/noImgElement: a blob of the conversation, nothing that a server could optimise. */}
        <img src={url} alt={name} />
      </button>
      <Sheet title={name} open={open} close={() => setOpen(false)}>
        {/* biome-ignore lint/performance/noImgElement: as above. */}
        <img className="large-image" src={url} alt={name} />
      </Sheet>
    </>
  );
}
