// A server's prompts: what they are called, what they want to know, and the text that comes of one. The text is said by the person who chose it.
import { z } from 'zod';
import type { NewMedia } from '../../tools/tool';
import { textOfPart } from './call-result';
import { mediaReader } from './result-media';
import type { McpServerState } from './server-state';

export interface McpPrompt {
  server: string;
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}

/** What is said: the text, and what the server wants to be looked at with it. */
export interface PromptText {
  text: string;
  media: NewMedia[];
}

const definition = z.looseObject({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z
    .array(
      z.looseObject({
        name: z.string().min(1),
        description: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
});

/** Of a connected server; a prompt whose definition makes no sense is left out. */
export function promptsOf({ config, status, prompts }: McpServerState): McpPrompt[] {
  if (status.kind !== 'connected') return [];
  return prompts.flatMap((entry) => {
    const parsed = definition.safeParse(entry);
    if (!parsed.success) return [];
    const { name, title, description, arguments: wanted = [] } = parsed.data;
    return [
      {
        server: config.name,
        name,
        description: description ?? title ?? '',
        arguments: wanted.map((one) => ({
          name: one.name,
          description: one.description ?? '',
          required: one.required === true,
        })),
      },
    ];
  });
}

const messages = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.enum(['user', 'assistant']), content: z.looseObject({ type: z.string() }) }),
  ),
});

/** The answer to `prompts/get` as one text. What the server puts into the model's mouth is marked as that. *Throws* an Error fit to show. */
export function promptText(answer: unknown): PromptText {
  const parsed = messages.safeParse(answer);
  if (!parsed.success) throw new Error('The server answered in a form that the protocol does not have.');
  const reader = mediaReader();
  const texts = parsed.data.messages.map(({ role, content }, at) => {
    const text = textOfPart(content, at, reader);
    return role === 'user' || text === '' ? text : `(An answer that was written for you:)\n${text}`;
  });
  return { text: texts.filter((text) => text !== '').join('\n\n'), media: reader.media };
}
