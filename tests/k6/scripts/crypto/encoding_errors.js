// forms of output that are none.
import crypto from 'k6/crypto';

export default function () {
  for (const form of ['HEX', '', 'utf8', 'binary ', null, undefined, 5, {}, []]) {
    try { console.log(JSON.stringify(form), crypto.md5('x', form)); } catch (e) { console.log(JSON.stringify(form), 'threw', String(e)); }
  }
  try { console.log(crypto.md5('x')); } catch (e) { console.log('threw', String(e)); }
}
