// What somebody else may ask a model through the session: a whole request of its own, with nothing of the conversation in it. The person sees
// all of it and says yes, each time.
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ToolContext } from './tool';

/** One request. `tools` carry their schemas as they came; the session puts them into the provider's dialect. */
export interface SampleRequest {
  prompt: LanguageModelV4Prompt;
  tools: Pick<LanguageModelV4FunctionTool, 'name' | 'description' | 'inputSchema'>[];
  toolChoice: 'auto' | 'required' | 'none';
  maxOutputTokens: number;
  temperature?: number;
  stopSequences?: string[];
  /** All that the model is told, in words, for the person. */
  shown: string;
}

/** What the model said. `calls`: of the tools of the request; nobody has run them. */
export interface SampleAnswer {
  model: string;
  text: string;
  calls: { callId: string; tool: string; input: unknown }[];
  finishReason: string;
}

/** Nobody said yes; the message is for whoever asked. */
export class SampleRefused extends Error {}

/** `from`: the MCP server that wants it, in the call `callId`. Rejects with SampleRefused, or an Error whose message the server may read. */
export type Sample = (
  request: SampleRequest,
  context: Pick<ToolContext, 'callId' | 'signal'> & { from: string },
) => Promise<SampleAnswer>;
