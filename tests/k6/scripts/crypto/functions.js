// each hash as a function of its own.
import crypto from 'k6/crypto';

export default function () {
  for (const text of ['', 'a', 'hello world', '\u00e9\u4e2d\ud83d\ude00', 'x'.repeat(1000)]) {
    console.log(crypto.md4(text, 'hex'), crypto.md5(text, 'hex'), crypto.sha1(text, 'hex'), crypto.sha256(text, 'hex'));
    console.log(crypto.sha384(text, 'hex'), crypto.sha512(text, 'hex'), crypto.sha512_224(text, 'hex'), crypto.sha512_256(text, 'hex'), crypto.ripemd160(text, 'hex'));
  }
}
