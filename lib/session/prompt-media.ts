// Which images and documents of a conversation are sent with the next step, and what is said in place of the others. The newest come first: what
// was looked at long ago can be read again.
import { modelTraits } from '../registry/model-traits';
import type { KeptFile } from '../tools/tool';
import { mediaTexts } from './media.prompt';
import type { SavedBlob } from './messages';
import { filesOf, type PromptMedia, type PromptUnit, type ShownFile } from './to-prompt';

const maxInlineBytes = 25 * 2 ** 20;

export interface MediaChoice {
  /** Who is asked. */
  model: string;
  load(id: string): Promise<SavedBlob | undefined>;
  /** Ids that the provider refused. */
  refused: ReadonlySet<string>;
}

/** `units`: those that the next prompt shows. */
export async function promptMedia(
  units: readonly PromptUnit[],
  { model, load, refused }: MediaChoice,
): Promise<PromptMedia> {
  const { media: takes } = modelTraits(model);
  const shown = new Map<KeptFile, ShownFile>();
  let total = 0;
  for (const file of units.flatMap(filesOf).toReversed()) {
    const name = nameOf(file);
    const kind = file.mediaType === 'application/pdf' ? 'pdf' : 'image';
    const note = (text: string) => shown.set(file, { kind: 'note', text });
    if (file.mediaType.startsWith('audio/')) note(mediaTexts.sound(name));
    else if (!takes.includes(kind)) note(mediaTexts.unsupported(name, kind === 'pdf' ? 'PDF documents' : 'images'));
    else if (refused.has(file.id)) note(mediaTexts.rejected(name));
    else if (total > maxInlineBytes) note(mediaTexts.older(name));
    else {
      const blob = await load(file.id);
      if (blob === undefined) {
        note(mediaTexts.gone(name));
        continue;
      }
      const base64 = toBase64(blob.bytes);
      total += base64.length;
      if (total > maxInlineBytes) note(mediaTexts.older(name));
      else shown.set(file, { kind: 'file', mediaType: blob.mediaType, base64 });
    }
  }
  return shown;
}

/** For people and models. */
export function nameOf(file: KeptFile): string {
  if (file.name !== undefined) return file.name;
  if (file.mediaType.startsWith('audio/')) return 'A sound';
  return file.mediaType === 'application/pdf' ? 'A PDF document' : 'An image';
}

function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // As many bytes at a time as a call takes arguments, in threes so that the pieces join.
  for (let at = 0; at < bytes.length; at += 24_576)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return pieces.join('');
}
