// getAltNames of certificates with some and with none.
import x509, { getAltNames } from 'k6/crypto/x509';

const [full, leaf, p256] = ['full', 'leaf', 'p256'].map((name) => open(`certs/${name}.pem`));
export default function () {
  const names = getAltNames(full);
  console.log(Array.isArray(names), names.length, JSON.stringify(names), names);
  console.log(JSON.stringify(x509.getAltNames(leaf)), JSON.stringify(x509.getAltNames(p256)), x509.getAltNames(leaf));
}
