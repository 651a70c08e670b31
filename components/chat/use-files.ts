// What the person wants to show with the next message: pasted, dropped or chosen, kept by the conversation at once.
import { useCallback, useState } from 'react';
import type { Session } from '../../lib/session/types';
import type { KeptFile } from '../../lib/tools/tool';
import { showError } from '../ui/toasts';

/** More is never sent, so more need not be read. */
const maxBytes = 20 * 2 ** 20;

export interface Files {
  list: readonly KeptFile[];
  add(files: Iterable<File>): Promise<void>;
  remove(file: KeptFile): void;
  /** All of them, for sending; afterwards there are none. */
  take(): KeptFile[];
  /** Back again, when sending failed or was taken back. */
  put(files: readonly KeptFile[]): void;
}

/** *Contract:* mounted anew for another conversation. */
export function useFiles(session: Session): Files {
  const [list, setList] = useState<readonly KeptFile[]>([]);
  const put = useCallback(
    (files: readonly KeptFile[]) =>
      setList((now) => [...now, ...files.filter((file) => !now.some((other) => other.id === file.id))]),
    [],
  );
  return {
    list,
    put,
    remove: (file) => setList((now) => now.filter((other) => other !== file)),
    take() {
      setList([]);
      return [...list];
    },
    async add(files) {
      for (const file of files) {
        try {
          if (file.size > maxBytes) throw new Error(`it has more than ${maxBytes / 2 ** 20} MB`);
          if (file.type.startsWith('audio/')) throw new Error('no model takes sounds');
          const bytes = new Uint8Array(await file.arrayBuffer());
          const { kept, notes } = await session.keep([{ bytes, mediaType: file.type, name: file.name }]);
          put(kept);
          if (notes.length > 0) throw new Error(notes.join(' ').replace(/^\[|\]$/g, ''));
        } catch (error) {
          showError(`Could not add ${file.name}`, error);
        }
      }
    },
  };
}
