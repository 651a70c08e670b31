// The websearch and codesearch tools: a provider's results as material. The question itself leaves the browser, so it is what is asked about.
import { z } from 'zod';
import { foreignCut, framed } from './foreign-text';
import type { SearchRequest, SearchWeb } from './search-web';
import type { Tool, ToolContext, ToolResult } from './tool';
import { websearchPrompt } from './websearch.prompt';

const query = z.string().min(1).max(1000).describe('What to look for');

const webInput = z.object({
  query,
  numResults: z.number().int().min(1).max(20).optional().describe('How many results'),
  type: z.enum(['auto', 'fast', 'deep']).optional().describe('How thorough'),
  livecrawl: z.enum(['fallback', 'preferred']).optional().describe('Kept copies or live pages'),
  contextMaxCharacters: z.number().int().min(500).max(50_000).optional().describe('How much text in all'),
});

const codeInput = z.object({
  query,
  tokensNum: z.number().int().min(1000).max(50_000).optional().describe('How much to show'),
});

/** Searches the web. */
export function websearchTool(search: SearchWeb): Tool<z.infer<typeof webInput>> {
  return {
    name: 'websearch',
    kind: 'net',
    description: websearchPrompt.web,
    input: webInput,
    example: { query: 'Node.js 24 release notes', numResults: 5 },
    execute: (input, context) => run(search, { kind: 'web', ...input }, context),
  };
}

/** Searches documentation and public code; the same permission, because the same things leave the browser. */
export function codesearchTool(search: SearchWeb): Tool<z.infer<typeof codeInput>> {
  return {
    name: 'codesearch',
    kind: 'net',
    permission: 'websearch',
    description: websearchPrompt.code,
    input: codeInput,
    example: { query: 'zod discriminatedUnion with defaults', tokensNum: 5000 },
    execute: (input, context) => run(search, { kind: 'code', ...input }, context),
  };
}

async function run(search: SearchWeb, request: SearchRequest, context: ToolContext): Promise<ToolResult> {
  const title = request.query;
  context.update({ title });
  await context.ask({
    permission: 'websearch',
    patterns: [title],
    always: ['*'],
    title: request.kind === 'web' ? `Search the web for “${title}”` : `Search public code for “${title}”`,
  });
  const text = await search(request, context.signal);
  const output = framed(websearchPrompt.results(title), text, websearchPrompt.nothing);
  return { title, output, cut: foreignCut, value: () => text };
}
