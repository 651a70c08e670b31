// Which names are for files with keys: the one list behind the questions before a read, what searches leave out, what the processes of an agent
// don't see, and what stays out of a shared link. Upper and lower case are the same. An example of such a file is meant to be shared.

interface SecretKind {
  /** For one name; `*`: any run. */
  globs: readonly string[];
  /** Why, to follow *because*. */
  reason: string;
  /** The names are those of directories: all below is meant. */
  isDirectory?: boolean;
}

const kinds: readonly SecretKind[] = [
  { globs: ['*.env', '*.env.*'], reason: 'environment files usually hold keys' },
  {
    globs: [
      '.npmrc',
      '.yarnrc.yml',
      '.pypirc',
      '.netrc',
      '_netrc',
      '.pgpass',
      '.my.cnf',
      '.git-credentials',
      '.htpasswd',
    ],
    reason: 'it usually holds a password or a token',
  },
  {
    globs: ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk'],
    reason: 'it is named like a private key',
  },
  {
    globs: ['*.pem', '*.key', '*.ppk', '*.p12', '*.pfx', '*.jks', '*.keystore', '*.kdbx'],
    reason: 'it is named like a private key',
  },
  {
    globs: [
      ...['credentials', 'secret', 'secrets'].flatMap((name) =>
        ['json', 'yaml', 'yml', 'toml', 'ini', 'txt'].map((type) => `${name}.${type}`),
      ),
      ...[
        'service-account*.json',
        'service_account*.json',
        'serviceaccount*.json',
        'application_default_credentials.json',
      ],
    ],
    reason: 'it is named like a store of secrets',
  },
  {
    globs: ['.ssh', '.aws', '.azure', '.gnupg', '.kube'],
    reason: 'programs keep their keys there',
    isDirectory: true,
  },
];

/** Names that look like one of the above and are none: examples, and code about the environment. */
const exceptions: readonly string[] = ['*.example', '*.sample', '*.template', '*.dist', '*.env.ts', '*.env.js'];

/** The names as globs, without the exceptions. */
export const secretGlobs: readonly string[] = kinds.flatMap((kind) => kind.globs);

/** As patterns for rules: what is asked about, then the exceptions. */
export const secretPatterns: { asked: readonly string[]; exceptions: readonly string[] } = {
  asked: kinds.flatMap(({ globs, isDirectory }) =>
    globs.flatMap((glob) => (isDirectory ? [`**/${glob}`, `**/${glob}/*`] : [`**/${glob}`])),
  ),
  exceptions: exceptions.map((glob) => `**/${glob}`),
};

/** One name for each of the globs, to try whether something else could match it. */
export const secretSamples: readonly string[] = secretGlobs.map((glob) => glob.replaceAll('*', 'x'));

const expressionOf = (globs: readonly string[]): RegExp =>
  new RegExp(`^(?:${globs.map((glob) => glob.replaceAll('.', '\\.').replaceAll('*', '.*')).join('|')})$`, 'is');
const tests = kinds.map(({ globs, reason }) => ({ test: expressionOf(globs), reason }));
const excepted = expressionOf(exceptions);

/** Why a file of this path is taken for one with keys, by any name of the path; undefined: it is not. */
export function secretNameReason(path: string): string | undefined {
  for (const name of path.split('/')) {
    if (name === '' || excepted.test(name)) continue;
    const kind = tests.find(({ test }) => test.test(name));
    if (kind !== undefined) return kind.reason;
  }
  return undefined;
}
