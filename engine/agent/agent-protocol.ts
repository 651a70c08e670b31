// How a program inside a foreign computer (WebContainers) speaks the page protocol over its terminal: one message a line, in ASCII, because a
// terminal may echo, translate line ends, and cut a character in two. Bytes are base64; lines of anybody else are passed over.
import type { KernelPageMessage, PageMessage } from '../kernel/page-protocol';

/** What the agent says first: the environment that the computer gives to its processes. */
export interface AgentHello {
  type: 'hello';
  env: Record<string, string>;
}

/** Agent → page. */
export type AgentMessage = AgentHello | KernelPageMessage;

/** Environment variable that makes the agent's program run one search and end. */
export const SEARCH_ROLE = 'CLOCHE_AGENT_SEARCH';

/** Bytes to base64 and back, as the place has it. */
export interface Base64 {
  encode(bytes: Uint8Array): string;
  decode(text: string): Uint8Array;
}

const TO_AGENT = '@cloche>';
const TO_PAGE = '@cloche<';

/** One line with its end. */
export type EncodeLine<Message> = (message: Message) => string;

/** Takes pieces of text as they come; calls back for every whole message. */
export type DecodeLines = (piece: string) => void;

/** For the page; `overhear` gets lines that are no messages: what the agent's Node prints when it fails. */
export function pageCodec(base64: Base64, receive: (message: AgentMessage) => void, overhear: (line: string) => void) {
  return {
    encode: encoder<PageMessage>(TO_AGENT, base64),
    decode: decoder<AgentMessage>(TO_PAGE, base64, receive, overhear),
  };
}

/** For the agent. */
export function agentCodec(base64: Base64, receive: (message: PageMessage) => void) {
  return {
    encode: encoder<AgentMessage>(TO_PAGE, base64),
    decode: decoder<PageMessage>(TO_AGENT, base64, receive, () => {}),
  };
}

function encoder<Message>(prefix: string, base64: Base64): EncodeLine<Message> {
  return (message) => {
    const json = JSON.stringify(message, (_key, value: unknown) =>
      value instanceof Uint8Array ? { $bytes: base64.encode(value) } : value,
    );
    const ascii = json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `${prefix}${ascii}\n`;
  };
}

function decoder<Message>(
  prefix: string,
  base64: Base64,
  receive: (message: Message) => void,
  overhear: (line: string) => void,
): DecodeLines {
  // Joined only at a line's end: a long line comes in thousands of pieces.
  let parts: string[] = [];
  const take = (line: string): void => {
    if (!line.startsWith(prefix)) return overhear(line);
    receive(
      JSON.parse(line.slice(prefix.length), (_key, value: unknown) =>
        typeof value === 'object' && value !== null && '$bytes' in value ? base64.decode(String(value.$bytes)) : value,
      ) as Message,
    );
  };
  return (piece) => {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      parts.push(piece.slice(start, end));
      start = end + 1;
      const line = parts.join('');
      parts = [];
      take(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    if (start < piece.length) parts.push(piece.slice(start));
  };
}
