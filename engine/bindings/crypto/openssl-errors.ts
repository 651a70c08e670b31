// Errors of OpenSSL, as far as programs see them: text, library, reason and code.
import { unsupported } from '../../process/dump';
import { UnknownScheme } from './encrypted-keys';
import { MissingPassphrase, UnreadableKey } from './key-encoding';

/** Libraries that a code names. */
const OWNERS: Record<string, string> = {
  'rsa routines': 'RSA_',
  'Diffie-Hellman routines': 'DH_',
  'common libcrypto routines': 'CRYPTO_',
};

/** An error as OpenSSL's last one becomes in Node. */
export function opensslError(code: string, library: string, reason: string): Error {
  const name = reason.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const owner = OWNERS[library] ?? '';
  return Object.assign(new Error(`error:${code}:${library}::${reason}`), {
    library,
    reason,
    code: `ERR_OSSL_${owner}${name}`,
  });
}

/** What a program hears where a key cannot be read for a reason that has a name; undefined for what is simply no key. */
export function keyFault(error: unknown): Error | undefined {
  if (error instanceof UnreadableKey) return unsupported(error.message);
  if (error instanceof UnknownScheme) return unsupported(`crypto with ${error.message}`);
  if (!(error instanceof MissingPassphrase)) return undefined;
  return error.isPem
    ? opensslError('07880109', 'common libcrypto routines', 'interrupted or cancelled')
    : Object.assign(new TypeError(error.message), { code: 'ERR_MISSING_PASSPHRASE' });
}

/** Runs `body`; what keys and paddings throw becomes OpenSSL's error, or the engine's own by name. */
export function asOpenssl<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof UnreadableKey) throw unsupported(error.message);
    if (!(error instanceof RangeError)) throw error;
    if (error.message === 'data too large for key size') throw opensslError('0200006E', 'rsa routines', error.message);
    if (error.message === 'data too large for modulus') throw opensslError('02000084', 'rsa routines', error.message);
    throw error;
  }
}
