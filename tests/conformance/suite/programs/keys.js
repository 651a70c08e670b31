// Asymmetric keys: formats, signatures that Node has made, shared secrets, encryption, and the errors.
const c = require('node:crypto');
const { keys, sigs, secrets, others } = require('./lib/keys.json');
const data = Buffer.from('the message');
const say = (...values) => console.log(...values);
const short = (value) => c.createHash('sha256').update(typeof value === 'string' || ArrayBuffer.isView(value) ? value : JSON.stringify(value)).digest('hex').slice(0, 16);
const attempt = (name, run) => { try { say(name, run()); } catch (error) { say(name, error.name, error.code, error.message); } };

async function main() {
  for (const [name, pem] of Object.entries(keys)) {
    const secret = c.createPrivateKey(pem);
    const open = c.createPublicKey(secret);
    say(name, secret.type, open.type, secret.asymmetricKeyType, open.asymmetricKeyDetails);
    say(' same', secret.export({ type: 'pkcs8', format: 'pem' }) === pem, open.export({ type: 'spki', format: 'pem' }));
    say(' jwk', JSON.stringify(open.export({ format: 'jwk' })), short(secret.export({ format: 'jwk' })));
    say(' der', short(secret.export({ type: 'pkcs8', format: 'der' })), c.createPrivateKey({ key: secret.export({ type: 'pkcs8', format: 'der' }), type: 'pkcs8', format: 'der' }).equals(secret));
    say(' back', c.createPrivateKey({ key: secret.export({ format: 'jwk' }), format: 'jwk' }).equals(secret), c.createPublicKey({ key: open.export({ format: 'jwk' }), format: 'jwk' }).equals(open), open.equals(secret), c.createPublicKey(pem).equals(open));
    if (name === 'rsa') say(' pkcs1', short(secret.export({ type: 'pkcs1', format: 'pem' })), open.export({ type: 'pkcs1', format: 'pem' }).split('\n')[0], c.createPublicKey(open.export({ type: 'pkcs1', format: 'pem' })).equals(open));
    if (secret.asymmetricKeyType === 'ec') say(' sec1', short(secret.export({ type: 'sec1', format: 'pem' })), c.createPrivateKey(secret.export({ type: 'sec1', format: 'pem' })).equals(secret));
    if (others[name]) say(' shared', c.diffieHellman({ privateKey: secret, publicKey: c.createPublicKey(others[name]) }).toString('hex'));
  }
  for (const [name, { key, alg, opts, signature }] of Object.entries(sigs)) {
    const given = Buffer.from(signature, 'base64');
    const open = c.createPublicKey(keys[key]);
    const made = c.sign(alg, data, { key: keys[key], ...opts });
    const exact = /^rsa|^ed/.test(name) && made.equals(given);
    say(name, c.verify(alg, data, { key: open, ...opts }, given), c.verify(alg, Buffer.from('another'), { key: open, ...opts }, given), c.verify(alg, data, { key: open, ...opts }, made), exact, c.verify(alg, data, { key: open, ...opts }, given.subarray(1)));
    if (alg) say('  streaming', c.createVerify(alg).update('the ').update('message').verify({ key: open, ...opts }, given), c.createVerify(alg).update(data).verify({ key: open, ...opts }, c.createSign(alg).update(data).sign({ key: keys[key], ...opts }, 'hex'), 'hex'));
  }
  for (const [name, text] of Object.entries(secrets)) {
    const options = name === 'oaep' ? {} : name === 'pkcs1' ? { padding: c.constants.RSA_PKCS1_PADDING } : { oaepHash: 'sha256', oaepLabel: Buffer.from('label') };
    say(name, c.privateDecrypt({ key: keys.rsa, ...options }, Buffer.from(text, 'base64')).toString(), c.privateDecrypt({ key: keys.rsa, ...options }, c.publicEncrypt({ key: keys.rsa, ...options }, Buffer.from('round trip'))).toString());
  }
  say('private first', c.publicDecrypt(keys.rsa, c.privateEncrypt(keys.rsa, Buffer.from('signed text'))).toString(), short(c.privateEncrypt(keys.rsa, Buffer.from('signed text'))));
  for (const [type, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['ed25519', {}], ['x25519', {}]]) {
    const pair = c.generateKeyPairSync(type, options);
    say('made', type, pair.privateKey.asymmetricKeyType, pair.publicKey.asymmetricKeyDetails, c.createPublicKey(pair.privateKey).equals(pair.publicKey));
  }
  const text = c.generateKeyPairSync('rsa', { modulusLength: 1024, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'der' } });
  say('as text', text.publicKey.split('\n')[0], Buffer.isBuffer(text.privateKey));
  say('async', await new Promise((resolve, reject) => c.generateKeyPair('ec', { namedCurve: 'secp384r1', publicKeyEncoding: { format: 'jwk' } }, (error, open, secret) => (error ? reject(error) : resolve([Object.keys(open), secret.type])))));
  const [left, right] = [c.createECDH('secp256k1'), c.createECDH('secp256k1')];
  left.setPrivateKey('11'.repeat(32), 'hex');
  right.generateKeys();
  say('ecdh', left.getPublicKey('hex', 'compressed'), left.computeSecret(right.getPublicKey()).equals(right.computeSecret(left.getPublicKey())), c.ECDH.convertKey(left.getPublicKey(), 'secp256k1', undefined, 'hex', 'compressed') === left.getPublicKey('hex', 'compressed'));

  const { encrypted } = require('./lib/keys.json');
  const inside = c.createPrivateKey({ key: encrypted.pkcs8, passphrase: 'pw' });
  say('encrypted', inside.asymmetricKeyDetails, c.createPrivateKey({ key: encrypted.sec1, passphrase: Buffer.from('pw') }).equals(inside), c.createPrivateKey({ key: Buffer.from(encrypted.der, 'base64'), format: 'der', type: 'pkcs8', passphrase: 'pw' }).equals(inside));
  for (const type of ['pkcs8', 'sec1']) {
    const pem = inside.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'other' });
    say(' again', pem.split('\n')[0], c.createPrivateKey({ key: pem, passphrase: 'other' }).equals(inside));
  }
  attempt(' no passphrase', () => c.createPrivateKey(encrypted.pkcs8));
  attempt(' no passphrase', () => c.createPrivateKey({ key: Buffer.from(encrypted.der, 'base64'), format: 'der', type: 'pkcs8' }));
  attempt(' unknown cipher', () => inside.export({ type: 'pkcs8', format: 'pem', cipher: 'none', passphrase: 'a' }));
  for (const name of ['modp1', 'modp2', 'modp5', 'modp14', 'modp15', 'modp16', 'modp17', 'modp18']) {
    const group = c.getDiffieHellman(name);
    say(' ', name, short(group.getPrime()), group.getGenerator('hex'), group.verifyError);
  }
  const [one, two] = [c.getDiffieHellman('modp14'), c.createDiffieHellman(c.getDiffieHellman('modp14').getPrime(), 2)];
  one.generateKeys();
  two.setPrivateKey('1234', 'hex');
  two.generateKeys();
  say(' same secret', one.computeSecret(two.getPublicKey()).equals(two.computeSecret(one.getPublicKey())), one.getPrivateKey().length, short(two.getPublicKey()));
  for (const wrong of [() => c.getDiffieHellman('modp99'), () => c.getDiffieHellman('modp1').getPublicKey(), () => one.computeSecret(Buffer.from([1])), () => one.computeSecret(Buffer.alloc(257, 255)), () => c.createDiffieHellman(Buffer.from([23]), 5).generateKeys(), () => c.createDiffieHellman(one.getPrime(), 1)]) attempt(' ', wrong);
  say(' checked', [[23], [24], [7]].map((bytes) => c.createDiffieHellman(Buffer.from(bytes), 5).verifyError));
  say('primes', [0n, 1n, 2n, 3n, 4n, 9n, 561n, 7919n, 2n ** 61n - 1n, 2n ** 89n - 1n].map((number) => c.checkPrimeSync(number)), c.checkPrimeSync(c.generatePrimeSync(64)), c.generatePrimeSync(32, { add: 12n, rem: 11n, bigint: true }) % 12n, c.checkPrimeSync((c.generatePrimeSync(32, { safe: true, bigint: true }) - 1n) / 2n));
  say('cipher facts', ['aes-128-gcm', 'aes-256-ctr', 'aes-192-cbc', 'chacha20-poly1305'].map((name) => c.getCipherInfo(name)));
  const { subtle } = c.webcrypto;
  for (const [algorithm, use] of [[{ name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }, ['sign', 'verify']], ['Ed25519', ['sign', 'verify']], [{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) }, ['sign', 'verify']], [{ name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32, modulusLength: 1024, publicExponent: Uint8Array.of(1, 0, 1) }, ['sign', 'verify']], [{ name: 'HMAC', hash: 'SHA-256' }, ['sign', 'verify']]]) {
    const made = await subtle.generateKey(algorithm, true, use);
    const [secret, open] = [made.privateKey ?? made, made.publicKey ?? made];
    const signature = await subtle.sign(algorithm, secret, data);
    say('subtle', secret, await subtle.verify(algorithm, open, signature, data), await subtle.verify(algorithm, open, signature, Buffer.from('no')), Object.keys(await subtle.exportKey('jwk', secret)).sort().join());
  }
  const aes = await subtle.importKey('raw', Buffer.alloc(32, 7), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const box = await subtle.encrypt({ name: 'AES-GCM', iv: Buffer.alloc(12, 1), additionalData: Buffer.from('aad') }, aes, data);
  say('gcm', Buffer.from(box).toString('hex'), Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12, 1), additionalData: Buffer.from('aad') }, aes, box)).toString());
  await subtle.decrypt({ name: 'AES-GCM', iv: Buffer.alloc(12, 2) }, aes, box).catch((error) => say('refused', error.name, error.message));
  const derived = await subtle.importKey('spki', c.createPublicKey(others.prime256v1).export({ type: 'spki', format: 'der' }), { name: 'ECDH', namedCurve: 'P-256' }, false, []);
  const own = await subtle.importKey('pkcs8', c.createPrivateKey(keys.prime256v1).export({ type: 'pkcs8', format: 'der' }), { name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
  say('derived', Buffer.from(await subtle.deriveBits({ name: 'ECDH', public: derived }, own, 256)).toString('hex'));

  attempt('garbage', () => c.createPrivateKey('garbage'));
  attempt('public as private', () => c.createPrivateKey(c.createPublicKey(keys.rsa).export({ type: 'spki', format: 'pem' })));
  attempt('digest', () => c.createSign('nonsense'));
  attempt('digest', () => c.sign('nonsense', data, keys.rsa));
  attempt('curve', () => c.generateKeyPairSync('ec', { namedCurve: 'nope' }));
  attempt('curve', () => c.createECDH('nope'));
  attempt('too large', () => c.publicEncrypt(keys.rsa, Buffer.alloc(300)));
  attempt('secret', () => c.createPrivateKey(c.createSecretKey(Buffer.alloc(8))));
  attempt('jwk', () => c.createPublicKey({ key: { kty: 'RSA' }, format: 'jwk' }));
  attempt('jwk', () => c.createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, format: 'jwk' }));
  attempt('size', () => c.createSecretKey(Buffer.alloc(8)).symmetricKeySize);
}
main();
