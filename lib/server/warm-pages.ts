// The first minute of `npm run dev`: Next compiles a page when somebody asks for it, and a project's page (Monaco is in it) takes 20 s. So the server
// asks itself, one page after the other: while the person reads the start page, the one behind it is made.
import { request } from 'node:http';

/** In the order in which a person comes to them. */
const paths = ['/', '/new/node', '/p/warm', '/api/models'];

/** Asks for the pages of the host `ide` as soon as the server listens at `port`. Fails silently: who opens a page compiles it anyway. */
export async function warmPages(ide: string, port: number): Promise<void> {
  for (const path of paths) if (!(await asked(ide, port, path))) return;
}

function asked(ide: string, port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    // By number, as *.localhost is a browser's knowledge and not every resolver's.
    const asking = request({ host: '127.0.0.1', port, path, headers: { host: `${ide}:${port}` } }, (answer) => {
      answer.resume().on('close', () => resolve(true));
    });
    asking.on('error', () => resolve(false)).end();
  });
}
