// Media of tools and of the person into the store, by the hash of their content. What can't be decoded is never kept: one broken image would make
// every later request fail.
import { mediaKind } from '../tools/media-kind';
import type { KeptFile, NewMedia, ToolResult } from '../tools/tool';
import { type FitImage, fitInBrowser } from './fit-image';
import { mediaTexts } from './media.prompt';
import type { SavedBlob } from './messages';

/** Where bytes are kept. */
export interface BlobStore {
  /** Keeps bytes for a session, once for the same content; beyond `maxTotalBytes` (default 200 MiB) a session's oldest go. */
  saveBlob(sessionId: string, blob: SavedBlob, maxTotalBytes?: number): Promise<void>;
  loadBlob(sessionId: string, id: string): Promise<SavedBlob | undefined>;
}

export interface MediaKeeper {
  store: Pick<BlobStore, 'saveBlob'>;
  sessionId: string;
  fitImage?: FitImage | undefined;
}

const maxPdfBytes = 20 * 2 ** 20;
const maxSoundBytes = 10 * 2 ** 20;

/** What was kept, and for the rest a note each. Never rejects for what the media are. */
export async function keepMedia(
  media: readonly NewMedia[],
  { store, sessionId, fitImage = fitInBrowser }: MediaKeeper,
): Promise<{ kept: KeptFile[]; notes: string[] }> {
  const kept: KeptFile[] = [];
  const notes: string[] = [];
  for (const { bytes, mediaType: said, name } of media) {
    const shown = name ?? said;
    // What it is called may be wrong; what it begins with is not.
    const kind = mediaKind(bytes);
    // For the person alone: it is never part of a request, so it need not be decoded here.
    if (kind?.sound !== undefined && bytes.length <= maxSoundBytes) {
      const id = await hashOf(bytes);
      await store.saveBlob(sessionId, { id, mediaType: kind.sound, bytes, addedAtMs: Date.now() });
      kept.push({ id, mediaType: kind.sound, ...(name === undefined ? {} : { name }) });
      continue;
    }
    if (kind?.mediaType === undefined) {
      notes.push(mediaTexts.unknown(shown, kind?.words ?? said));
      continue;
    }
    if (kind.mediaType === 'application/pdf' && bytes.length > maxPdfBytes) {
      notes.push(mediaTexts.tooLarge(shown, bytes.length, maxPdfBytes));
      continue;
    }
    try {
      const fitted =
        kind.mediaType === 'application/pdf'
          ? { bytes, mediaType: kind.mediaType }
          : await fitImage(bytes, kind.mediaType);
      const id = await hashOf(fitted.bytes);
      await store.saveBlob(sessionId, { id, mediaType: fitted.mediaType, bytes: fitted.bytes, addedAtMs: Date.now() });
      kept.push({ id, mediaType: fitted.mediaType, ...(name === undefined ? {} : { name }) });
    } catch (error) {
      notes.push(mediaTexts.broken(shown, kind.words, error instanceof Error ? error.message : String(error)));
    }
  }
  return { kept, notes };
}

/** A tool's result with its media kept, and notes about those that were not. */
export async function keepResult({ media, ...result }: ToolResult, keeper: MediaKeeper): Promise<ToolResult> {
  if (media === undefined || media.length === 0) return result;
  const { kept, notes } = await keepMedia(media, keeper);
  return {
    ...result,
    output: [result.output, ...notes].filter((line) => line !== '').join('\n'),
    attachments: [...(result.attachments ?? []), ...kept],
  };
}

/** SHA-256 as 64 hexadecimal digits. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return (
    new Uint8Array(digest).toHex?.() ??
    Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  );
}
