// The table of applets: name → where it lives and the status of a wrong use. Files are loaded when first used.
import type { Applet } from './tool';

/** An applet's place in the table. `usage`: exit status of an unknown option, as the GNU tool has it. */
export interface AppletEntry {
  usage: number;
  load(): Promise<Applet>;
}

const entry = (load: () => Promise<Applet>, usage = 1): AppletEntry => ({ load, usage });
const shellItself = entry(async () => {
  throw new Error('a shell is not an applet');
}, 2);

const copying = () => import('./cat');
const lines = () => import('./lines');
const files = () => import('./files');
const small = () => import('./small');
const realNames = () => import('./real-path');
const sorting = () => import('./sort');
const bytes = () => import('./bytes');
const looking = () => import('./look');
const copies = () => import('./copies');
const ends = () => import('./ends');
const tables = () => import('./tables');
const matching = () => import('./match-processes');
const system = () => import('./system');
const terminal = () => import('./terminal');
const pager = () => import('./pager');
const fileKind = () => import('./file');
const dump = () => import('./dump');
const rest = () => import('./more');
const sums = () => import('./sums');
const tabs = () => import('./tabs');
const running = () => import('./run');
const grep = entry(() => import('./grep').then((file) => file.grep), 2);

/** All applets by command name. */
export const APPLETS: Record<string, AppletEntry> = {
  sh: shellItself,
  bash: shellItself,
  cat: entry(() => copying().then((file) => file.cat)),
  tac: entry(() => copying().then((file) => file.tac)),
  rev: entry(() => copying().then((file) => file.rev)),
  nl: entry(() => copying().then((file) => file.nl)),
  tee: entry(() => copying().then((file) => file.tee)),
  yes: entry(() => copying().then((file) => file.yes)),
  head: entry(() => ends().then((file) => file.head)),
  tail: entry(() => ends().then((file) => file.tail)),
  wc: entry(() => lines().then((file) => file.wc)),
  uniq: entry(() => lines().then((file) => file.uniq)),
  cut: entry(() => tables().then((file) => file.cut)),
  paste: entry(() => tables().then((file) => file.paste)),
  fold: entry(() => lines().then((file) => file.fold)),
  column: entry(() => tables().then((file) => file.column)),
  grep,
  egrep: grep,
  fgrep: grep,
  sed: entry(() => import('./sed').then((file) => file.sed)),
  sort: entry(() => sorting().then((file) => file.sort), 2),
  tr: entry(() => sorting().then((file) => file.tr)),
  comm: entry(() => sorting().then((file) => file.comm)),
  join: entry(() => sorting().then((file) => file.join)),
  find: entry(() => import('./find').then((file) => file.find)),
  xargs: entry(() => running().then((file) => file.xargs)),
  timeout: entry(() => running().then((file) => file.timeout), 125),
  nohup: entry(() => running().then((file) => file.plainRun), 125),
  nice: entry(() => running().then((file) => file.plainRun), 125),
  setsid: entry(() => running().then((file) => file.plainRun)),
  stdbuf: entry(() => running().then((file) => file.plainRun), 125),
  ls: entry(() => import('./ls').then((file) => file.ls), 2),
  cp: entry(() => copies().then((file) => file.cp)),
  mv: entry(() => copies().then((file) => file.mv)),
  rm: entry(() => files().then((file) => file.rm)),
  mkdir: entry(() => files().then((file) => file.mkdir)),
  rmdir: entry(() => files().then((file) => file.rmdir)),
  touch: entry(() => files().then((file) => file.touch)),
  ln: entry(() => copies().then((file) => file.ln)),
  chmod: entry(() => files().then((file) => file.chmod)),
  chown: entry(() => files().then((file) => file.chown)),
  chgrp: entry(() => files().then((file) => file.chown)),
  mktemp: entry(() => files().then((file) => file.mktemp)),
  truncate: entry(() => files().then((file) => file.truncate)),
  date: entry(() => import('./date').then((file) => file.date)),
  basename: entry(() => small().then((file) => file.basename)),
  dirname: entry(() => small().then((file) => file.dirname)),
  realpath: entry(() => realNames().then((file) => file.realpath)),
  readlink: entry(() => realNames().then((file) => file.readlink)),
  pwd: entry(() => small().then((file) => file.pwd)),
  echo: entry(() => small().then((file) => file.echo)),
  printf: entry(() => small().then((file) => file.printf)),
  true: entry(() => small().then((file) => file.succeed)),
  false: entry(() => small().then((file) => file.fail)),
  seq: entry(() => small().then((file) => file.seq)),
  sleep: entry(() => small().then((file) => file.sleep)),
  env: entry(() => small().then((file) => file.env), 125),
  printenv: entry(() => small().then((file) => file.printenv), 2),
  which: entry(() => small().then((file) => file.which), 2),
  whoami: entry(() => small().then((file) => file.whoami)),
  hostname: entry(() => small().then((file) => file.hostname)),
  nproc: entry(() => small().then((file) => file.nproc)),
  tty: entry(() => small().then((file) => file.tty), 2),
  clear: entry(() => small().then((file) => file.clear)),
  sync: entry(() => small().then((file) => file.sync)),
  id: entry(() => small().then((file) => file.id)),
  uname: entry(() => small().then((file) => file.uname)),
  awk: entry(() => import('./awk').then((file) => file.awk), 2),
  gawk: entry(() => import('./awk').then((file) => file.awk), 2),
  jq: entry(() => import('./jq').then((file) => file.jq), 2),
  diff: entry(() => import('./diff').then((file) => file.diff), 2),
  patch: entry(() => import('./patch').then((file) => file.patch), 2),
  rg: entry(() => import('./rg').then((file) => file.rg), 2),
  curl: entry(() => import('./curl').then((file) => file.curl), 2),
  tar: entry(() => import('./tar').then((file) => file.tar), 2),
  zip: entry(() => import('./zip').then((file) => file.zip), 16),
  unzip: entry(() => import('./unzip').then((file) => file.unzip), 10),
  base64: entry(() => bytes().then((file) => file.base64)),
  md5sum: entry(() => bytes().then((file) => file.hashSum)),
  sha1sum: entry(() => bytes().then((file) => file.hashSum)),
  sha224sum: entry(() => bytes().then((file) => file.hashSum)),
  sha256sum: entry(() => bytes().then((file) => file.hashSum)),
  sha384sum: entry(() => bytes().then((file) => file.hashSum)),
  sha512sum: entry(() => bytes().then((file) => file.hashSum)),
  od: entry(() => dump().then((file) => file.od)),
  xxd: entry(() => dump().then((file) => file.xxd)),
  gzip: entry(() => bytes().then((file) => file.gzip)),
  gunzip: entry(() => bytes().then((file) => file.gzip)),
  zcat: entry(() => bytes().then((file) => file.gzip)),
  split: entry(() => bytes().then((file) => file.split)),
  stat: entry(() => looking().then((file) => file.stat)),
  du: entry(() => looking().then((file) => file.du)),
  df: entry(() => looking().then((file) => file.df)),
  tree: entry(() => looking().then((file) => file.tree)),
  file: entry(() => fileKind().then((file) => file.file)),
  ps: entry(() => system().then((file) => file.ps)),
  kill: entry(() => system().then((file) => file.kill)),
  pgrep: entry(() => matching().then((file) => file.pgrep), 2),
  pkill: entry(() => matching().then((file) => file.pkill), 2),
  killall: entry(() => matching().then((file) => file.killall)),
  free: entry(() => system().then((file) => file.free)),
  less: entry(() => pager().then((file) => file.less)),
  more: entry(() => pager().then((file) => file.less)),
  stty: entry(() => terminal().then((file) => file.stty)),
  tput: entry(() => terminal().then((file) => file.tput), 2),
  reset: entry(() => terminal().then((file) => file.reset)),
  cmp: entry(() => rest().then((file) => file.cmp), 2),
  shuf: entry(() => rest().then((file) => file.shuf)),
  unlink: entry(() => rest().then((file) => file.unlink)),
  uptime: entry(() => rest().then((file) => file.uptime)),
  expr: entry(() => small().then((file) => file.expr), 2),
  dd: entry(() => import('./dd').then((file) => file.dd)),
  hexdump: entry(() => import('./hexdump').then((file) => file.hexdump)),
  hd: entry(() => import('./hexdump').then((file) => file.hexdump)),
  cksum: entry(() => sums().then((file) => file.cksum)),
  sum: entry(() => sums().then((file) => file.sum)),
  base32: entry(() => sums().then((file) => file.base32)),
  expand: entry(() => tabs().then((file) => file.expand)),
  unexpand: entry(() => tabs().then((file) => file.unexpand)),
  install: entry(() => import('./install').then((file) => file.install)),
  watch: entry(() => import('./watch').then((file) => file.watch)),
  factor: entry(() => import('./factor').then((file) => file.factor)),
};

/** Whether there is an applet of that name. */
export function isApplet(name: string): boolean {
  return Object.hasOwn(APPLETS, name);
}

/** The applet's function. */
export function loadApplet(name: string): Promise<Applet> {
  return APPLETS[name]!.load();
}
