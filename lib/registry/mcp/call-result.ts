// What a server answered to a call, as a tool's result. All of it is kept or named, in its order: text, structure, media, links.
import { z } from 'zod';
import { ToolError, type ToolResult } from '../../tools/tool';
import { type MediaReader, mediaReader, resourceContents } from './result-media';

const content = z.array(z.looseObject({ type: z.string() }));
const answer = z.looseObject({
  content: content.optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** *Throws* a ToolError when the server calls it an error, or answered in no form that the protocol knows. */
export function callResult(server: string, title: string, value: unknown): ToolResult {
  const parsed = answer.safeParse(value);
  if (!parsed.success) throw notOfTheProtocol(server);
  const { content: parts = [], structuredContent, isError } = parsed.data;
  const reader = mediaReader();
  const texts = parts.map((part, at) => textOfPart(part, at, reader)).filter((text) => text !== '');
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent, null, 2));
  const output = texts.join('\n\n');
  if (isError === true)
    throw new ToolError(output === '' ? `The MCP server ${server} reported an error without a word.` : output);
  return {
    title,
    output: output === '' ? 'It answered with nothing.' : output,
    meta: { mcp: server, ...(structuredContent === undefined ? {} : { structured: structuredContent }) },
    ...shown(reader),
  };
}

/** The answer to `resources/read`. *Throws* a ToolError as `callResult` does. */
export function resourceResult(server: string, uri: string, value: unknown): ToolResult {
  const parsed = z.looseObject({ contents: z.array(resourceContents) }).safeParse(value);
  if (!parsed.success) throw notOfTheProtocol(server);
  const reader = mediaReader();
  return {
    title: uri,
    output: parsed.data.contents.map(reader.resource).join('\n\n') || 'It is empty.',
    meta: { mcp: server },
    ...shown(reader),
  };
}

/** One part of a result or of a prompt's message; its media go to the reader. */
export function textOfPart(part: Record<string, unknown> & { type: string }, at: number, reader: MediaReader): string {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? part.text : '';
    case 'image':
      return reader.take('An image', part.mimeType, part.data, `image ${at + 1}`);
    case 'audio':
      return reader.take('A sound', part.mimeType, part.data, `sound ${at + 1}`);
    case 'resource': {
      const parsed = resourceContents.safeParse(part.resource);
      return parsed.success ? reader.resource(parsed.data) : '[A resource in a form that the protocol does not have.]';
    }
    case 'resource_link':
      return `[Link to the resource ${String(part.uri)}${typeof part.name === 'string' ? ` (${part.name})` : ''}; it can be read by its uri.]`;
    default:
      return `[Content of the kind ${JSON.stringify(part.type)}, which Cloche does not know, was left out.]`;
  }
}

function shown({ media }: MediaReader): Pick<ToolResult, 'media'> {
  return media.length === 0 ? {} : { media };
}

function notOfTheProtocol(server: string): ToolError {
  return new ToolError(`The MCP server ${server} answered in a form that the protocol does not have.`);
}
