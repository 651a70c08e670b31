// Arguments that Node takes though they are odd, and refuses though they are plain.
const crypto = require('node:crypto');
const fs = require('node:fs');
const zlib = require('node:zlib');
const show = (name, run) => {
  try {
    console.log(name, run());
  } catch ({ name: kind, code, message }) {
    console.log(name, kind, code, message);
  }
};
const file = `/tmp/odd-${process.pid}`;
const fd = fs.openSync(file, 'w+');
show('an encoding for a position', () => [fs.writeSync(fd, 'abc', 'utf8'), fs.writeSync(fd, 'Z', 1), fs.readFileSync(file, 'utf8')]);
fs.write(fd, 'ä', 'latin1', (error, count) => {
  console.log(error, count, fs.readFileSync(file));
  fs.rmSync(file);
});
show('constant', () => {
  'use strict';
  zlib.constants.Z_OK = 5;
});
show('no keys', () => crypto.scryptSync('a', 'b', 0));
show('no keys', () => crypto.hkdfSync('sha256', 'a', 'b', 'c', 0));
show('no keys', () => crypto.pbkdf2Sync('a', 'b', 1, 0, 'sha1'));
show('a long key', () => crypto.hkdfSync('sha256', 'a', 'b', 'c', 255 * 32).byteLength);
show('too long a key', () => crypto.hkdfSync('sha256', 'a', 'b', 'c', 255 * 32 + 1));
show('too long a text', () => Buffer.alloc(0x1fffffe9).toString('latin1'));
show('revoke', () => Proxy.revocable({}, {}).revoke);
show('duplexPair', () => typeof require('node:stream').duplexPair);
