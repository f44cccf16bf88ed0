// everything parse tells of a certificate.
import x509 from 'k6/crypto/x509';

const pem = open('certs/full.pem');
export default function () {
  const parsed = x509.parse(pem);
  console.log(Object.keys(parsed).join());
  console.log(JSON.stringify(parsed.subject));
  console.log(JSON.stringify(parsed.issuer));
  console.log(parsed.notBefore, parsed.notAfter, parsed.signatureAlgorithm, parsed.altNames.join());
  console.log(parsed.fingerPrint.join(), Array.isArray(parsed.fingerPrint));
  console.log(parsed.publicKey.algorithm, parsed.publicKey.key.e, typeof parsed.publicKey.key.n, parsed.publicKey.key.n.toString(16), parsed.publicKey.key.size());
}
