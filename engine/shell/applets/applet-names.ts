// The names of all applets, for whoever makes the files in /bin; the table itself is in applets.ts, and a test holds them together.

/** Programs besides `sh` and `bash` that the shell's bundle can be, sorted. */
export const APPLET_NAMES: readonly string[] = `
awk base32 base64 basename cat chgrp chmod chown cksum clear cmp column comm cp curl cut date dd df diff
dirname du echo egrep env expand expr factor false fgrep file find fold free gawk grep gunzip gzip hd head
hexdump hostname id install join jq kill killall less ln ls md5sum mkdir mktemp more mv nice nl nohup nproc od
paste patch pgrep pkill printenv printf ps pwd readlink realpath reset rev rg rm rmdir sed seq setsid sha1sum
sha224sum sha256sum sha384sum sha512sum shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee
timeout touch tput tr tree true truncate tty uname unexpand uniq unlink unzip uptime watch wc which whoami
xargs xxd yes zcat zip
`
  .trim()
  .split(/\s+/);
