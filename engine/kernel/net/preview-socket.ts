// A page's WebSocket as a real one to the guest's server: the upgrade handshake and the frames are made here, the page only sees messages.
import { MESSAGE_TYPE } from '../../bindings/http/llhttp';
import type { KernelStream } from './kernel-stream';
import { headerOf, MessageReader } from './message-reader';
import type { SocketAnswer, SocketMessage } from './preview-protocol';
import {
  closePayload,
  decodeText,
  encodeFrame,
  FrameReader,
  OPCODE,
  readClose,
  SocketFault,
} from './web-socket-frames';

export interface SocketRequest {
  port: number;
  path: string;
  protocols: string[];
  cookie: string | undefined;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const ABNORMAL = 1006;
/** How long the server may take to answer a close. */
const CLOSE_WAIT_MS = 3000;

const encode = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Runs one WebSocket until it is closed. `stream` is undefined when nobody listens. Never rejects. */
export async function tunnelSocket(
  stream: KernelStream | undefined,
  request: SocketRequest,
  channel: MessagePort,
): Promise<void> {
  const send = (message: SocketAnswer): void => channel.postMessage(message);
  const queue: SocketMessage[] = [];
  let isOpen = false;
  const write = (message: SocketMessage): void => {
    if (!stream) return;
    if (message.type === 'close') {
      const code = message.code === 1005 ? new Uint8Array(0) : closePayload(message.code, message.reason);
      void stream.write(encodeFrame(OPCODE.close, code));
      setTimeout(() => stream.close(), CLOSE_WAIT_MS);
      return;
    }
    const isText = typeof message.payload === 'string';
    const payload = typeof message.payload === 'string' ? new TextEncoder().encode(message.payload) : message.payload;
    void stream
      .write(encodeFrame(isText ? OPCODE.text : OPCODE.binary, payload))
      .then(() => send({ type: 'sent', bytes: payload.length }));
  };
  channel.onmessage = ({ data }: MessageEvent<SocketMessage>) => {
    if (isOpen) write(data);
    else if (data.type === 'close') stream?.close();
    else queue.push(data);
  };
  let end: SocketAnswer = { type: 'closed', code: ABNORMAL, reason: '', wasClean: false };
  try {
    if (stream) {
      send({ type: 'open', protocol: await shakeHands(stream, request) });
      isOpen = true;
      for (const message of queue.splice(0)) write(message);
      end = await readMessages(stream, send);
    }
  } catch (error) {
    if (error instanceof SocketFault && stream) {
      await stream.write(encodeFrame(OPCODE.close, closePayload(error.code, '')));
      end = { type: 'closed', code: ABNORMAL, reason: error.message, wasClean: false };
    }
  }
  stream?.close();
  send(end);
  channel.close();
}

/** The chosen subprotocol; throws when the server refuses. */
async function shakeHands(stream: KernelStream, { port, path, protocols, cookie }: SocketRequest): Promise<string> {
  const key = base64(crypto.getRandomValues(new Uint8Array(16)));
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    `Origin: http://localhost:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    ...(protocols.length > 0 ? [`Sec-WebSocket-Protocol: ${protocols.join(', ')}`] : []),
    ...(cookie ? [`Cookie: ${cookie}`] : []),
  ];
  await stream.write(encode(`${lines.join('\r\n')}\r\n\r\n`));
  const reader = new MessageReader(stream, MESSAGE_TYPE.response);
  try {
    const part = await reader.next();
    if (part?.kind !== 'head' || part.head.status !== 101) throw new Error('The server did not switch protocols.');
    const digest = await crypto.subtle.digest('SHA-1', encode(`${key}${GUID}`) as Uint8Array<ArrayBuffer>);
    if (headerOf(part.head.headers, 'sec-websocket-accept') !== base64(new Uint8Array(digest)))
      throw new Error('The server answered another key.');
    const protocol = headerOf(part.head.headers, 'sec-websocket-protocol') ?? '';
    if (protocol !== '' && !protocols.includes(protocol))
      throw new Error('The server chose a protocol that was not offered.');
    // Frames that came with the head go back into the stream.
    await reader.next();
    return protocol;
  } finally {
    reader.free();
  }
}

async function readMessages(stream: KernelStream, send: (message: SocketAnswer) => void): Promise<SocketAnswer> {
  const frames = new FrameReader();
  for (;;) {
    const bytes = await stream.read();
    if (!bytes) return { type: 'closed', code: ABNORMAL, reason: '', wasClean: false };
    for (const { opcode, payload } of frames.push(bytes)) {
      switch (opcode) {
        case OPCODE.text:
          send({ type: 'message', payload: decodeText(payload) });
          break;
        case OPCODE.binary:
          send({ type: 'message', payload });
          break;
        case OPCODE.ping:
          await stream.write(encodeFrame(OPCODE.pong, payload));
          break;
        case OPCODE.close: {
          const { code, reason } = readClose(payload);
          await stream.write(encodeFrame(OPCODE.close, payload));
          return { type: 'closed', code, reason, wasClean: true };
        }
      }
    }
  }
}
