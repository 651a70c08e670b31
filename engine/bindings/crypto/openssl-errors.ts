// Errors of OpenSSL, as far as programs see them: text, library, reason and code.
import { unsupported } from '../../process/dump';
import { UnreadableKey } from './key-encoding';

/** An error as OpenSSL's last one becomes in Node. */
export function opensslError(code: string, library: string, reason: string): Error {
  const name = reason.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const owner = library === 'rsa routines' ? 'RSA_' : library === 'Provider routines' ? 'PROV_' : '';
  return Object.assign(new Error(`error:${code}:${library}::${reason}`), {
    library,
    reason,
    code: `ERR_OSSL_${owner}${name}`.replace('ERR_OSSL_PROV_', 'ERR_OSSL_'),
  });
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
