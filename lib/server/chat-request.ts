// The wire format of one model step: the call options of LanguageModelV4, minus everything a browser has no business to set. Unknown
// members are dropped, so no header, raw option or provider tool gets through.
import { z } from 'zod';

/** What was read from JSON can't be anything else. To look at every value again would let one long body stop the server for minutes. */
const json = z.unknown().refine((value) => value !== undefined, 'is missing');
/** Signatures and ids that a provider gave us earlier. */
const echo = z.record(z.string().max(64), z.record(z.string().max(128), json)).optional();
/** Gateways put what a model thought into the ids of its calls. */
const id = z.string().min(1).max(16_000);
const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const textPart = z.object({ type: z.literal('text'), text: z.string(), providerOptions: echo });
/** A search for what does not belong: a pattern for the whole would need a stack as deep as the text is long. */
const isBase64 = (text: string) => text !== '' && !/[^A-Za-z0-9+/=]/.test(text);

/** Bytes only, of the kinds that models take: no addresses that a provider would fetch. */
const filePart = z.object({
  type: z.literal('file'),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']),
  data: z.object({ type: z.literal('data'), data: z.string().max(28_000_000).refine(isBase64, 'is not base64') }),
  filename: z.string().max(256).optional(),
});
const toolCall = z.object({
  type: z.literal('tool-call'),
  toolCallId: id,
  toolName: z.string().max(256),
  input: json,
  providerOptions: echo,
});
const reasoning = z.object({ type: z.literal('reasoning'), text: z.string(), providerOptions: echo });
const toolResult = z.object({
  type: z.literal('tool-result'),
  toolCallId: id,
  toolName: z.string().max(256),
  output: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), value: z.string() }),
    z.object({ type: z.literal('error-text'), value: z.string() }),
    z.object({ type: z.literal('content'), value: z.array(z.discriminatedUnion('type', [textPart, filePart])).min(1) }),
  ]),
  providerOptions: echo,
});

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string(), providerOptions: echo }),
  z.object({
    role: z.literal('user'),
    content: z.array(z.discriminatedUnion('type', [textPart, filePart])).min(1),
    providerOptions: echo,
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.array(z.discriminatedUnion('type', [textPart, reasoning, toolCall])).min(1),
    providerOptions: echo,
  }),
  z.object({ role: z.literal('tool'), content: z.array(toolResult).min(1), providerOptions: echo }),
]);

/** The body of `POST /api/chat`. */
export const chatRequest = z.object({
  model: z.string().regex(/^[a-z]+\/[\w.:@/-]{1,120}$/),
  options: z.object({
    prompt: z.array(message).min(1).max(50_000),
    tools: z
      .array(
        z.object({
          type: z.literal('function'),
          name: toolName,
          description: z.string().max(20_000).optional(),
          inputSchema: z.record(z.string(), json),
        }),
      )
      .max(128)
      .optional(),
    toolChoice: z.object({ type: z.enum(['auto', 'none', 'required']) }).optional(),
    maxOutputTokens: z.number().int().positive().optional(),
    temperature: z.number().min(0).max(2).optional(),
    topP: z.number().min(0).max(1).optional(),
    topK: z.number().int().min(1).max(1000).optional(),
    stopSequences: z.array(z.string().min(1).max(200)).max(4).optional(),
    reasoning: z.enum(['provider-default', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
  }),
});
export type ChatRequest = z.infer<typeof chatRequest>;
