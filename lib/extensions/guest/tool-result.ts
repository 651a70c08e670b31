// What a tool returned, in the one form that goes to the page. Its text is cut here when it is huge, so that no answer is longer than a line may be.
import { maxAttachmentUnits, maxOutputUnits } from '../protocol';

/**
 * A text, an object with a text as `output`, or anything else as the JSON of it: the call was made, and a model that is told of a failure makes it
 * again. *Throws* an Error for what has no JSON either.
 */
export function resultOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return { output: bounded(value) };
  if (value === undefined || value === null) return { output: '(The tool returned nothing.)' };
  if (typeof value !== 'object' || typeof (value as { output?: unknown }).output !== 'string') return asJson(value);
  const { title, output, metadata, attachments } = value as Record<string, unknown>;
  const given = plainJson(metadata);
  return {
    output: bounded(output as string),
    ...(typeof title === 'string' ? { title: title.slice(0, 1000) } : {}),
    ...(given === undefined ? {} : { metadata: given }),
    ...(Array.isArray(attachments) ? { attachments: fitting(attachments) } : {}),
  };
}

function asJson(value: unknown): Record<string, unknown> {
  const json = plainJson(value);
  if (json === undefined)
    throw new Error(
      `The tool ran, and what it returned can’t be told (${typeof value}). A tool returns a text, or an object with a text as output.`,
    );
  return { output: bounded(JSON.stringify(json)) };
}

/** As JSON carries it; undefined for what JSON can’t carry: circles, BigInts, functions. */
export function plainJson(value: unknown): unknown {
  try {
    const json = JSON.stringify(value);
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

function bounded(text: string): string {
  if (text.length <= maxOutputUnits) return text;
  const half = maxOutputUnits / 2;
  return `${text.slice(0, half)}\n[… ${text.length - maxOutputUnits} characters left out here …]\n${text.slice(-half)}`;
}

function fitting(attachments: unknown[]): unknown[] {
  let left = maxAttachmentUnits;
  return attachments.slice(0, 20).map((one) => {
    const { mime, url, filename } = (one ?? {}) as Record<string, unknown>;
    const kept = {
      mime: typeof mime === 'string' ? mime : 'without a type',
      ...(typeof filename === 'string' ? { filename } : {}),
    };
    if (typeof url !== 'string') return kept;
    if (url.length > left) return { ...kept, tooBig: true };
    left -= url.length;
    return { ...kept, url };
  });
}
