// Group 8: commands as they are run, beyond the cases beside the tool (lib/tools/tools.test.ts). The shell is the machine's own.
import { expect, test } from 'vitest';
import { bashTool } from '../../../lib/tools/bash';
import { boundResult } from '../../../lib/tools/bound-result';
import { outcome, realBash, toolContext } from '../../../lib/tools/testing';

const shell = () => toolContext({ commands: { bash: realBash } });

test('100 MB of output: both ends are told, what is left out is counted to the byte, and that its middle is lost', async () => {
  const lines = 10_000_000;
  const result = await boundResult(
    await bashTool.execute({ command: `echo begin; yes 123456789 | head -n ${lines}; echo end` }, await shell()),
    () => Promise.resolve('kept_1'),
  );
  expect(result.output).toMatch(/^begin\n123456789\n[\s\S]*\n123456789\nend\n\[exit code 0/);
  expect(result.output.length).toBeLessThan(60_000);
  const [, left, bytes] =
    /\[… (\d+) lines, (\d+) bytes left out here\. All but \d+ bytes of the middle, which are lost, is kept_1:/
      .exec(result.output)!
      .map(Number);
  const shown = result.output.split('\n').filter((line) => line === '123456789').length;
  expect(left! + shown).toBe(lines);
  expect(bytes!).toBe(left! * 10);
});

test('output that is no text is told without its control characters, and ends nothing', async () => {
  const told = await outcome(bashTool, { command: "printf 'a\\000b\\377\\033[2Jc\\n'; echo after" }, await shell());
  expect(told).toMatch(/^a.*c\nafter\n\[exit code 0/);
  expect(told).not.toMatch(/[\x00\x1b]/);
});

test('a question of a program finds no input: it waits for nobody', async () => {
  const command = 'read -p "Go on? " yes; echo "$? [$yes]"';
  expect(await outcome(bashTool, { command }, await shell())).toMatch(/^1 \[\]\n\[exit code 0/);
});

test('variables, functions and the directory of a command end with it', async () => {
  const context = await shell();
  await outcome(bashTool, { command: 'export A=1; f() { echo f; }; cd /tmp; pwd' }, context);
  expect(await outcome(bashTool, { command: `echo "[$A]"; pwd; type f 2>&1 | head -1` }, context)).toMatch(
    /^\[\]\n\/\n.*f: not found/,
  );
});

test('a child in a session of its own, or one whose parent was stopped, holds nothing up', async () => {
  const told = (command: string) => shell().then((context) => outcome(bashTool, { command }, context));
  expect(await told('setsid sleep 30 & echo done')).toMatch(/^done\n\[exit code 0/);
  expect(await told("timeout 0.2 sh -c 'sleep 30 & wait'")).toMatch(/\[exit code 124;/);
});
