// What a person types, step by step; real bash in a real pty says what the screen must show after each step (expected.json).

/** Keys to type, a new size of the window, or time that real bash is given (ours is waited for). */
export type Step = string | { columns: number; rows: number } | { waitMs: number };

export interface TerminalCase {
  name: string;
  /** The screen after every step is compared. */
  steps: Step[];
  /** Files below the home folder, which is also where the shell starts. A name that ends with a slash is a folder. */
  files?: Record<string, string>;
  columns?: number;
}

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const RIGHT = '\x1b[C';
const LEFT = '\x1b[D';
const HOME = '\x1b[H';
const END = '\x1b[F';
const DELETE = '\x1b[3~';
const CTRL_LEFT = '\x1b[1;5D';
const CTRL_RIGHT = '\x1b[1;5C';
const key = (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 31);
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;
const FILES = { 'alpha.txt': 'a\n', 'alpine.txt': 'b\n', 'docs/': '', 'docs/read me.md': 'c\n', "it's here": 'd\n' };

export const CASES: readonly TerminalCase[] = [
  { name: 'a command', steps: ['echo hello\r'] },
  { name: 'an empty line', steps: ['\r', '\r', '   \r', 'echo x\r'] },
  { name: 'a command that fails', steps: ['false; echo $?\r', 'nosuch\r', 'echo $?\r'] },
  { name: 'two lines at once', steps: ['echo one\recho two\r'] },
  { name: 'output without a newline', steps: ['printf abc\r', 'echo x\r'] },

  { name: 'history up and down', steps: ['echo 1\r', 'echo 2\r', UP, UP, UP, DOWN, '\r', UP, UP] },
  { name: 'a typed line survives the history', steps: ['echo 1\r', 'typed', UP, DOWN, '!\x7f\r'] },
  { name: 'an edited history line', steps: ['echo 1\r', 'echo 2\r', UP, '22', UP, DOWN, '\r', UP] },
  {
    name: 'history search',
    steps: ['echo apple\r', 'echo banana\r', key('r'), 'app', '\r', key('r'), 'echo', key('r'), key('g')],
  },
  { name: 'history search goes on editing', steps: ['echo apple pie\r', 'echo b\r', key('r'), 'pie', LEFT, 'X', '\r'] },
  { name: 'history search without a match', steps: ['echo apple\r', key('r'), 'zzz', '\x7f', key('c')] },
  { name: 'history search ended by escape', steps: ['echo apple\r', key('r'), 'app', key('e'), ' more\r'] },
  {
    name: 'history expansion',
    steps: [
      'echo hello world\r',
      '!!\r',
      'echo !$\r',
      'echo !*\r',
      '!ec\r',
      '!nosuch\r',
      'echo "a!"\r',
      '^world^moon\r',
      "echo '!!'\r",
    ],
  },
  { name: 'history by number', steps: ['echo 1\r', 'echo 2\r', '!1\r', '!-2\r', 'history 3\r'] },
  { name: 'history numbers repeat', steps: ['echo 1\r', 'echo 1\r', 'history\r', ' echo space\r', 'history\r'] },
  { name: 'HISTCONTROL', steps: ['HISTCONTROL=ignoreboth\r', 'echo 1\r', 'echo 1\r', ' echo space\r', 'history\r'] },
  { name: 'last argument', steps: ['echo one two\r', 'echo \x1b.', '\x1b.', '\r'] },
  {
    name: 'first and last line of the history',
    steps: ['echo 1\r', 'echo 2\r', 'echo 3\r', '\x1b<', '\x1b>', key('p'), key('p'), key('n'), '\r'],
  },

  {
    name: 'home and end',
    steps: ['world', key('a'), 'echo hello ', key('e'), '!', '\x7f\r', 'x', HOME, 'echo ', END, 'y\r'],
  },
  { name: 'arrows', steps: ['echo acd', LEFT + LEFT, 'b', RIGHT, 'X', key('b') + key('b'), 'Y', key('f'), '\r'] },
  {
    name: 'kill and yank',
    steps: ['echo one two', key('w'), key('u'), key('y'), key('y'), key('a'), key('k'), key('y') + key('y'), key('c')],
  },
  {
    name: 'words',
    steps: [
      'echo one-two three',
      '\x1bb',
      '\x1bb',
      '\x1bb',
      '\x1bd',
      '\x1bf',
      '\x1bf',
      '\x1b\x7f',
      key('e'),
      '\x1b\x7f',
      key('y'),
      key('c'),
    ],
  },
  {
    name: 'kills join',
    steps: [
      'echo a b c',
      key('w') + key('w'),
      key('y'),
      '\r',
      'echo x y',
      key('a') + key('k'),
      key('y'),
      '\x1by',
      '\r',
    ],
  },
  {
    name: 'words by control arrows',
    steps: ['echo one two', CTRL_LEFT, 'X', CTRL_LEFT + CTRL_LEFT, 'Y', CTRL_RIGHT, 'Z', key('c')],
  },
  {
    name: 'delete',
    steps: ['echo abc', LEFT + LEFT + DELETE, key('d'), key('d'), '\r', 'echo abc', key('h') + key('h'), '\r'],
  },
  { name: 'transpose', steps: ['echo ab', key('t'), 'c', LEFT, key('t'), '\r', 'echo one two', '\x1bt', '\r'] },
  { name: 'case of words', steps: ['echo hello there world', key('a'), '\x1bf\x1bu', '\x1bl', '\x1bc', '\r'] },
  { name: 'undo', steps: ['echo one two', key('w'), '\x1f', key('u'), '\x1f', '\r'] },
  { name: 'clear the screen', steps: ['echo 1\r', 'echo 2', key('l'), '\r', '\x1b\x0c'] },
  { name: 'literal next', steps: ['echo "', `${key('v')}\t`, `${key('v')}${key('a')}`, '"\r'] },
  { name: 'a tab is completed away', steps: ['\t', 'echo x\r'] },
  { name: 'comment the line', steps: ['echo abc', '\x1b#', 'echo x\r'] },
  { name: 'numbers repeat keys', steps: ['echo abcdef', '\x1b3\x02', 'X', '\x1b5\x04', key('c')] },
  {
    name: 'resize over two rows',
    columns: 40,
    steps: [`echo ${'abcdefghij'.repeat(6)}`, { columns: 30, rows: 24 }, 'X', { columns: 50, rows: 24 }, 'Y', '\r'],
  },

  { name: 'wide characters', steps: ['echo 日本語', LEFT, '\x7f', 'x', '\r', 'echo é😀ü', LEFT + LEFT, 'y', '\r'] },
  { name: 'combining characters', steps: ['echo e\u0301x', LEFT + LEFT, 'y', '\r'] },
  {
    name: 'a long line',
    columns: 40,
    steps: [
      `echo ${'abcdefghij'.repeat(5)}`,
      key('a'),
      'X',
      key('e'),
      'Y',
      '\x7f',
      LEFT.repeat(30),
      'Z',
      key('k'),
      '\r',
    ],
  },
  {
    name: 'a line that ends at the edge',
    columns: 40,
    steps: [`echo ${'x'.repeat(33)}`, 'y', LEFT, RIGHT, '\x7f', '\r'],
  },
  {
    name: 'a wide character at the edge',
    columns: 40,
    steps: [`echo ${'x'.repeat(32)}`, '日', '本', LEFT, LEFT, '\r'],
  },
  {
    name: 'a long line from the history',
    columns: 40,
    steps: [`echo ${'abcdefghij'.repeat(9)}\r`, 'echo short\r', UP, UP, DOWN, '\r'],
  },
  {
    name: 'resize in a long line',
    columns: 60,
    steps: [
      `echo ${'abcdefghij'.repeat(4)}`,
      { columns: 80, rows: 24 },
      'X',
      { columns: 60, rows: 24 },
      'Y',
      '\r',
      'echo $COLUMNS $LINES\r',
    ],
  },
  {
    name: 'a prompt in colour',
    steps: ["PS1='\\[\\e[32m\\]me\\[\\e[0m\\]> '\r", 'echo 1', key('a') + key('k'), 'echo x\r'],
  },
  {
    name: 'a prompt of two lines',
    columns: 40,
    steps: ["PS1='top\\n$ '\r", `echo ${'abcdefghij'.repeat(4)}`, key('a'), 'X', key('u'), key('k'), 'echo 1\r'],
  },

  { name: 'an unfinished quote', steps: ["echo 'a\r", "b'\r", UP, '\r'] },
  { name: 'an unfinished if', steps: ['if true\r', 'then echo yes\r', 'fi\r', UP, '\r'] },
  { name: 'a heredoc', steps: ['cat <<E\r', 'one\r', 'two\r', 'E\r', UP, '\r'] },
  { name: 'a loop over lines', steps: ['for i in 1 2\r', 'do\r', 'echo $i\r', 'done\r', UP, key('c')] },
  { name: 'a backslash at the end', steps: ['echo a\\\r', 'b\r', UP, '\r'] },
  { name: 'an open pipe', steps: ['echo a |\r', 'cat\r', UP, '\r'] },
  { name: 'a function', steps: ['f() {\r', 'echo in\r', '}\r', 'f\r', UP + UP, key('c')] },
  { name: 'interrupt in PS2', steps: ["echo 'a\r", key('c'), 'echo x\r'] },
  { name: 'a syntax error', steps: ['echo )\r', 'echo $?\r', 'if then\r', 'fi\r'] },

  { name: 'paste of several lines', steps: [paste('echo one\necho two'), '\r', UP, '\r'] },
  { name: 'paste with a newline at its end', steps: [paste('echo one\necho two\n'), '\r'] },
  { name: 'paste in the middle', steps: ['echo [', paste('a\tb'), ']', LEFT + LEFT + LEFT, 'X\r'] },
  {
    name: 'paste of a loop',
    steps: [paste('for i in 1 2; do\n  echo $i\ndone'), LEFT.repeat(8), 'X\x7f', key('e'), '\r'],
  },
  { name: 'paste without marks', steps: ['echo one\necho two\n'] },
  { name: 'paste to a program', steps: ['cat\r', 'one\ntwo\n', key('d'), 'echo x\r'] },

  { name: 'interrupt at the prompt', steps: ['echo abc', key('c'), 'echo $?\r', key('c'), LEFT, key('c')] },
  {
    name: 'interrupt in the middle of a line',
    columns: 40,
    steps: [`echo ${'abcdefghij'.repeat(6)}`, key('a'), key('c'), 'echo x\r'],
  },
  { name: 'interrupt a program', steps: ['sleep 100\r', key('c'), 'echo $?\r'] },
  { name: 'interrupt a pipeline', steps: ['sleep 100 | cat\r', key('c'), 'echo $?\r'] },
  { name: 'interrupt cat', steps: ['cat\r', 'abc\r', 'de', key('c'), 'echo $?\r'] },
  { name: 'interrupt a list', steps: ['sleep 100; echo after\r', key('c'), 'echo $?\r'] },
  {
    name: 'interrupt a loop',
    steps: ['while true; do sleep 100; done\r', key('c'), 'echo $?\r', 'for i in 1 2; do sleep 100; done\r', key('c')],
  },
  { name: 'interrupt a subshell', steps: ['(sleep 100; echo no)\r', key('c'), 'echo $?\r'] },
  { name: 'interrupt a substitution', steps: ['echo $(sleep 100)\r', key('c'), 'echo $?\r'] },
  { name: 'interrupt read', steps: ['read x\r', 'abc', key('c'), 'echo $? $x\r'] },
  { name: 'quit a program', steps: ['sleep 100\r', '\x1c', 'echo $?\r', '\x1c', 'echo x\r'] },
  { name: 'trap of an interrupt', steps: ["trap 'echo trapped' INT\r", 'sleep 100\r', key('c'), 'echo x\r'] },

  {
    name: 'cat reads lines',
    steps: ['cat\r', 'abc\x7fX\r', 'one two', key('w'), '\r', 'gone', key('u'), 'kept\r', key('d')],
  },
  { name: 'end of file after text', steps: ['cat\r', 'abc', key('d'), 'd\r', key('d')] },
  { name: 'typing ahead', steps: ['sleep 3\r', 'echo early\r', 'ec', 'ho later\r', { waitMs: 4000 }, 'echo x\r'] },
  { name: 'typing ahead without enter', steps: ['sleep 3\r', 'echo part', { waitMs: 4000 }, '\r'] },

  { name: 'read -p', steps: ['read -p "name: " n\r', 'Bob\r', 'echo "<$n>"\r'] },
  { name: 'read -s', steps: ['read -s -p "secret: " n; echo\r', 'hidden\r', 'echo "<$n>"\r'] },
  { name: 'read -n', steps: ['read -n 1 k\r', 'y', 'echo "<$k>"\r'] },
  { name: 'read -e', steps: ['read -e -p "e> " x\r', 'abc', LEFT, 'X\r', 'echo $x\r'] },
  { name: 'read -t', steps: ['read -t 1 x; echo $?\r', { waitMs: 1500 }, 'echo done\r'] },
  { name: 'select', steps: ['select x in red green; do echo "got $x"; break; done\r', '9\r', '\r', '2\r'] },
  { name: 'stty size', steps: ['stty size\r'] },
  { name: 'stty -echo', steps: ['stty -echo; echo now; read x; stty echo\r', 'hidden\r', 'echo $x\r'] },
  { name: 'tput', steps: ['tput cols\r', 'tput lines\r', 'echo a$(tput bold)b\r'] },

  { name: 'complete a file', files: FILES, steps: ['cat alpha\t', '\r', 'cat al\t', 'i\t', '\r'] },
  { name: 'complete lists', files: FILES, steps: ['cat al\t', '\t', 'pha\t\r'] },
  { name: 'complete a folder', files: FILES, steps: ['cat do\t', 're\t', '\r'] },
  {
    name: 'complete a quoted file',
    files: FILES,
    steps: ['cat it\t', '\r', 'cat "it\t', '\r', "cat 'docs/re\t", '\r'],
  },
  { name: 'complete nothing', files: FILES, steps: ['cat zzz\t', '\t', key('u'), 'echo x\r'] },
  {
    name: 'complete in the middle',
    files: FILES,
    steps: ['cat alpha | wc', key('a'), '\x1bf\x1bf', '\t', key('e'), ' -l\r'],
  },
  { name: 'complete everything', files: FILES, steps: ['ls ', '\t', '\t', key('c')] },
  { name: 'complete a builtin', steps: ['unali\t', key('c'), 'shop\t', key('c')] },
  {
    name: 'complete a program of PATH',
    files: { 'bin/zebra-one': '#!/bin/sh\necho zebra\n', 'bin/zebra-two': '#!/bin/sh\n' },
    steps: ['zeb\t', '\t', 'o\t', '\r'],
  },
  { name: 'complete a variable', steps: ['MYVARIABLE=1\r', 'echo $MYVAR\t', '\r', 'echo ${MYVAR\t', '\r'] },
  { name: 'complete after redirection', files: FILES, steps: ['cat < alph\t', '\r'] },
  { name: 'complete home', files: FILES, steps: ['cat ~/alph\t', '\r'] },
  { name: 'complete with =', files: FILES, steps: ['echo x=alph\t', '\r'] },
  { name: 'complete cd only folders', files: FILES, steps: ['cd d\t', '\r', 'pwd | sed "s/.*\\///"\r'] },
  {
    name: 'complete hidden files',
    files: { '.hidden': '', visible: '' },
    steps: ['cat \t', key('u'), 'cat .h\t', key('c')],
  },
  {
    name: 'complete long lists',
    files: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`file${at}`, ''])),
    steps: ['cat f\t', '\t', key('c')],
  },

  { name: 'background', steps: ['sleep 100 &\r', 'jobs\r', 'kill %1\r', '\r'] },
  { name: 'background ends', steps: ['true & wait\r', 'sleep 2 &\r', 'wait\r', { waitMs: 2500 }, 'jobs\r'] },
  {
    name: 'stop and go on',
    steps: ['sleep 100\r', key('z'), 'echo $?\r', 'jobs\r', 'bg\r', 'jobs\r', 'fg\r', key('c'), 'jobs\r'],
  },
  { name: 'stop and fg', steps: ['cat\r', 'one\r', key('z'), 'fg\r', 'two\r', key('d'), 'jobs\r'] },
  { name: 'stop a pipeline', steps: ['sleep 100 | cat\r', key('z'), 'jobs\r', 'fg\r', key('c')] },
  { name: 'stop then the next of a list', steps: ['sleep 100; echo next\r', key('z'), 'jobs\r'] },
  {
    name: 'two jobs',
    steps: ['sleep 100\r', key('z'), 'sleep 200 &\r', 'jobs\r', 'fg %1\r', key('c'), 'kill %2\r', '\r'],
  },
  { name: 'exit with stopped jobs', steps: ['sleep 100\r', key('z'), 'exit\r', 'echo x\r', 'exit\r'] },
  { name: 'stop at the prompt', steps: ['abc', key('z'), key('u'), 'echo x\r'] },
  { name: 'fg without a job', steps: ['fg\r', 'bg\r', 'fg %3\r', 'kill %1\r', 'wait %1\r'] },

  {
    name: 'big output',
    steps: ['seq 100000\r', { waitMs: 1500 }, 'yes | head -50000\r', { waitMs: 1500 }, 'echo x\r'],
  },
  { name: 'cleared by clear', steps: ['echo 1\r', 'clear\r', 'echo 2\r'] },
  {
    name: 'alternate screen',
    steps: ['echo before\r', "printf '\\e[?1049h\\e[Hinside'; read -n 1; printf '\\e[?1049l'\r", 'q', 'echo after\r'],
  },
  {
    name: 'words and modifiers of the history',
    steps: [
      'echo a/b.c "d e"\r',
      'echo !!:1:h !:2\r',
      '^d^x^\r',
      '!!:p\r',
      UP,
      key('c'),
      'fc -s x=y echo\r',
      'history 3\r',
    ],
  },
  { name: 'names that need quotes', steps: ['ls\r', 'ls -F\r', 'ls $HOME/d\t\t\r'], files: FILES },
  { name: 'exit', steps: ['bash --norc\r', 'exit\r', 'echo back\r', 'bash --norc\r', key('d'), 'echo back\r'] },
];
