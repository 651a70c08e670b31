// When what a process printed is all there: the shell has exited, and its output may still be on its way, or come from a child for ever.
import { expect, test } from 'vitest';
import type { Process } from '../sandbox/sandbox';
import { sleep } from '../std/signals';
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

test('it waits while more comes, and no longer than that', async () => {
  const { collected, print } = printing();
  let isSettled = false;
  const settled = collected.settled(400, 60_000).then(() => {
    isSettled = true;
  });
  for (const word of ['a', 'b', 'c', 'd']) {
    await sleep(150);
    expect(isSettled).toBe(false);
    print(word);
  }
  await settled;
  expect(collected.text()).toBe('abcd');
});

test('both streams at their end are the end', async () => {
  const { collected, print, end } = printing();
  print('a');
  end();
  await collected.settled(60_000, 60_000);
  expect(collected.text()).toBe('a');
});

test('a child that prints for ever is left after a while', async () => {
  const { collected, print } = printing();
  const timer = setInterval(() => print('x'), 5);
  await collected.settled(100, 300).finally(() => clearInterval(timer));
  expect(collected.text()).toMatch(/^x+$/);
});
