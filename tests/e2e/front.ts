// A server in front of the tests' own one, under another port: it can vanish, stop answering, and change what is answered, as deployments do.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front {
  /** `http://cloche.localhost:<port>` */
  ide: string;
  /** Changes the text of every answer at that path. */
  change(path: string, edit: (text: string) => string): void;
  /** Takes connections and says nothing from now on, as a dead network does. */
  hang(): void;
  /** Nothing listens any more. */
  kill(): Promise<void>;
}

/** Forwards to the server of `baseURL`. */
export async function startFront(baseURL: string): Promise<Front> {
  const edits = new Map<string, (text: string) => string>();
  let hangs = false;
  const server: Server = createServer((incoming, outgoing) => {
    if (hangs) return;
    const edit = edits.get(new URL(incoming.url ?? '/', baseURL).pathname);
    const headers = { ...incoming.headers };
    // Only plain text can be edited.
    if (edit) delete headers['accept-encoding'];
    const forwarded = request(
      { host: '127.0.0.1', port: new URL(baseURL).port, path: incoming.url, method: incoming.method, headers },
      async (answer) => {
        if (!edit) {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
          return;
        }
        let text = '';
        for await (const bytes of answer.setEncoding('utf8')) text += bytes;
        const { 'content-length': _length, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, rest);
        outgoing.end(edit(text));
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    ide: `http://cloche.localhost:${(server.address() as AddressInfo).port}`,
    change: (path, edit) => void edits.set(path, edit),
    hang() {
      hangs = true;
    },
    kill: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
