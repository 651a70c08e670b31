// Programs that people type by habit and that a tab does not have: what does their work here. Said on a terminal only, so
// that scripts and agents read bash's words and nothing more.
import type { Shell } from '../state';

const EDITOR = 'there is no editor in this terminal: the editor beside it opens files from the list of files';
const PACKAGES = 'system packages cannot be installed here; `npm install NAME` brings JavaScript packages';
const CONTAINERS = 'there are no containers here; what a project needs runs in this tab by `npm run`';
const ROOT = 'there is no other user here; say the command by itself';
const MANUAL = 'no manual pages are kept here; `NAME --help` lists the options that a command takes';
const PYTHON = 'this computer runs JavaScript and TypeScript by `node`, and no Python';
const NATIVE = 'native programs cannot be built or run here; `node` and packages in WebAssembly can';
const SCREEN = 'one terminal cannot be split from inside; another one is opened beside it';

const ADVICE: Record<string, string> = {
  git: 'there is no git here; the tab keeps the files of the project by itself',
  sudo: ROOT,
  su: ROOT,
  doas: ROOT,
  apt: PACKAGES,
  'apt-get': PACKAGES,
  brew: PACKAGES,
  apk: PACKAGES,
  yum: PACKAGES,
  dnf: PACKAGES,
  pacman: PACKAGES,
  snap: PACKAGES,
  docker: CONTAINERS,
  'docker-compose': CONTAINERS,
  podman: CONTAINERS,
  kubectl: CONTAINERS,
  man: MANUAL,
  info: MANUAL,
  python: PYTHON,
  python3: PYTHON,
  pip: PYTHON,
  pip3: PYTHON,
  gcc: NATIVE,
  'g++': NATIVE,
  cc: NATIVE,
  make: NATIVE,
  cmake: NATIVE,
  cargo: NATIVE,
  rustc: NATIVE,
  go: NATIVE,
  pnpm: '`npm install -g pnpm` brings it',
  yarn: '`npm install -g yarn` brings it',
  wget: '`curl -O ADDRESS` does it',
  ssh: 'a browser tab reaches the network by HTTP only: `curl`, `fetch`',
  scp: 'a browser tab reaches the network by HTTP only: `curl`, `fetch`',
  tmux: SCREEN,
  screen: SCREEN,
  top: '`ps aux` shows what runs, `kill` ends it',
  htop: '`ps aux` shows what runs, `kill` ends it',
  script: 'the terminal keeps what was shown: scroll back, and copy',
};
for (const name of ['vi', 'vim', 'nvim', 'nano', 'emacs', 'pico', 'code', 'subl']) ADVICE[name] = EDITOR;

/** The line to print under `command not found`, where somebody reads it; undefined when there is nothing to say. */
export function adviceFor(shell: Shell, words: readonly string[]): string | undefined {
  const name = words[0]!;
  if (!shell.interactive || !shell.fds.get(2)?.isTerminal() || !Object.hasOwn(ADVICE, name)) return undefined;
  const advice = ADVICE[name]!;
  const file = advice === EDITOR ? words.slice(1).find((word) => !/^[-+]/.test(word)) : undefined;
  // The terminal makes a link of a file with a line.
  return file === undefined ? advice : `${advice}, and so does a click on ${file.replace(/:\d+$/, '')}:1`;
}
