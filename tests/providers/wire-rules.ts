// What the real providers refuse, where their documents or their own words in bug reports say so. A request that breaks one of these rules gets a 400.

const usualName = /^[a-zA-Z0-9_-]{1,64}$/;

/** Why the provider refuses this request; undefined when it takes it. */
export function refusalOf(url: string, body: any): string | undefined {
  const refusals = url.endsWith('/messages')
    ? anthropicRefusals(body)
    : url.endsWith('/responses')
      ? responsesRefusals(body)
      : url.endsWith('/chat/completions')
        ? chatRefusals(body)
        : googleRefusals(url, body);
  return refusals.next().value ?? undefined;
}

/** https://docs.anthropic.com/en/api/messages, https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
function* anthropicRefusals({ max_tokens, messages, system, tools = [] }: any): Generator<string> {
  if (!(max_tokens > 0)) yield 'max_tokens: Field required';
  for (const { name, input_schema } of tools) {
    if (!usualName.test(name)) yield `tools.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (input_schema.type !== 'object') yield 'tools.input_schema.type: Field required';
  }
  const marked = JSON.stringify([system, messages, tools]).split('"cache_control"').length - 1;
  if (marked > 4) yield `A maximum of 4 blocks with cache_control may be provided. Found ${marked}.`;
  if (messages[0]?.role !== 'user') yield 'messages: first message must use the "user" role';
  const seen = new Set<string>();
  for (const [at, { role, content }] of messages.entries()) {
    if (content.length === 0) yield `messages.${at}: all messages must have non-empty content`;
    const results = content.filter((block: any) => block.type === 'tool_result').map((block: any) => block.tool_use_id);
    const before = (messages[at - 1]?.content ?? []).filter((block: any) => block.type === 'tool_use');
    if (role === 'user') {
      for (const { id } of before)
        if (!results.includes(id))
          yield `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`;
      for (const id of results)
        if (!before.some((block: any) => block.id === id))
          yield `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
      if (content.slice(0, results.length).some((block: any) => block.type !== 'tool_result'))
        yield `messages.${at}: \`tool_result\` blocks must come first`;
    } else if (messages[at + 1]?.role === 'assistant') yield `messages.${at}: roles must alternate`;
    for (const block of content) {
      if (block.type === 'text' && block.text === '') yield 'messages: text content blocks must be non-empty';
      if (block.type === 'text' && block.text.trim() === '')
        yield 'messages: text content blocks must contain non-whitespace text';
      if (block.type === 'thinking' && !block.signature)
        yield `messages.${at}.content.thinking.signature: Field required`;
      if (block.type !== 'tool_use') continue;
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) yield `messages.${at}.content.tool_use.id: String should match pattern`;
      if (!/^[a-zA-Z0-9_-]{1,128}$/.test(block.name))
        yield `messages.${at}.content.tool_use.name: String should match pattern`;
      if (seen.has(block.id)) yield `messages.${at}: \`tool_use\` ids must be unique`;
      seen.add(block.id);
    }
  }
  const last = messages.at(-1);
  if (last.role === 'assistant' && /\s$/.test(last.content.at(-1).text ?? ''))
    yield 'messages: final assistant content cannot end with trailing whitespace';
  if (last.role === 'assistant' && last.content.at(-1).type === 'tool_use') yield 'messages: `tool_use` without result';
}

/** https://platform.openai.com/docs/api-reference/responses/create */
function* responsesRefusals({ input, tools = [], store }: any): Generator<string> {
  for (const { name, type } of tools)
    if (type === 'function' && !usualName.test(name)) yield `Invalid 'tools.name': string does not match pattern`;
  const calls = new Map<string, number>();
  const outputs = new Map<string, number>();
  for (const [at, item] of input.entries()) {
    if (item.type === 'item_reference' && store === false)
      yield `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`;
    if (item.type === 'reasoning') {
      if (store === false && !item.encrypted_content)
        yield `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`;
      const next = input[at + 1];
      if (
        next === undefined ||
        !(next.type === 'function_call' || next.type === 'reasoning' || next.role === 'assistant')
      )
        yield `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    }
    if (item.type === 'function_call') {
      if (item.call_id.length > 64) yield `Invalid 'input[${at}].call_id': string too long. Expected maximum length 64`;
      if (!usualName.test(item.name)) yield `Invalid 'input[${at}].name': string does not match pattern`;
      if (calls.has(item.call_id)) yield `Duplicate call ${item.call_id}`;
      calls.set(item.call_id, at);
    }
    if (item.type === 'function_call_output') {
      if (!calls.has(item.call_id)) yield `No tool call found for function call output with call_id ${item.call_id}.`;
      outputs.set(item.call_id, at);
    }
  }
  for (const id of calls.keys()) if (!outputs.has(id)) yield `No tool output found for function call ${id}.`;
}

/**
 * https://platform.openai.com/docs/api-reference/chat/create; what models of one maker add (https://api-docs.deepseek.com/guides/thinking_mode,
 * https://docs.mistral.ai/capabilities/function_calling).
 */
function* chatRefusals({ model, messages, tools = [] }: any): Generator<string> {
  for (const { function: tool } of tools)
    if (!usualName.test(tool.name)) yield `Invalid 'tools.function.name': string does not match pattern`;
  const isThinking = /deepseek/.test(model);
  let open: string[] = [];
  for (const [at, { role, content, tool_calls: calls = [], tool_call_id: id, ...more }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(id))
        yield `messages with role 'tool' must be a response to a preceding message with 'tool_calls'`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0)
      yield `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${open.join()}`;
    if (/cerebras|mistral/.test(model) && 'reasoning_content' in more)
      yield `messages.${at}.${role}.reasoning_content: property 'reasoning_content' is unsupported`;
    if (role !== 'assistant') continue;
    if (!content && calls.length === 0) yield `the message at position ${at} with role 'assistant' must not be empty`;
    const isSigned = more.reasoning_details?.some((one: any) => one.signature || one.data);
    // https://openrouter.ai/docs/use-cases/reasoning-tokens
    if (/openrouter/.test(model) && calls.length > 0 && (!isSigned || 'reasoning' in more))
      yield `Function call is missing a thought_signature in functionCall parts (message ${at}).`;
    if (isThinking && calls.length > 0 && !more.reasoning_content)
      yield `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`;
    for (const call of calls) {
      if (/mistral/.test(model) && !/^[a-zA-Z0-9]{9}$/.test(call.id))
        yield `Tool call id was ${call.id} but must be a-z, A-Z, 0-9, with a length of 9.`;
      if (!usualName.test(call.function.name)) yield `Invalid 'messages[${at}].tool_calls.function.name'`;
    }
    open = calls.map((call: any) => call.id);
  }
  if (open.length > 0) yield `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join()}`;
}

/** https://ai.google.dev/gemini-api/docs/function-calling, https://ai.google.dev/gemini-api/docs/thought-signatures */
function* googleRefusals(url: string, { contents, tools = [] }: any): Generator<string> {
  for (const { name } of tools[0]?.functionDeclarations ?? [])
    if (!/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(name)) yield `Invalid function name ${name}`;
  if (contents[0]?.role !== 'user') yield 'Please ensure that the first content has the role user.';
  const lastSaid = contents.findLastIndex(
    ({ role, parts }: any) =>
      role === 'user' && parts.some((part: any) => 'text' in part) && !parts.some((part: any) => part.functionResponse),
  );
  for (const [at, { role, parts }] of contents.entries()) {
    if (parts.length === 0) yield '* GenerateContentRequest.contents: contents.parts must not be empty.';
    for (const part of parts)
      if (Object.keys(part).length === 0 || part.text === '')
        yield 'Unable to submit request because it has an empty text parameter.';
    const calls = parts.filter((part: any) => part.functionCall);
    if (role === 'model' && calls.length > 0) {
      const answers = (contents[at + 1]?.parts ?? []).filter((part: any) => part.functionResponse);
      if (answers.length !== calls.length)
        yield 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
      if (/gemini-3/.test(url) && at > lastSaid && !calls[0].thoughtSignature)
        yield `Function call is missing a thought_signature in functionCall parts: ${calls[0].functionCall.name}`;
    }
  }
}
