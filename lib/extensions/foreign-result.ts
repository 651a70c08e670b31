// What a tool of the project answered, as a result of ours. All of it is hostile: it is text, and media that the session decodes before it keeps them.
import { type NewMedia, ToolError, type ToolResult } from '../tools/tool';

const maxMetadataUnits = 200_000;

/** *Throws* a ToolError when the answer has no form that a tool's answer has. */
export function foreignResult(value: unknown, name: string, path: string): ToolResult {
  const { title, output, metadata, attachments } = (value ?? {}) as Record<string, unknown>;
  if (typeof output !== 'string') throw new ToolError(`${name} answered without a text.`);
  const { media, notes } = mediaOf(attachments);
  const isFitting = metadata !== undefined && JSON.stringify(metadata).length <= maxMetadataUnits;
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title.split('\n')[0]!.slice(0, 200) : path,
    output: [output === '' ? 'It answered with an empty text.' : output, ...notes].join('\n'),
    cut: {},
    meta: { extension: path, ...(isFitting ? { extra: metadata } : {}) },
    ...(media.length > 0 ? { media } : {}),
  };
}

function mediaOf(attachments: unknown): { media: NewMedia[]; notes: string[] } {
  const media: NewMedia[] = [];
  const notes: string[] = [];
  for (const one of Array.isArray(attachments) ? attachments : []) {
    const { mime, url, filename, tooBig } = (one ?? {}) as Record<string, unknown>;
    const shown = typeof filename === 'string' ? filename : String(mime);
    const match = typeof url === 'string' ? /^data:([\w./+-]+);base64,([A-Za-z0-9+/=]*)$/.exec(url) : null;
    if (match === null) {
      const why = tooBig === true ? 'it is too big' : 'only data: addresses with base64 are taken';
      notes.push(`[The attachment ${shown} was left out: ${why}.]`);
      continue;
    }
    try {
      const bytes = Uint8Array.from(atob(match[2]!), (unit) => unit.charCodeAt(0));
      const name = typeof filename === 'string' ? { name: filename.slice(0, 200) } : {};
      media.push({ bytes, mediaType: match[1]!, ...name });
    } catch {
      notes.push(`[The attachment ${shown} was left out: it is not base64.]`);
    }
  }
  return { media, notes };
}
