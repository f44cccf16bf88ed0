// the numbers of a key on a curve.
import { parse } from 'k6/crypto/x509';

const pem = open('certs/p384.pem');
export default function () {
  const key = parse(pem).publicKey;
  console.log(key.algorithm, typeof key.key.x, key.key.x.toString(16), key.key.y.toString(16));
}
