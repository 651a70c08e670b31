// Long outputs in the session store, beside the media and bounded apart from them: no flood of text pushes out what the person showed.
import { type KeptOutputs, outputScheme } from '../tools/kept-outputs';
import { type BlobStore, hashOf } from './keep-media';

/** Of one conversation, in all. */
const maxTotalBytes = 50 * 2 ** 20;
/** Of one output; the rest of a longer one is lost, which its text says. */
const maxChars = 16_000_000;
const nameDigits = 16;

/** The outputs of the person's conversation of that id and of its sub-agents. `redact` is applied to what is kept. */
export function keptOutputs(
  store: BlobStore,
  conversationId: string,
  redact: (text: string) => string = (text) => text,
): KeptOutputs {
  const shelf = outputsOf(conversationId);
  return {
    async keep(text) {
      const bytes = new TextEncoder().encode(redact(shortened(text)));
      const id = (await hashOf(bytes)).slice(0, nameDigits);
      await store.saveBlob(shelf, { id, mediaType: 'text/plain', bytes, addedAtMs: Date.now() }, maxTotalBytes);
      return outputScheme + id;
    },
    async load(name) {
      const saved = await store.loadBlob(shelf, name.slice(outputScheme.length));
      return saved && new TextDecoder().decode(saved.bytes);
    },
  };
}

/** Under which id the store has the outputs of a conversation. */
export function outputsOf(conversationId: string): string {
  return `${conversationId}/outputs`;
}

function shortened(text: string): string {
  if (text.length <= maxChars) return text;
  const half = maxChars / 2;
  return `${text.slice(0, half)}\n[… ${text.length - maxChars} characters were too many to keep …]\n${text.slice(-half)}`;
}
