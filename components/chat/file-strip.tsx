// The images and documents that will go with the message, each with a way to leave it out.
'use client';

import { Paperclip, X } from 'lucide-react';
import { useRef } from 'react';
import { modelTraits } from '../../lib/registry/model-traits';
import { KeptFiles } from '../tool-views/kept-files';
import { IconButton } from '../ui/tip';
import { useCurrent } from './chat-context';
import type { Files } from './use-files';

/** Nothing while there are none. */
export function FileStrip({ files }: { files: Files }) {
  const { session, state } = useCurrent();
  if (files.list.length === 0) return null;
  const { media } = modelTraits(state.model);
  const unseen = files.list.some((file) => !media.includes(file.mediaType === 'application/pdf' ? 'pdf' : 'image'));
  return (
    <div className="file-strip">
      <ul aria-label="Goes with the message">
        {files.list.map((file) => (
          <li key={file.id}>
            <KeptFiles files={[file]} load={session.file} />
            <IconButton label={`Leave out ${file.name ?? 'it'}`} small onClick={() => files.remove(file)}>
              <X size={12} />
            </IconButton>
          </li>
        ))}
      </ul>
      {unseen && <p className="diff-note">This model can’t look at all of these. It will be told their names.</p>}
    </div>
  );
}

/** Chooses files from the person's machine. */
export function AddFile({ files }: { files: Files }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp,application/pdf"
        onChange={(event) => {
          const chosen = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          void files.add(chosen);
        }}
      />
      <IconButton label="Show an image or a PDF" small onClick={() => input.current?.click()}>
        <Paperclip size={14} />
      </IconButton>
    </>
  );
}
