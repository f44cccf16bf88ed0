// what the crypto global is made of.
export default function () {
  console.log(typeof crypto, Object.keys(crypto).join(), Object.keys(crypto.subtle).join());
  console.log(Object.keys(crypto.subtle).map((name) => crypto.subtle[name].length).join(), typeof crypto.CryptoKey);
  console.log(crypto, JSON.stringify(crypto.CryptoKey));
  for (const write of [() => { crypto.subtle = 1; }, () => { crypto.randomUUID = 1; }, () => { crypto.subtle.digest = 1; }]) {
    try { write(); console.log('written'); } catch (e) { console.log(e.name); }
  }
  for (const name of ['wrapKey', 'unwrapKey']) {
    try { crypto.subtle[name]('raw', new Uint8Array(1), {}, {}, {}, true, []); console.log('gone well'); } catch (e) { console.log(String(e), e instanceof Error); }
  }
}
