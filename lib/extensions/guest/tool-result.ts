// What a tool returned, in the one form that goes to the page. Its text is cut here when it is huge, so that no answer is longer than a line may be.
import { maxAttachmentUnits, maxOutputUnits } from '../protocol';

/** *Throws* an Error that says what was returned instead of a text. */
export function resultOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'string') return { output: bounded(value) };
  if (typeof value !== 'object' || value === null || typeof (value as { output?: unknown }).output !== 'string')
    throw new Error(`The tool returned ${shown(value)}. A tool returns a text, or an object with a text as output.`);
  const { title, output, metadata, attachments } = value as Record<string, unknown>;
  return {
    output: bounded(output as string),
    ...(typeof title === 'string' ? { title: title.slice(0, 1000) } : {}),
    ...(metadata === undefined ? {} : { metadata }),
    ...(Array.isArray(attachments) ? { attachments: fitting(attachments) } : {}),
  };
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
    const kept = { mime: String(mime), ...(typeof filename === 'string' ? { filename } : {}) };
    if (typeof url !== 'string' || url.length > left) return { ...kept, tooBig: true };
    left -= url.length;
    return { ...kept, url };
  });
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
