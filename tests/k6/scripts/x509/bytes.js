// a certificate given as bytes.
import x509 from 'k6/crypto/x509';

const raw = open('certs/leaf.pem', 'b');
const text = open('certs/leaf.pem');
export default function () {
  for (const given of [raw, new Uint8Array(raw), Array.from(new Uint8Array(raw)), text.split('\n').join('\r\n'), `\n\n${text}`]) console.log(x509.getSubject(given).commonName);
}
