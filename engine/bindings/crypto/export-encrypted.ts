// The export of a private key under a passphrase, in OpenSSL's two forms: PKCS#8 with its own label, and the older PEM with lines before the content.
import { unsupported } from '../../process/dump';
import { CIPHERS } from './ciphers';
import { encryptLegacy, encryptPkcs8, UnknownScheme } from './encrypted-keys';
import { type KeyMaterial, type KeyShape, writeDer, writePem } from './key-encoding';
import type { FillRandom } from './rsa';

/** PEM text, or DER of PKCS#8. Throws Node's error for a cipher that does not exist, one by name for one that is not here. */
export function exportEncrypted(
  key: KeyMaterial,
  shape: KeyShape,
  isPem: boolean,
  cipher: string,
  passphrase: Uint8Array,
  random: FillRandom,
): string | Uint8Array {
  if (!CIPHERS.has(cipher.toLowerCase()))
    throw Object.assign(new Error('Unknown cipher'), { code: 'ERR_CRYPTO_UNKNOWN_CIPHER' });
  try {
    const der = writeDer(key, shape);
    if (shape === 'pkcs8') {
      const encrypted = encryptPkcs8(der, cipher, passphrase, random);
      return isPem ? writePem(encrypted, shape, true, { isEncrypted: true }) : encrypted;
    }
    const { lines, content } = encryptLegacy(der, cipher, passphrase, random);
    return writePem(content, shape, true, { head: lines });
  } catch (error) {
    if (error instanceof UnknownScheme) throw unsupported(`crypto: the export of ${error.message}`);
    throw error;
  }
}
