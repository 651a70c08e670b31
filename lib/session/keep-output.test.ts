import { expect, test } from 'vitest';
import { outputBudget } from '../std/bound-text';
import { keptOutputs } from './keep-output';
import { setup, store, tools } from './testing';

const numbers = { tool: 'bash', input: { command: 'seq 1 30000' } };
const told = (session: Parameters<typeof tools>[0]) => tools(session).map((part) => part.output!);
const nameIn = (output: string) => /All of it is (output:\/\/[0-9a-f]{16}): read that/.exec(output)![1]!;

test('what was too long is read and searched by its name, also after a reload', async () => {
  let name = '';
  const { session, sandbox } = await setup([
    [numbers],
    () => {
      name = nameIn(told(session)[0]!);
      return [
        { tool: 'read', input: { path: name, offset: 15_000, limit: 2 } },
        { tool: 'grep', input: { path: name, pattern: '^2999\\d$' } },
      ];
    },
    ['done'],
  ]);
  session.setMode('auto');
  await session.send('count');
  expect(tools(session).map((part) => part.title)).toEqual(['seq 1 30000', name, name]);
  expect(told(session)[1]).toMatch(/^15000: 15000\n15001: 15001\n\(lines 15000-15001 of 3000\d; go on/);
  expect(told(session)[2]).toContain(`${name}:\n  29990: 29990\n`);
  expect(tools(session)[0]!.meta).toMatchObject({ truncated: true, kept: name });

  // A new page: nothing in memory, nothing in the sandbox's /tmp.
  await sandbox.fs.remove('/tmp/cloche');
  const again = await setup([[{ tool: 'read', input: { path: name, offset: 7, limit: 1 } }], ['seen']]);
  const reopened = await again.sessions.open(session.id);
  await reopened.send('look again');
  expect(told(reopened).at(-1)).toMatch(/^7: 7\n/);
  await again.sessions.delete(session.id);
  expect(await store.loadBlob(`${session.id}/outputs`, name.slice('output://'.length))).toBeUndefined();
});

test('the same text has the same name, so that a loop is still seen as one', async () => {
  const { session } = await setup([['hi']]);
  const outputs = keptOutputs(store, session.id);
  const [first, again, other] = [await outputs.keep('a'), await outputs.keep('a'), await outputs.keep('b')];
  expect([again === first, other === first]).toEqual([true, false]);
});

test('names that are not kept, of another conversation or made up, say so', async () => {
  const other = await setup([[numbers], ['done']]);
  other.session.setMode('auto');
  await other.session.send('count');
  const foreign = nameIn(told(other.session)[0]!);
  const paths = [foreign, 'output://../../etc/passwd', 'output://', 'output://ffffffffffffffff'];
  const { session } = await setup([paths.map((path) => ({ tool: 'read', input: { path } })), ['done']]);
  await session.send('read it');
  for (const [at, output] of told(session).entries())
    expect(output).toBe(
      `There is no ${paths[at]} in this conversation, or it is not kept any more. Run the call that made it again.`,
    );
});

test('a sub-agent’s outputs are the conversation’s', async () => {
  let name = '';
  const { session } = await setup([
    [{ tool: 'task', input: { agent: 'general', description: 'count', prompt: 'Count.' } }],
    [numbers],
    (options) => {
      name = nameIn(JSON.stringify(options.prompt));
      return [`It is in ${name}.`];
    },
    () => [{ tool: 'read', input: { path: name, offset: 3, limit: 1 } }],
    ['done'],
  ]);
  session.setMode('auto');
  await session.send('let it count');
  expect(told(session)[1]).toMatch(/^3: 3\n/);
});

test('keys that are left out are not kept either', async () => {
  const { session } = await setup(
    [
      [{ tool: 'bash', input: { command: 'yes key=sk-secret | head -3000' } }],
      () => [{ tool: 'read', input: { path: nameIn(told(session)[0]!), limit: 1 } }],
      ['done'],
    ],
    { redact: (text) => text.replaceAll('sk-secret', '[left out]') },
  );
  session.setMode('auto');
  await session.send('print');
  const kept = await store.loadBlob(`${session.id}/outputs`, nameIn(told(session)[0]!).slice('output://'.length));
  expect(new TextDecoder().decode(kept!.bytes)).not.toContain('sk-secret');
  expect(told(session)[1]).toMatch(/^1: key=\[left out\]\n/);
});

test('of too many the oldest go, and media stay', async () => {
  const bytes = (fill: number, size: number) => new Uint8Array(size).fill(fill);
  const keep = (shelf: string, id: string, size: number, addedAtMs: number, most?: number) =>
    store.saveBlob(shelf, { id, mediaType: 'text/plain', bytes: bytes(1, size), addedAtMs }, most);
  await keep('ses', 'image', 500, 1);
  for (let at = 1; at <= 4; at++) await keep('ses/outputs', `out${at}`, 400, at, 1000);
  const left = await Promise.all(['out1', 'out2', 'out3', 'out4'].map((id) => store.loadBlob('ses/outputs', id)));
  expect(left.map((one) => one !== undefined)).toEqual([false, false, true, true]);
  expect(await store.loadBlob('ses', 'image')).toBeDefined();
});

test('a name in a result of an agent that may only look is read all the same', async () => {
  const { session } = await setup([
    [{ tool: 'bash', input: { command: 'seq 1 30000' } }],
    () => [{ tool: 'grep', input: { path: nameIn(told(session)[0]!), pattern: '12345', literal: true } }],
    ['done'],
  ]);
  session.setMode('auto');
  session.setAgent('plan');
  await session.send('count');
  expect(told(session)[1]).toContain('12345: 12345');
});

test('one line of a megabyte is cut inside, and whole by its name', async () => {
  const { session } = await setup([
    [{ tool: 'bash', input: { command: "head -c 1000000 /dev/zero | tr '\\0' x" } }],
    () => [{ tool: 'grep', input: { path: nameIn(told(session)[0]!), pattern: 'x{500}', mode: 'count' } }],
    ['done'],
  ]);
  session.setMode('auto');
  await session.send('print');
  expect(told(session)[0]!.length).toBeLessThan(outputBudget.maxBytes + 500);
  expect(told(session)[0]).toMatch(/^x+…\n\[… 0 lines, 9\d{5} bytes left out here\. All of it is output/);
  expect(told(session)[1]).toMatch(/: \d+/);
});
