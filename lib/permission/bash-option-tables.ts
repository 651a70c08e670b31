// The options of programs whose files are judged, as their manuals say; bash-options.ts reads them.

import { byName } from '../std/by-name';
import type { OptionTable } from './bash-options';

/** Options of curl whose value is a file that it writes. */
export const curlWrites =
  'o output D dump-header c cookie-jar trace trace-ascii stderr etag-save hsts alt-svc output-dir libcurl'.split(' ');
/** By program: the options that matter, and the letters with a value that must not be taken for them. */
export const tables: Record<string, OptionTable> = byName({
  ...Object.fromEntries(
    ['cp', 'mv', 'ln', 'install'].map((name) => [name, { short: 'tSgmo', long: 'target-directory suffix' }]),
  ),
  chmod: { long: 'reference' },
  chown: { long: 'reference' },
  chgrp: { long: 'reference' },
  sed: {
    short: 'efl',
    glued: 'i',
    flags: 'nErsuz',
    long: 'expression file line-length',
    longFlags:
      'quiet silent regexp-extended in-place separate null-data unbuffered posix debug sandbox follow-symlinks version help',
  },
  ...Object.fromEntries(
    ['grep', 'egrep', 'fgrep'].map((name) => [
      name,
      {
        short: 'efdmABCD',
        long: 'regexp file directories max-count after-context before-context context include exclude exclude-from exclude-dir label',
        longFlags: 'recursive dereference-recursive',
      },
    ]),
  ),
  diff: {
    short: 'UCxXSIFLWD',
    long: 'unified context exclude exclude-from from-file to-file label',
    longFlags: 'recursive report-identical-files',
  },
  sort: {
    short: 'kotST',
    long: 'key field-separator output buffer-size temporary-directory batch-size parallel files0-from random-source sort',
  },
  shuf: { short: 'ino', long: 'input-range head-count output random-source' },
  wc: { long: 'files0-from' },
  du: { short: 'dBtX', long: 'files0-from max-depth exclude exclude-from' },
  tree: { short: 'LPIoHT' },
  file: { short: 'fFmPeS', long: 'files-from' },
  mktemp: { short: 'p', long: 'suffix tmpdir' },
  date: { short: 'fdrs', long: 'file date reference set' },
  git: { long: 'output' },
  unzip: { short: 'dP' },
  tar: { short: 'fCTXbIVHgKN', long: 'file directory files-from exclude exclude-from' },
  curl: {
    short: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    long: `upload-file data header form user request url max-time connect-timeout ${curlWrites.filter((name) => name.length > 1).join(' ')}`,
    longFlags: 'remote-name remote-name-all remote-header-name output-null silent show-error location fail',
  },
  wget: { short: 'OPoaiUtTewQ', long: 'output-document directory-prefix output-file append-output input-file' },
  awk: { short: 'fvFi', long: 'file assign field-separator' },
  jq: { short: 'fL', long: 'from-file' },
  rg: { short: 'efgtTmABCdjMrE', long: 'regexp file glob type' },
});
