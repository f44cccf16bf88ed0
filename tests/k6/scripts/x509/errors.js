// what is no certificate.
import x509 from 'k6/crypto/x509';

const block = (body) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const ed = open('certs/ed25519.pem');
export default function () {
  for (const given of ['', 'text', null, undefined, [1, 2], {}, 5, true, block('AAAA'), block('MIIB'), block(''), block('***'), '-----BEGIN CERTIFICATE-----\nAAAA\n']) {
    for (const name of ['parse', 'getAltNames', 'getIssuer', 'getSubject']) {
      try { x509[name](given); console.log(name, 'read'); } catch (e) { console.log(name, e instanceof Error, e.name, e.message); }
    }
  }
  try { x509.parse(ed); console.log('read'); } catch (e) { console.log(String(e)); }
  console.log(x509.getSubject(ed).commonName);
}
