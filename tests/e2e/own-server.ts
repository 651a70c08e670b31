// A server of the built product that a test may stop, on a free port.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface OwnServer {
  /** `http://cloche.localhost:<port>` */
  ide: string;
  /** Ends it as a crash would, and resolves when nothing answers any more. */
  kill(): Promise<void>;
}

/** Starts `next start`; `port` 0 takes a free one. `env` is added to the environment. */
export async function startOwnServer(port = 0, env: Record<string, string> = {}): Promise<OwnServer> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', String(port)], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const taken = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (bytes) => {
      said += bytes;
      const found = /Local:\s+http:\/\/[^:]+:(\d+)[\s\S]*Ready/.exec(said);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) => reject(new Error(`next start ended with ${code}: ${said}`)));
  });
  return {
    ide: `http://cloche.localhost:${taken}`,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
