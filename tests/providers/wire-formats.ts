// The streaming formats themselves, as the providers document them: Anthropic Messages, OpenAI Responses, OpenAI chat completions with the
// reasoning_content of compatible servers, Google streamGenerateContent.

/**
 * What an answer is made of. `field`: where a compatible server puts its reasoning; `details`: OpenRouter's blocks, by chunk. `id`: of the call, where
 * the format has the provider's own.
 */
export type WirePart =
  | { reasoning: string; field?: 'reasoning_content' | 'reasoning'; details?: Record<string, unknown>[][] }
  | { text: string }
  | { tool: string; input: Record<string, unknown>; id?: string };

const event = (content: object, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(content)}\n\n`;
const pieces = (text: string, size: number) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];

/** https://docs.anthropic.com/en/api/messages-streaming */
export function* anthropicEvents(parts: WirePart[], step: number): Generator<string> {
  const send = (content: { type: string } & Record<string, unknown>) => event(content, content.type);
  const usage = {
    input_tokens: 1000,
    cache_read_input_tokens: 500,
    cache_creation_input_tokens: 100,
    output_tokens: 1,
  };
  yield send({
    type: 'message_start',
    message: {
      id: `msg_${step}`,
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  for (const [index, part] of parts.entries()) {
    const delta = (content: object) => send({ type: 'content_block_delta', index, delta: content });
    if ('reasoning' in part) {
      yield send({
        type: 'content_block_start',
        index,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      });
      for (const thinking of pieces(part.reasoning, 8)) yield delta({ type: 'thinking_delta', thinking });
      yield delta({ type: 'signature_delta', signature: `sig-${step}` });
    } else if ('text' in part) {
      yield send({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
      for (const text of pieces(part.text, 5)) yield delta({ type: 'text_delta', text });
    } else {
      yield send({
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id: `toolu_${step}_${index}`, name: part.tool, input: {} },
      });
      for (const partial_json of pieces(JSON.stringify(part.input), 7))
        yield delta({ type: 'input_json_delta', partial_json });
    }
    yield send({ type: 'content_block_stop', index });
  }
  const stop_reason = parts.some((part) => 'tool' in part) ? 'tool_use' : 'end_turn';
  yield send({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  yield send({ type: 'message_stop' });
}

/** https://platform.openai.com/docs/api-reference/chat/streaming */
export function* chatEvents(parts: WirePart[], step: number): Generator<string> {
  const id = `chatcmpl-${step}`;
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({
      id,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'fake',
      choices: [{ index: 0, delta, finish_reason }],
    });
  yield chunk({ role: 'assistant', content: '' });
  let index = 0;
  for (const part of parts) {
    if ('reasoning' in part) {
      for (const piece of pieces(part.reasoning, 8)) yield chunk({ [part.field ?? 'reasoning_content']: piece });
      for (const reasoning_details of part.details ?? []) yield chunk({ reasoning_details });
    } else if ('text' in part) for (const content of pieces(part.text, 5)) yield chunk({ content });
    else {
      yield chunk({
        tool_calls: [
          {
            index,
            id: part.id ?? `call_${step}_${index}`,
            type: 'function',
            function: { name: part.tool, arguments: '' },
          },
        ],
      });
      for (const text of pieces(JSON.stringify(part.input), 7))
        yield chunk({ tool_calls: [{ index, function: { arguments: text } }] });
      index++;
    }
  }
  yield chunk({}, index > 0 ? 'tool_calls' : 'stop');
  const usage = {
    prompt_tokens: 1200,
    completion_tokens: 20,
    total_tokens: 1220,
    prompt_tokens_details: { cached_tokens: 300 },
  };
  yield event({ id, object: 'chat.completion.chunk', created: 1, model: 'fake', choices: [], usage });
  yield 'data: [DONE]\n\n';
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export function* responsesEvents(parts: WirePart[], step: number): Generator<string> {
  let sequence_number = 0;
  const send = (content: { type: string } & Record<string, unknown>) =>
    event({ sequence_number: sequence_number++, ...content }, content.type);
  const response = { id: `resp_${step}`, object: 'response', created_at: 1, model: 'fake', service_tier: 'default' };
  yield send({ type: 'response.created', response: { ...response, status: 'in_progress', output: [] } });
  for (const [output_index, part] of parts.entries()) {
    const item_id = `item_${step}_${output_index}`;
    const added = (item: object) =>
      send({ type: 'response.output_item.added', output_index, item: { id: item_id, ...item } });
    const done = (item: object) =>
      send({ type: 'response.output_item.done', output_index, item: { id: item_id, ...item } });
    if ('reasoning' in part) {
      yield added({ type: 'reasoning', summary: [], encrypted_content: null });
      yield send({
        type: 'response.reasoning_summary_part.added',
        item_id,
        output_index,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      });
      for (const delta of pieces(part.reasoning, 8))
        yield send({ type: 'response.reasoning_summary_text.delta', item_id, output_index, summary_index: 0, delta });
      yield send({
        type: 'response.reasoning_summary_part.done',
        item_id,
        output_index,
        summary_index: 0,
        part: { type: 'summary_text', text: part.reasoning },
      });
      yield done({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: part.reasoning }],
        encrypted_content: `enc-${step}`,
      });
    } else if ('text' in part) {
      yield added({ type: 'message', status: 'in_progress', role: 'assistant', content: [] });
      for (const delta of pieces(part.text, 5))
        yield send({
          type: 'response.output_text.delta',
          item_id,
          output_index,
          content_index: 0,
          delta,
          logprobs: [],
        });
      yield done({
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: part.text, annotations: [], logprobs: [] }],
      });
    } else {
      const call = { type: 'function_call', call_id: `call_${step}_${output_index}`, name: part.tool };
      const text = JSON.stringify(part.input);
      yield added({ ...call, status: 'in_progress', arguments: '' });
      for (const delta of pieces(text, 7))
        yield send({ type: 'response.function_call_arguments.delta', item_id, output_index, delta });
      yield done({ ...call, status: 'completed', arguments: text });
    }
  }
  const usage = {
    input_tokens: 1300,
    input_tokens_details: { cached_tokens: 200 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 1320,
  };
  yield send({
    type: 'response.completed',
    response: { ...response, status: 'completed', output: [], incomplete_details: null, usage },
  });
}

/** https://ai.google.dev/api/generate-content */
export function* googleEvents(parts: WirePart[]): Generator<string> {
  const send = (part: object) =>
    event({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }], modelVersion: 'fake' });
  for (const part of parts) {
    if ('reasoning' in part) for (const text of pieces(part.reasoning, 8)) yield send({ text, thought: true });
    else if ('text' in part) for (const text of pieces(part.text, 5)) yield send({ text });
    else yield send({ functionCall: { name: part.tool, args: part.input }, thoughtSignature: 'Z29vZ2xl' });
  }
  yield event({
    candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 15, totalTokenCount: 920, thoughtsTokenCount: 5 },
  });
}
