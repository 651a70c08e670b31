// The kernel's connection, spoken to our agent inside a foreign computer: what createEngine makes of it works as over a MessagePort.
import { type AgentMessage, pageCodec } from '../agent/agent-protocol';
import type { KernelPageMessage, PageMessage } from '../kernel/page-protocol';
import { type Connection, createConnection, EngineError } from './connection';

/** A program in a terminal, as text. */
export interface AgentProgram {
  output: ReadableStream<string>;
  write(text: string): void;
  /** Settles when it has ended. */
  exit: Promise<unknown>;
}

export interface AgentConnection {
  connection: Connection;
  /** What the computer gives to its processes. */
  env: Record<string, string>;
}

/** Resolves when the agent has said hello; rejects with an EngineError (EIO) and what it printed when it ends before that. */
export function connectAgent(program: AgentProgram): Promise<AgentConnection> {
  const { port1, port2 } = new MessageChannel();
  const connection = createConnection(port1);
  return new Promise((resolve, reject) => {
    let printed = '';
    const receive = (message: AgentMessage): void => {
      if (message.type === 'hello') {
        resolve({ connection, env: message.env });
      } else port2.postMessage(message satisfies KernelPageMessage);
    };
    const codec = pageCodec(base64, receive, (line) => {
      printed = `${printed}${line}\n`.slice(-2000);
    });
    port2.onmessage = ({ data }: MessageEvent<PageMessage>) => program.write(codec.encode(data));
    const end = (why: string): void => {
      const reason = `${why} It printed: ${printed.trim() || 'nothing'}`;
      connection.close(reason);
      reject(new EngineError('EIO', reason));
    };
    const read = async (): Promise<void> => {
      const reader = program.output.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        codec.decode(value);
      }
    };
    read().catch((error: Error) => end(`What the agent says cannot be read: ${error.message}.`));
    void program.exit.then(() => end("Cloche's agent in the container has ended."));
  });
}

const PIECE = 0x8000;

const base64 = {
  encode(bytes: Uint8Array): string {
    let binary = '';
    for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
    return btoa(binary);
  },
  decode(text: string): Uint8Array {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  },
};
