import { afterEach, expect, test, vi } from 'vitest';
import type { ProcessRow } from '../os';
import { killall, pgrep, pkill } from './match-processes';
import type { Applet, Tool } from './tool';

const rows: ProcessRow[] = [
  [2, 1, 'bash'],
  [7, 2, 'sh bomb.sh'],
  [9, 7, 'node /home/project/server.js --port 3000'],
  [12, 2, 'node other.js'],
  [20, 2, 'pkill -9 -f bomb.sh'],
].map(([pid, ppid, command]) => ({ pid, ppid, command, startedAt: 0, state: 'R' })) as ProcessRow[];

afterEach(() => vi.restoreAllMocks());

/** Its status, what it printed and which signals it sent. */
async function run(applet: Applet, words: string) {
  const [name, ...args] = words.split(' ');
  let printed = '';
  const write = async (text: string) => {
    printed += text;
  };
  const sent: string[] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    sent.push(`${pid} ${signal}`);
    return true;
  });
  const output = { write, async flush() {} };
  const tool = { name, args, pids: [2, 20], os: { processes: () => rows }, stdout: output, stderr: output };
  try {
    return { status: await applet(tool as unknown as Tool), printed, sent };
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    return { status: status ?? 1, printed: message, sent };
  }
}

test.each([
  ['pgrep node', '9\n12\n'],
  ['pgrep -f bomb', '7\n'],
  ['pgrep -l node', '9 node\n12 node\n'],
  ['pgrep -a -f server', '9 node /home/project/server.js --port 3000\n'],
  ['pgrep -n node', '12\n'],
  ['pgrep -o node', '9\n'],
  ['pgrep -c node', '2\n'],
  ['pgrep -d, node', '9,12\n'],
  ['pgrep -x nod', ''],
  ['pgrep -i NODE', '9\n12\n'],
  ['pgrep -v node', '7\n'],
  ['pgrep -P 7', '9\n'],
  ['pgrep -f (server|other)[.]js', '9\n12\n'],
])('%s', async (words, printed) => {
  expect(await run(pgrep, words)).toEqual({ status: printed === '' ? 1 : 0, printed, sent: [] });
});

test.each([
  'pkill -9 -f bomb.sh',
  'pkill -f -9 bomb.sh',
  'pkill -f bomb.sh -KILL',
  'pkill --signal SIGKILL -f bomb.sh',
])('%s: options in any order, and it never ends itself', async (words) => {
  expect(await run(pkill, words)).toEqual({ status: 0, printed: '', sent: ['7 SIGKILL'] });
});

test('what can’t be understood is refused before any signal', async () => {
  expect(await run(pkill, 'pkill -9')).toEqual({ status: 2, printed: 'no matching criteria specified', sent: [] });
  expect(await run(pkill, 'pkill a b')).toEqual({ status: 2, printed: 'only one pattern can be provided', sent: [] });
  expect(await run(pgrep, 'pgrep -Q x')).toMatchObject({ status: 2, sent: [] });
  expect(await run(pgrep, 'pgrep (')).toMatchObject({ status: 2, printed: expect.stringContaining('regex error') });
  expect(await run(pkill, 'pkill --signal NOPE x')).toMatchObject({ status: 2, sent: [] });
});

test('killall takes whole names', async () => {
  expect(await run(killall, 'killall node nod')).toEqual({
    status: 1,
    printed: 'killall: nod: no process found\n',
    sent: ['9 SIGTERM', '12 SIGTERM'],
  });
  expect(await run(killall, 'killall -q -r ^s')).toEqual({ status: 0, printed: '', sent: ['7 SIGTERM'] });
});
