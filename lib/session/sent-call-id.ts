// Ids of calls as a provider takes them. A conversation may have those of other providers in it, and of calls that no model made.

const usual = /^[A-Za-z0-9_-]{1,64}$/;
/** Mistral's: https://docs.mistral.ai/capabilities/function_calling */
const short = /^[A-Za-z0-9]{9}$/;

/** The id itself where the model takes it, else one that stands for it: always the same. `isOwn`: the model made the call. `model`: `<provider>/<model>`. */
export function sentCallId(id: string, model: string, isOwn: boolean): string {
  if (idStyle(model) === 'short') return short.test(id) ? id : digest(id).slice(-9);
  // What an unknown server made it may want back as it is.
  if (usual.test(id) || (isOwn && model.startsWith('compatible/'))) return id;
  return `call_${digest(id)}`;
}

/** How ids must look for a model. */
export function idStyle(model: string): 'usual' | 'short' {
  return /^compatible\/.*(mistral|mixtral|ministral|codestral|devstral|magistral)/i.test(model) ? 'short' : 'usual';
}

/** Eleven letters and digits of 53 bits (cyrb53). */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36).padStart(11, '0');
}
