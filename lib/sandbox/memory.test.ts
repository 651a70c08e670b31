import { describe, expect, test } from 'vitest';
import { contractCases } from './contract';
import { createMemorySandbox } from './memory';

describe('the memory sandbox keeps the contract', () => {
  for (const contractCase of contractCases.filter((one) => one.needs === undefined)) {
    test(contractCase.name, async () => {
      const sandbox = await createMemorySandbox();
      await contractCase.run(sandbox);
      await sandbox.dispose();
    });
  }
});

test('a scripted command has input, output, errors, a code, and can be killed', async () => {
  const sandbox = await createMemorySandbox({
    commands: {
      shout: async (io) => {
        io.out((await io.stdin()).toUpperCase());
        io.err(io.cwd);
        return 3;
      },
      forever: () => new Promise<number>(() => {}),
    },
  });
  const child = await sandbox.spawn('shout', []);
  const writer = child.input.getWriter();
  await writer.write(new TextEncoder().encode('hello'));
  await writer.close();
  expect(await new Response(child.output).text()).toBe('HELLO');
  expect(await new Response(child.stderr).text()).toBe('/home/project');
  expect(await child.exit).toEqual({ kind: 'exited', code: 3 });
  const stuck = await sandbox.spawn('forever', []);
  stuck.kill('SIGINT');
  expect(await stuck.exit).toEqual({ kind: 'signalled', signal: 'SIGINT' });
});
