// What a server answered to a call, as a tool's result. All of it is kept or named: text, structure, media, links; nothing is dropped silently.
import { z } from 'zod';
import { ToolError, type ToolResult } from '../../tools/tool';

const content = z.array(z.looseObject({ type: z.string() }));
const answer = z.looseObject({
  content: content.optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});
const resource = z.looseObject({
  uri: z.string(),
  mimeType: z.string().optional(),
  text: z.string().optional(),
  blob: z.string().optional(),
});

/** *Throws* a ToolError when the server calls it an error, or answered in no form that the protocol knows. */
export function callResult(server: string, title: string, value: unknown): ToolResult {
  const parsed = answer.safeParse(value);
  if (!parsed.success)
    throw new ToolError(`The MCP server ${server} answered in a form that the protocol does not have.`);
  const { content: parts = [], structuredContent, isError } = parsed.data;
  const texts = parts.map(textOfPart).filter((text) => text !== '');
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent, null, 2));
  const output = texts.join('\n\n');
  if (isError === true)
    throw new ToolError(output === '' ? `The MCP server ${server} reported an error without a word.` : output);
  return {
    title,
    output: output === '' ? 'It answered with nothing.' : output,
    meta: { mcp: server, ...(structuredContent === undefined ? {} : { structured: structuredContent }) },
  };
}

function textOfPart(part: Record<string, unknown> & { type: string }): string {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? part.text : '';
    case 'image':
    case 'audio':
      return mediaNote(part.type, part.mimeType, part.data);
    case 'resource': {
      const parsed = resource.safeParse(part.resource);
      return parsed.success ? resourceText(parsed.data) : '[A resource in a form that the protocol does not have.]';
    }
    case 'resource_link':
      return `[Link to the resource ${String(part.uri)}${typeof part.name === 'string' ? ` (${part.name})` : ''}; it can be read by its uri.]`;
    default:
      return `[Content of the kind ${JSON.stringify(part.type)}, which Cloche does not know, was left out.]`;
  }
}

/** The contents of one resource as text, or a note that says what was left out. */
export function resourceText(value: z.infer<typeof resource>): string {
  if (value.text !== undefined) return value.text;
  return mediaNote(`The resource ${value.uri}`, value.mimeType, value.blob);
}

/** The answer to `resources/read`. *Throws* a ToolError as `callResult` does. */
export function resourceResult(server: string, uri: string, value: unknown): ToolResult {
  const parsed = z.looseObject({ contents: z.array(resource) }).safeParse(value);
  if (!parsed.success)
    throw new ToolError(`The MCP server ${server} answered in a form that the protocol does not have.`);
  return {
    title: uri,
    output: parsed.data.contents.map(resourceText).join('\n\n') || 'It is empty.',
    meta: { mcp: server },
  };
}

function mediaNote(what: string, mediaType: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0;
  const name = what === 'image' ? 'An image' : what === 'audio' ? 'A sound' : what;
  return `[${name} (${typeof mediaType === 'string' ? mediaType : 'unknown type'}, ${bytes} bytes) was sent; it can’t be shown to you here.]`;
}
