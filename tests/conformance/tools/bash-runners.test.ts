// What a person has banned (`npm install`, `rm`, `git push`) does not run unasked through a program that runs others, under another of its names
// or as what git or npm do besides. In the mode that allows everything else.
import { describe, expect, test } from 'vitest';
import { bannedRules, rulesFor } from '../../../lib/permission/presets';
import { decide } from '../../../lib/permission/rules';
import { bashTool } from '../../../lib/tools/bash';
import { toolContext } from '../../../lib/tools/testing';

const policy = rulesFor('auto', bannedRules(['npm install', 'rm', 'git push', 'curl']));

async function judge(command: string, rules = policy) {
  const context = await toolContext({ files: { 'a.txt': 'a', 'a.sh': 'ls', '.env': 'K=1' } });
  context.onAsk = () => Promise.reject(new Error('asked'));
  await bashTool.execute({ command }, context).catch(() => {});
  return decide(context.asked[0]!, { policy: rules, role: [] }, []).effect;
}

describe('npm under its other names', () => {
  test.each([
    ...['npm it', 'npm install-test', 'npm i -g x', 'npm -g i x', 'npx npm i x', 'npm exec -- npm i x'],
    ...['./node_modules/.bin/npm i', 'node_modules/.bin/npm i', 'node /usr/lib/node_modules/npm/bin/npm-cli.js i x'],
    ...['npx npm@10 i x'],
  ])('%s is denied', async (command) => expect(await judge(command)).toBe('deny'));
  test.each(['echo i | xargs npm', 'corepack npm i', 'yarn npm i', 'xargs npm < a.txt'])(
    '%s is asked about',
    async (command) => expect(await judge(command)).toBe('ask'),
  );
  test.each(['npm test', 'npm t', 'npm run build', 'npm ci', 'npm ls', 'yarn build'])('%s goes on', async (command) =>
    expect(await judge(command)).toBe('allow'),
  );
});

describe('programs that run programs', () => {
  test.each([
    ...['ssh host rm x', 'valgrind --tool=x rm x', 'tmux new "rm x"', 'nodemon --exec "rm x"', 'npx nodemon -x rm'],
    ...['entr rm x', 'ls | entr rm x', 'vim -c "!rm x"', "vim +'!rm x'", 'socat EXEC:rm -', 'hyperfine "rm x"'],
    ...[
      'cross-env A=1 rm x',
      'npx cross-env A=1 rm x',
      'docker run x rm y',
      'kubectl exec p -- rm x',
      'lerna exec -- rm x',
    ],
    ...[
      'pnpm x rm y',
      'yarn run rm x',
      'npm explore x -- rm y',
      'npx curl x',
      'npx shx rm x',
      'uv run rm x',
      'mise exec -- rm x',
    ],
    ...[
      'concurrently "ls" "ls; rm x"',
      'make -C x SHELL=rm rm',
      'gdb -ex "shell rm x"',
      'taskset 1 /bin/rm x',
      'nvm exec 20 rm x',
    ],
  ])('%s is asked about', async (command) => expect(await judge(command)).toBe('ask'));
  test.each([
    'ssh host ls',
    'npx nodemon a.js',
    'docker ps',
    'make build',
    'echo rm x',
    'node a.js',
    'git commit -m "rm x"',
    'turbo run build',
  ])('%s goes on', async (command) => expect(await judge(command)).toBe('allow'));
});

describe('git', () => {
  test.each([
    ...[
      "git submodule foreach 'git push'",
      "git rebase -x 'rm x' HEAD~1",
      'git rebase --exec=rm',
      'git bisect run rm x',
      'git filter-branch x',
    ],
    ...[
      'git config alias.p push',
      'git config --global core.pager x',
      'git p',
      'git send-pack',
      'git subtree push',
      'git lfs push',
    ],
    ...[
      'git difftool -x rm',
      'git difftool --extcmd=rm',
      'git clone ext::x',
      'git clone -u x y',
      'git fetch --upload-pack=rm',
    ],
    ...[
      'git -C . p',
      'git hook run x',
      'git for-each-repo --config=x push',
      'git -c alias.p=push p',
      'echo push | xargs git',
    ],
  ])('%s is asked about', async (command) => expect(await judge(command)).toBe('ask'));
  test.each([
    'git status',
    'git -C . log',
    'git commit -am x',
    'git config user.name me',
    'git rebase main',
    'git fetch',
    'git clone https://a/b',
  ])('%s goes on', async (command) => expect(await judge(command)).toBe('allow'));
});

test.each(['tree --fromfile .env', 'du -X .env', 'find -files0-from .env'])('%s reads it', async (command) =>
  expect(await judge(command, rulesFor('auto'))).toBe('ask'),
);
