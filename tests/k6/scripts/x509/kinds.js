// certificates of several keys and signatures.
import x509 from 'k6/crypto/x509';

const pems = {};
for (const name of ['p256', 'p384', 'pss', 'bare', 'leaf', 'several']) pems[name] = open(`certs/${name}.pem`);
export default function () {
  for (const name of Object.keys(pems)) {
    const parsed = x509.parse(pems[name]);
    console.log(name, parsed.signatureAlgorithm, parsed.publicKey.algorithm, parsed.fingerPrint.length, parsed.notAfter, JSON.stringify(parsed.altNames));
    console.log(JSON.stringify(parsed.subject), JSON.stringify(parsed.issuer));
  }
}
