// Each shape of a key is found, and what only looks a bit like one is not. The examples are put together here, so that no scanner of
// repositories takes this file for a leak.
import { expect, test } from 'vitest';
import { secretReason } from './secrets';

const reason = (path: string, text = '') => secretReason(path, new TextEncoder().encode(text));
const letters = (count: number) => 'Ab3dEfGh1jKlMn0pQrStUvWxYz'.repeat(8).slice(0, count);

test.each([
  ['.env', /environment/],
  ['app/.env.local', /environment/],
  ['.env.production', /environment/],
  ['.npmrc', /token/],
  ['keys/id_ed25519', /private key/],
  ['server.pem', /private key/],
  ['tls/SERVER.KEY', /private key/],
  ['credentials.json', /secrets/],
  ['secrets.yaml', /secrets/],
  ['service-account-prod.json', /secrets/],
])('by name: %s', (path, expected) => expect(reason(path)).toMatch(expected));

test.each([
  '.env.example',
  '.env.sample',
  'src/env.ts',
  'environment.env.ts',
  'keyboard.ts',
  'secrets.test.ts',
  'id_rsa.pub',
  'monkey.js',
])('by name, harmless: %s', (path) => expect(reason(path)).toBeUndefined());

test.each<[string, string]>([
  ['a private key', `-----BEGIN ${'RSA '}PRIVATE KEY-----\nMII`],
  ['a private key', `-----BEGIN ${''}PRIVATE KEY-----`],
  ['a private key', `-----BEGIN ${'PGP '}PRIVATE KEY BLOCK-----`],
  ['an AWS access key', `key = "${'AKIA'}IOSFODNN7EXAMPLE"`],
  ['an Anthropic key', `${'sk-ant'}-api03-${letters(40)}`],
  ['an OpenAI key', `${'sk-proj'}-${letters(48)}`],
  ['an API key (sk-…)', `OPENAI=${'sk'}-${letters(48)}`],
  ['an OpenRouter key', `${'sk-or'}-v1-${'0af9'.repeat(16)}`],
  ['a GitHub token', `${'ghp'}_${letters(36)}`],
  ['a GitHub token', `${'github'}_pat_${letters(60)}`],
  ['a GitLab token', `${'glpat'}-${letters(20)}`],
  ['an npm token', `${'npm'}_${letters(36)}`],
  ['a Google API key', `${'AIza'}${letters(35)}`],
  ['a Slack token', `${'xoxb'}-${letters(24)}`],
  ['a Stripe live key', `${'sk'}_live_${letters(24)}`],
  ['a Hugging Face token', `${'hf'}_${letters(34)}`],
  ['a signed token (JWT)', `${'eyJ'}${letters(20)}.${'eyJ'}${letters(30)}.${letters(43)}`],
  ['a database address with a password', `${'postgres'}://app:s3cr3tpw@db.example.org/x`],
])('by shape: %s', (what, text) => {
  expect(reason('src/config.js', `// first line\n${text}\n`)).toBe(`line 2 looks like ${what}`);
});

test.each([
  'const key = process.env.OPENAI_API_KEY;',
  'sk-test',
  'class="task-list-item-checkbox-with-a-rather-long-name-of-a-class"',
  'integrity: sha512-AKIAabcdefghijklmnop',
  'postgres://user:password@localhost:5432/db',
  `postgres://user:${'$'}{PASSWORD}@db.example.org/x`,
  '-----BEGIN PUBLIC KEY-----',
  'https://example.org/a/b?c=d',
])('by shape, harmless: %s', (text) => expect(reason('a.js', text)).toBeUndefined());

test('finds a key between bytes that are no text, and never quotes it', () => {
  const key = `${'ghp'}_${letters(36)}`;
  const bytes = Uint8Array.of(0xff, 0, 0xfe, ...new TextEncoder().encode(` ${key} `));
  expect(secretReason('a.bin', bytes)).toMatch(/GitHub/);
  expect(secretReason('a.bin', bytes)).not.toContain(key);
});
