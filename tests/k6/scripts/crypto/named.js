// named imports of k6/crypto.
import { sha256, hmac, createHash, createHMAC, randomBytes, hexEncode, md4 } from 'k6/crypto';

export default function () {
  console.log(sha256('x', 'hex'), hmac('md5', 'k', 'x', 'hex'), createHash('sha1').digest('hex'), randomBytes(3).byteLength);
  console.log(typeof createHMAC, typeof hexEncode, typeof md4);
}
