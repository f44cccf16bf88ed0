// createHash with several updates.
import crypto from 'k6/crypto';

export default function () {
  for (const name of ['md4', 'md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'ripemd160']) {
    const hasher = crypto.createHash(name);
    hasher.update('one ');
    hasher.update('two');
    console.log(name, hasher.digest('hex'), hasher.digest('base64'));
  }
  const again = crypto.createHash('sha256');
  again.update('a');
  const first = again.digest('hex');
  again.update('b');
  console.log(first === crypto.sha256('a', 'hex'), again.digest('hex') === crypto.sha256('ab', 'hex'));
}
