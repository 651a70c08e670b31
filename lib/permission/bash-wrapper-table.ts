// Programs that run another program, with all of their options: with one that is not here nobody can tell where the other begins.

import { byName } from '../std/by-name';
import type { OptionTable } from './bash-options';

/** A program that runs the words after its options. */
export interface Wrapper extends OptionTable {
  /** Operands before the command. */
  operands?: number;
  /** `A=1` in front of the command. */
  assigns?: boolean;
  /** The letter of the option whose value is shell source. */
  script?: string;
  keepOuter?: boolean;
  addsArguments?: boolean;
  /** The command's words are joined and given to a shell. */
  joins?: boolean;
  /** Names of options whose values are files or directories. */
  reads?: string[];
  writes?: string[];
  directory?: string[];
}

/** Complete: with an option that is not here nobody can tell where the command begins, and the line is opaque. */
export const wrappers: Record<string, Wrapper> = byName({
  env: {
    short: 'uCa',
    flags: 'i0v',
    long: 'unset chdir argv0',
    directory: ['C', 'chdir'],
    longFlags: 'ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling',
    assigns: true,
  },
  sudo: {
    short: 'ugphCTrtDRU',
    flags: 'AbBEeHiKklnPSsVv',
    directory: ['D', 'chdir'],
    long: 'user group prompt host close-from command-timeout role type chdir chroot other-user',
    longFlags:
      'askpass background bell edit login stdin shell non-interactive preserve-env preserve-groups set-home validate list',
    assigns: true,
    keepOuter: true,
  },
  doas: { short: 'uC', flags: 'Lns', keepOuter: true },
  time: {
    short: 'fo',
    flags: 'apvqV',
    long: 'format output',
    longFlags: 'append portability verbose quiet',
    writes: ['o', 'output'],
  },
  nice: { short: 'n', flags: '0123456789', long: 'adjustment' },
  ionice: { short: 'cnpPu', flags: 't', long: 'class classdata pid pgid uid', longFlags: 'ignore' },
  timeout: {
    short: 'sk',
    flags: 'fpv',
    long: 'signal kill-after',
    longFlags: 'foreground preserve-status verbose',
    operands: 1,
  },
  stdbuf: { short: 'ioe', long: 'input output error' },
  xargs: {
    short: 'aEIdLnPsJRS',
    glued: 'iel',
    flags: '0rtpxo',
    reads: ['a', 'arg-file'],
    long: 'arg-file delimiter max-args max-procs max-chars process-slot-var',
    longFlags: 'null no-run-if-empty verbose interactive exit open-tty show-limits replace eof',
    addsArguments: true,
  },
  exec: { short: 'a', flags: 'cl' },
  setsid: { flags: 'cfw', longFlags: 'ctty fork wait' },
  nohup: {},
  command: { flags: 'pvV' },
  builtin: {},
  busybox: {},
  toybox: {},
  chroot: { operands: 1, long: 'groups userspec', longFlags: 'skip-chdir', keepOuter: true },
  flock: {
    short: 'wEc',
    flags: 'sxneuoFv',
    long: 'timeout wait conflict-exit-code command',
    longFlags: 'shared exclusive nonblock nb unlock close no-fork verbose',
    operands: 1,
    script: 'c',
  },
  strace: { short: 'eopsuPaObIESX', flags: 'cCdfFiqrtTvwxyYkzZ', writes: ['o'], keepOuter: true },
  watch: {
    short: 'nq',
    flags: 'bcdegptwxrC',
    long: 'interval equexit',
    joins: true,
    longFlags: 'beep color differences errexit chgexit no-title no-wrap exec precise no-rerun',
  },
  parallel: { short: 'jNPnLSaICd', flags: 'kqumXr0', long: 'jobs max-args arg-file', addsArguments: true },
});
