// Instructions of a project reach the model only after the person said so.
import { expect, test } from 'vitest';
import { createMemorySandbox } from '../../lib/sandbox/memory';
import { createInstructions } from './instructions';

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

test('nothing until the person decides; then remembered, for this project only', async () => {
  const { fs, workdir } = await createMemorySandbox({ files: { 'AGENTS.md': 'Use tabs.' } });
  const place = storage();
  const instructions = createInstructions(fs, workdir, 'a', place);
  expect(await instructions.text()).toBeUndefined();
  expect(instructions.found.get()).toBe('AGENTS.md');
  instructions.decide('follow');
  expect(await instructions.text()).toBe('Use tabs.');
  expect(await createInstructions(fs, workdir, 'a', place).text()).toBe('Use tabs.');
  expect(await createInstructions(fs, workdir, 'b', place).text()).toBeUndefined();
  instructions.decide('ignore');
  expect(await instructions.text()).toBeUndefined();
});

test('no file, another name, a long file', async () => {
  const { fs, workdir } = await createMemorySandbox({});
  const instructions = createInstructions(fs, workdir, 'a', storage());
  instructions.decide('follow');
  expect(await instructions.text()).toBeUndefined();
  await fs.write(`${workdir}/CLAUDE.md`, 'x'.repeat(40_000));
  expect((await instructions.text())!.length).toBeLessThan(32_100);
  expect(instructions.found.get()).toBe('CLAUDE.md');
});
