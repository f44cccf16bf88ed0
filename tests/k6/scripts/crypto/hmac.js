// hmac with each hash and keys of many lengths.
import crypto from 'k6/crypto';

export default function () {
  for (const name of ['md4', 'md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'ripemd160']) console.log(name, crypto.hmac(name, 'secret', 'data', 'hex'), crypto.hmac(name, '', '', 'hex'));
  for (const length of [1, 63, 64, 65, 128, 129, 1000]) console.log(length, crypto.hmac('sha256', 'k'.repeat(length), 'data', 'hex'));
}
