// what the module exports, and in the init context.
import x509, * as all from 'k6/crypto/x509';

const pem = open('certs/full.pem');
console.log(x509.getSubject(pem).commonName, x509.parse(pem).altNames.length);
export default function () {
  console.log(Object.keys(all).sort().join(), Object.keys(x509).sort().join());
  console.log(['parse', 'getAltNames', 'getIssuer', 'getSubject'].map((name) => `${typeof x509[name]} ${x509[name].length}`).join());
  console.log(JSON.stringify(x509.parse(pem).fingerPrint) === JSON.stringify(x509.parse(pem).fingerPrint));
}
