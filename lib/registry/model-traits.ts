// What is known of models: how they like to change files, which schemas their provider takes, which prompt suits them. By name, because
// providers do not say; the person may overrule it.

/** `patch`: apply_patch; `replace`: edit, multiedit and write. */
export type EditingStyle = 'patch' | 'replace';

export interface ModelTraits {
  family: 'claude' | 'gpt' | 'gemini' | 'other';
  editing: EditingStyle;
  /** Which keywords of JSON Schema its provider accepts. */
  schema: 'anthropic' | 'openai' | 'gemini' | 'kimi' | 'plain';
  /** Media types that may be sent to it. */
  media: readonly ('image' | 'pdf')[];
  /** Whether its API takes media in the result of a tool; otherwise they follow as words of the person. */
  mediaInResults: boolean;
}

/** `id`: `<provider>/<model>`; an alias of a proxy counts by the model's name in it. */
export function modelTraits(id: string, editing?: EditingStyle): ModelTraits {
  const name = id.toLowerCase();
  const traits = { ...byName(name), mediaInResults: /^(anthropic|openai|google)\//.test(name) };
  return editing === undefined ? traits : { ...traits, editing };
}

/** Open models that look at images say so in their names. */
const seesImages = /vision|llava|pixtral|gemma-?[34]|llama-?4|[-.:/]vl\b|\dvl\b/;

function byName(name: string): Omit<ModelTraits, 'mediaInResults'> {
  if (/claude/.test(name))
    return { family: 'claude', editing: 'replace', schema: 'anthropic', media: ['image', 'pdf'] };
  if (/gemini/.test(name)) return { family: 'gemini', editing: 'replace', schema: 'gemini', media: ['image', 'pdf'] };
  if (/gpt-/.test(name)) {
    // Older ones and the open weights were not trained on the patch format.
    const editing = /gpt-(3|4|oss)/.test(name) ? 'replace' : 'patch';
    return { family: 'gpt', editing, schema: 'openai', media: /gpt-(3|oss)/.test(name) ? [] : ['image'] };
  }
  if (/(^|\/)o[134](-|$)/.test(name)) return { family: 'gpt', editing: 'replace', schema: 'openai', media: ['image'] };
  const media = seesImages.test(name) ? (['image'] as const) : [];
  if (/kimi|moonshot/.test(name)) return { family: 'other', editing: 'replace', schema: 'kimi', media };
  return { family: 'other', editing: 'replace', schema: 'plain', media };
}
