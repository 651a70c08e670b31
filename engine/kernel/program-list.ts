// Which builtin programs a sandbox has and where they lie. Everything but `node` is the shell's bundle under another name.

const SHELLS = ['bash', 'sh'];

const APPLETS =
  `[ awk base64 basename cat chmod clear cmp comm cp cut date dd df diff dirname du echo egrep env expand expr false fgrep file find fold
free git grep gunzip gzip head hostname id jq join kill ln ls md5sum mkdir mktemp mv nl nproc od paste patch pgrep pkill printenv printf ps pwd readlink
realpath rev rg rm rmdir sed seq sha1sum sha256sum sha512sum shuf sleep sort split stat sync tac tail tar tee test time timeout touch tr tree true
truncate tty uname uniq unlink uptime wc which whoami xargs xxd yes zcat`.split(/\s+/);

/** Absolute path → program, for writeBaseFiles. */
export const PROGRAMS: Readonly<Record<string, string>> = Object.fromEntries([
  ['/usr/local/bin/node', 'node'],
  ...SHELLS.flatMap((name) => [
    [`/bin/${name}`, name],
    [`/usr/bin/${name}`, name],
  ]),
  ...APPLETS.flatMap((name) => [
    [`/bin/${name}`, name],
    [`/usr/bin/${name}`, name],
  ]),
]);
