// The calls and results in a request, read from each provider's own format: what a provider checks before it answers.
import type { WireRequest } from './fake-provider';

/** What a request says, in its order. `said`: anything else. Google has no ids: there a call is known by its name. */
export type WireEvent = { kind: 'call' | 'result'; id: string } | { kind: 'said' };

const said: WireEvent = { kind: 'said' };
const call = (id: string): WireEvent => ({ kind: 'call', id });
const result = (id: string): WireEvent => ({ kind: 'result', id });

/** *Contract:* a request of one of the four formats. */
export function wireEvents({ url, body }: WireRequest): WireEvent[] {
  if (url.endsWith('/messages')) return body.messages.flatMap(anthropicEvents);
  if (url.endsWith('/responses')) return body.input.map(responsesEvent);
  if (url.endsWith('/chat/completions')) return body.messages.flatMap(chatEvents);
  return body.contents.flatMap(({ parts }: { parts: any[] }) => parts.map(googleEvent));
}

function anthropicEvents({ content }: { content: any }): WireEvent[] {
  if (typeof content === 'string') return [said];
  return content.map((block: any) => {
    if (block.type === 'tool_use') return call(block.id);
    return block.type === 'tool_result' ? result(block.tool_use_id) : said;
  });
}

function responsesEvent(item: any): WireEvent {
  if (item.type === 'function_call') return call(item.call_id);
  return item.type === 'function_call_output' ? result(item.call_id) : said;
}

function chatEvents(message: any): WireEvent[] {
  if (message.role === 'tool') return [result(message.tool_call_id)];
  return [said, ...(message.tool_calls ?? []).map((one: any) => call(one.id))];
}

function googleEvent(part: any): WireEvent {
  if (part.functionCall) return call(part.functionCall.name);
  return part.functionResponse ? result(part.functionResponse.name) : said;
}

/** Calls without their result right behind them, results without a call, and second results. */
export function wireFaults(events: readonly WireEvent[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  const close = () => {
    faults.push(...open.map((id) => `${id} has no result`));
    open = [];
  };
  let answering = false;
  for (const event of events) {
    if (event.kind === 'said' || (event.kind === 'call' && answering)) close();
    answering = event.kind === 'result';
    if (event.kind === 'call') open.push(event.id);
    if (event.kind !== 'result') continue;
    const at = open.indexOf(event.id);
    if (at < 0) faults.push(`${event.id} is no open call`);
    else open.splice(at, 1);
  }
  close();
  return faults;
}
