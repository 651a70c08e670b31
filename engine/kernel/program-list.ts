// Which builtin programs a sandbox has and where they lie. Everything but `node` is the shell's bundle under another name.

import { APPLET_NAMES } from '../shell/applets/applet-names';

const SHELLS = ['bash', 'sh'];

/** Absolute path → program, for writeBaseFiles. */
export const PROGRAMS: Readonly<Record<string, string>> = Object.fromEntries([
  ['/usr/local/bin/node', 'node'],
  ...SHELLS.flatMap((name) => [
    [`/bin/${name}`, name],
    [`/usr/bin/${name}`, name],
  ]),
  ...APPLET_NAMES.flatMap((name) => [
    [`/bin/${name}`, name],
    [`/usr/bin/${name}`, name],
  ]),
]);
