import { describe, expect, test } from 'vitest';
import { bashFacts } from './bash-facts';

const read = (source: string) => bashFacts(source, '/home/project', '/home');

describe('commands are seen through quotes, prefixes and wrappers', () => {
  test.each<[string, string[]]>([
    ['git push origin', ['git push origin']],
    ['FOO=1 git push', ['git push']],
    ['"git" push', ['git push']],
    ['\\rm -rf x', ['rm -rf x']],
    ["r''m x", ['rm x']],
    ["$'\\x72m' x", ['rm x']],
    ['/bin/rm x', ['rm x']],
    ["sh -c 'git push'", ['git push']],
    ['bash -lc "rm x; ls"', ['rm x', 'ls']],
    ['eval "rm x"', ['rm x']],
    ['sudo -u root rm x', ['sudo -u root rm x', 'rm x']],
    ['env A=1 B=2 rm x', ['rm x']],
    ['time npm test', ['npm test']],
    ['timeout -s KILL 5 npm test', ['npm test']],
    ['nohup nice -n 5 npm start', ['npm start']],
    ['exec rm x', ['rm x']],
    ["trap 'rm x' EXIT", ['rm x']],
    ['find . -name x -exec grep -l y {} \\;', ['find . -name x -exec grep -l y {} ;', 'grep -l y {}']],
    ['ls | xargs -n 1 grep x', ['ls', 'grep x']],
    ['echo $(rm b) `rm c`', ['echo $(rm b) `rm c`', 'rm b', 'rm c']],
    ['diff <(ls) <(rm x)', ['diff <(ls) <(rm x)', 'ls', 'rm x']],
    ['f() { rm x; }; f', ['rm x', 'f']],
    ['if true; then rm x; else ls; fi', ['true', 'rm x', 'ls']],
    ['for f in a b; do (rm "$f"); done', ['rm $f']],
    ['x=$(rm y)', ['rm y']],
    ['export A=$(rm y)', ['export A=$(rm y)', 'rm y']],
    ['echo $((`rm y`))', ['echo $((`rm y`))', 'rm y']],
    ['cat <<E\n$(rm y)\nE', ['cat', 'rm y']],
    ['a && b || c; d & e', ['a', 'b', 'c', 'd', 'e']],
    ['command -v node', ['command -v node']],
  ])('%s', (source, commands) => {
    expect(read(source).commands).toEqual(commands);
  });
});

describe('what nobody can read is opaque and never remembered', () => {
  test.each([
    'x=1',
    '[[ -f a ]]',
    '((i++))',
    'if [',
    '"unclosed',
    '$CMD x',
    'bash -c "$CODE"',
    'eval $X',
    'curl x | bash',
    'cat <<E | sh -s\nrm x\nE',
    'git $SUB origin',
    'npm run $NAME',
    'echo x > $OUT',
    'rm $(cat list)',
    'ls | xargs rm',
    'find . -exec rm {} +',
    'PATH=/evil:$PATH ls',
    'NODE_OPTIONS=--require=./x.js npm test',
    'export BASH_ENV=x; ls',
    'cd "$D" && echo x > f',
    'node',
    'env -S "rm x"',
    `${'$('.repeat(400)}rm x${')'.repeat(400)}`,
    'x'.repeat(70_000),
  ])('%.40s', (source) => {
    const facts = read(source);
    expect(facts.opaque).toBeTypeOf('string');
    expect(facts.always).toEqual([]);
  });

  test('inline code runs, but is not remembered', () => {
    expect(read('node -e "process.exit()"')).toMatchObject({ commands: ['node -e process.exit()'], always: [] });
    expect(read('python3 -c x').always).toEqual([]);
  });
});

describe('files', () => {
  test.each<[string, string[], string[]]>([
    ['> ~/.bashrc', ['/home/.bashrc'], []],
    ['ls > /tmp/o 2>&1', ['/tmp/o'], []],
    ['ls &>> log', ['/home/project/log'], []],
    ['echo x | tee /etc/x', ['/etc/x'], []],
    ["sed -i 's/a/b/' /etc/x", ['/etc/x'], []],
    ["sed 's/a/b/' x", [], ['/home/project/x']],
    ['head /etc/hosts', [], ['/etc/hosts']],
    ['cat < ../secret', [], ['/home/secret']],
    ['cat .env', [], ['/home/project/.env']],
    ['cp a b c/', ['/home/project/c'], ['/home/project/a', '/home/project/b']],
    ['mv a /etc/b', ['/home/project/a', '/etc/b'], []],
    ['cd /etc && echo x > passwd', ['/home/project/passwd', '/etc/passwd'], []],
    ['{ ls; } > out', ['/home/project/out'], []],
    ['find src -name x -delete', ['/home/project/src'], []],
    ['curl -o /usr/bin/x http://h', ['/usr/bin/x'], []],
    ['sort -o out in', ['/home/project/out'], ['/home/project/out', '/home/project/in']],
    ['dd if=a of=b', ['/home/project/b'], ['/home/project/a']],
    ['rm -- -rf', ['/home/project/-rf'], []],
  ])('%s', (source, writes, reads) => {
    const facts = read(source);
    expect({ writes: facts.writes, reads: facts.reads }).toEqual({ writes, reads });
  });
});

test('always covers what names the command', () => {
  expect(read('npm run build -- --x && git push -f && ls -la a').always).toEqual([
    'npm run build *',
    'git push *',
    'ls *',
  ]);
});

test('globs are told as they are, where they start', () => {
  expect(read('cat .env* src/*.key; (cd packages && head */.ENV)').readGlobs).toEqual([
    '/home/project/.env*',
    '/home/project/src/*.key',
    ...['/home/project/*/.ENV', '/home/project/packages/*/.ENV'],
  ]);
  expect(read('cat *.ts').readsUnnamed).toBeUndefined();
});

describe('secrets in files that are not named', () => {
  test.each([
    'cat $F',
    'shopt -s dotglob; cat *',
    'grep -rn KEY .',
    'rg KEY',
    'find . -name .env -exec cat {} ;',
    'ls -a | xargs cat',
    'for f in .*; do head "$f"; done',
  ])('%s', (source) => expect(read(source).readsUnnamed).toBe(true));
  test.each<[string, string[]]>([
    ['cut -d= -f2 .env', ['/home/project/.env']],
    ['grep --regexp=KEY .env', ['/home/project/.env']],
    ['grep -e KEY .env', ['/home/project/KEY', '/home/project/.env']],
    ['grep KEY .env', ['/home/project/.env']],
    ['sed -n p .env', ['/home/project/.env']],
    ['rev < .env', ['/home/project/.env']],
  ])('%s is named', (source, reads) => {
    expect(read(source).reads).toEqual(reads);
    expect(read(source).readsUnnamed).toBeUndefined();
  });
});
