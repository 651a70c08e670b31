// When what a process printed is all there: the shell has exited, and its output may still be on its way, or come from a child for ever.
import { expect, test } from 'vitest';
import type { Process } from '../sandbox/sandbox';
import { collectOutput } from './process-output';

function printing() {
  let output!: ReadableStreamDefaultController<Uint8Array>;
  const child = {
    output: new ReadableStream<Uint8Array>({
      start(controller) {
        output = controller;
      },
    }),
    stderr: new ReadableStream<Uint8Array>({ start: (controller) => controller.close() }),
  } as unknown as Process;
  const collected = collectOutput(child, () => {});
  return {
    collected,
    print: (text: string) => output.enqueue(new TextEncoder().encode(text)),
    end: () => output.close(),
  };
}

test('both streams at their end are the end', async () => {
  const { collected, print, end } = printing();
  print('a');
  end();
  await collected.settled(60_000);
  expect(collected.text()).toBe('a');
});

test('a child that prints for ever is left after a while', async () => {
  const { collected, print } = printing();
  const timer = setInterval(() => print('x'), 5);
  await collected.settled(100).finally(() => clearInterval(timer));
  expect(collected.text()).toMatch(/^x+$/);
});

test('what a busy page has not read in time is waited for', async () => {
  const { collected, print } = printing();
  const settled = collected.settled(20);
  const until = performance.now() + 60;
  while (performance.now() < until);
  // As messages that came meanwhile: each is read in a turn of its own.
  for (const word of ['a', 'b', 'c']) setTimeout(() => print(word));
  await settled;
  expect(collected.text()).toBe('abc');
});
