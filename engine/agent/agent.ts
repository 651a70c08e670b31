// A program that makes a foreign computer with Node in it (WebContainers) answer as our kernel does: the page protocol over its own terminal.
// So engine/client and the sandbox above it are the same for both. It runs as `node -e <this bundle>`, hence nothing of it is in the project.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { PageCall, PageCalls, PageMessage } from '../kernel/page-protocol';
import { type SearchOrder, searchFiles, searchText } from '../kernel/search';
import { agentFiles, type Later, plainBytes } from './agent-files';
import { createAgentProcesses } from './agent-processes';
import { agentCodec, SEARCH_ROLE } from './agent-protocol';
import { nodeTree } from './node-tree';

/** Node's codes that are not an errno's, for those that are. */
const CODES: Record<string, string> = {
  ERR_FS_CP_EINVAL: 'EINVAL',
  ERR_FS_CP_DIR_TO_NON_DIR: 'ENOTDIR',
  ERR_FS_CP_NON_DIR_TO_DIR: 'EISDIR',
};

interface Refused {
  code: string;
  message: string;
  path?: string;
}

function refused(error: unknown): Refused {
  const { code = 'EIO', message, path } = error as NodeJS.ErrnoException;
  return { code: CODES[code] ?? code, message, path };
}

function serve(): void {
  const base64 = {
    encode: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    decode: (encoded: string) => plainBytes(Buffer.from(encoded, 'base64')),
  };
  const codec = agentCodec(base64, (message) => receive(message));
  const send = (message: Parameters<typeof codec.encode>[0]): void => void process.stdout.write(codec.encode(message));
  const processes = createAgentProcesses(send);
  const searches = new Map<number, () => void>();

  /** In a process of its own: an expression can take for ever, and then only a signal ends it. */
  const search = (id: number, order: SearchOrder): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const source = process.execArgv[process.execArgv.indexOf('-e') + 1];
      const child = spawn(process.execPath, ['-e', source], { env: { ...process.env, [SEARCH_ROLE]: '1' } });
      searches.set(id, () => child.kill('SIGKILL'));
      child.on('error', reject);
      child.stdin.end(JSON.stringify(order));
      Promise.all([text(child.stdout), text(child.stderr)]).then(([out, err]) => {
        if (!searches.delete(id)) return reject({ code: 'ECANCELED', message: 'The search was cancelled.' });
        if (out === '') return reject({ code: 'EIO', message: `The search failed: ${err.trim()}` });
        const answer = JSON.parse(out) as { value: unknown } | { refused: Refused };
        if ('refused' in answer) reject(answer.refused);
        else resolve(answer.value);
      }, reject);
    });

  const call = (id: number, { method, args }: PageCall): Promise<unknown> => {
    switch (method) {
      case 'run':
        return processes.run(...args);
      case 'searchText':
        return search(id, { kind: 'text', search: args[0] });
      case 'searchFiles':
        return search(id, { kind: 'files', search: args[0] });
      case 'watch':
      case 'processes':
      case 'usage':
        return Promise.reject({ code: 'ENOSYS', message: `The agent has no call ${method}.` });
      default: {
        const run = (agentFiles as Later<PageCalls>)[method] as (...given: unknown[]) => Promise<unknown>;
        return run(...args);
      }
    }
  };

  const receive = (message: PageMessage): void => {
    switch (message.type) {
      case 'call':
        call(message.id, message.call).then(
          (value) => send({ type: 'result', id: message.id, value }),
          (error: unknown) => send({ type: 'failure', id: message.id, ...refused(error) }),
        );
        return;
      case 'cancel': {
        const stop = searches.get(message.id);
        searches.delete(message.id);
        stop?.();
        return;
      }
      case 'unwatch':
      case 'preview':
        return send({ type: 'fault', message: `The agent has no ${message.type}.` });
      case 'input':
      case 'inputEnd':
      case 'credit':
      case 'resize':
      case 'signal':
        return processes.receive(message);
    }
  };

  // Without this a line is cut at 4096 bytes, and comes back as an echo.
  if (process.stdin.isTTY) process.stdin.setRawMode(true);
  process.stdin.setEncoding('latin1').on('data', codec.decode);
  process.stdin.on('end', () => process.exit(0));
  send({ type: 'hello', env: { ...process.env } as Record<string, string> });
}

async function searchOnce(): Promise<void> {
  const order = JSON.parse(await text(process.stdin)) as SearchOrder;
  let answer: { value: unknown } | { refused: Refused };
  try {
    const value = order.kind === 'text' ? searchText(nodeTree(), order.search) : searchFiles(nodeTree(), order.search);
    answer = { value };
  } catch (error) {
    answer = { refused: refused(error) };
  }
  process.stdout.write(JSON.stringify(answer));
}

if (process.env[SEARCH_ROLE]) void searchOnce();
else serve();
