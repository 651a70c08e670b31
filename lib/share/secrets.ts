// Finding what must not travel in a link by accident: files that hold secrets by their name, and keys by their shape. It can miss one (no
// shape is known for every key), so the person also sees the list of what goes.
import { secretNameReason } from '../std/secret-names';

/** Shapes of keys, each with the prefix that its issuer gave it, so that ordinary text does not match. */
const secretShapes: [RegExp, string][] = [
  [
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,20000}?-----END [A-Z0-9 ]+-----)?/,
    'a private key',
  ],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/, 'an AWS access key'],
  [/\bsk-ant-(?:api|admin)\d\d-[\w-]{20,}/, 'an Anthropic key'],
  [/\bsk-(?:proj|svcacct|admin)-[\w-]{20,}/, 'an OpenAI key'],
  [/\bsk-or-v1-[0-9a-f]{32,}/, 'an OpenRouter key'],
  [/\bsk-[A-Za-z0-9]{32,}\b/, 'an API key (sk-…)'],
  [/\bgh[pousr]_[A-Za-z0-9]{36,}\b/, 'a GitHub token'],
  [/\bgithub_pat_\w{40,}/, 'a GitHub token'],
  [/\bglpat-[\w-]{20,}/, 'a GitLab token'],
  [/\bnpm_[A-Za-z0-9]{36}\b/, 'an npm token'],
  [/\bAIza[\w-]{35}(?![\w-])/, 'a Google API key'],
  [/\bya29\.[\w-]{30,}/, 'a Google access token'],
  [/\bxox[abeprs]-[A-Za-z0-9-]{20,}/, 'a Slack token'],
  [/\b[rs]k_live_[A-Za-z0-9]{20,}/, 'a Stripe live key'],
  [/\bSG\.[\w-]{22}\.[\w-]{43}/, 'a SendGrid key'],
  [/\bhf_[A-Za-z0-9]{34,}\b/, 'a Hugging Face token'],
  [/\bgsk_[A-Za-z0-9]{40,}\b/, 'a Groq key'],
  [/\bdop_v1_[0-9a-f]{64}\b/, 'a DigitalOcean token'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/, 'a signed token (JWT)'],
  [
    /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|rediss?|amqps?):\/\/[^\s:/@'"]+:(?!\$\{|<|\*|password@|pass@|secret@)[^\s@'"]{4,}@(?!localhost\b|127\.)/i,
    'a database address with a password',
  ],
];

const scannedBytes = 2 * 2 ** 20;

/** Why the file should stay out, in words that follow *because*; undefined when nothing speaks against it. Never quotes the secret. */
export function secretReason(path: string, contents: Uint8Array): string | undefined {
  const byName = secretNameReason(path);
  if (byName !== undefined) return byName;
  // Latin-1: every byte is a character, so keys are found in any encoding that keeps ASCII, and nothing throws.
  const text = new TextDecoder('latin1').decode(new Uint8Array(contents.subarray(0, scannedBytes)));
  for (const [pattern, what] of secretShapes) {
    const line = lineOf(text, pattern);
    if (line !== undefined) return `line ${line} looks like ${what}`;
  }
  return undefined;
}

/** The text with everything that has the shape of a key replaced by what it looked like. */
export function withoutKeys(text: string): string {
  return secretShapes.reduce(
    (left, [pattern, what]) => left.replace(new RegExp(pattern, `g${pattern.flags}`), `[${what}, left out]`),
    text,
  );
}

function lineOf(text: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : text.slice(0, match.index).split('\n').length;
}
