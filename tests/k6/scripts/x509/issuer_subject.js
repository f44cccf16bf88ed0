// getIssuer and getSubject.
import x509, { getIssuer, getSubject } from 'k6/crypto/x509';

const [full, leaf, p384, bare] = ['full', 'leaf', 'p384', 'bare'].map((name) => open(`certs/${name}.pem`));
export default function () {
  console.log(getIssuer(leaf).commonName, getSubject(leaf).commonName, getIssuer(leaf).country);
  console.log(getSubject(full));
  console.log(getIssuer(full));
  console.log(getSubject(p384).commonName, JSON.stringify(getSubject(p384).names));
  console.log(JSON.stringify(x509.getSubject(bare)), JSON.stringify(x509.getIssuer(bare)));
  console.log(getSubject(full).organizationalUnitName.join('+'), getSubject(full).names.map((name) => `${name.type}=${name.value}`).join('/'));
}
