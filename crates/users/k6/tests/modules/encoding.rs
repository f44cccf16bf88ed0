//! `k6/crypto` and `k6/encoding`: hashes, HMACs and Base64.

use super::printed;

#[test]
fn hashes_and_hmacs_are_those_of_k6() {
    let lines = printed(
        "import crypto, { md5 } from 'k6/crypto';
        const of = (f) => { try { return f(); } catch (error) { return error.message; } };
        export default function () {
          console.log(md5('a', 'hex'), crypto.md4('a', 'base64'), crypto.ripemd160('a', 'base64rawurl'));
          console.log(crypto.hmac('sha512_224', 's', 'd', 'hex'), crypto.md5(new Uint8Array([97]), 'base64url'));
          const h = crypto.createHash('sha1');
          h.update('a');
          h.update('b');
          console.log(h.digest('hex'), h.digest('hex') === crypto.sha1('ab', 'hex'));
          const long = 'k'.repeat(200);
          console.log(crypto.createHMAC('sha256', long).update('d').digest('hex'));
          console.log(crypto.hexEncode('ab'), crypto.md5('a', 'binary').byteLength, crypto.randomBytes(9).byteLength);
          for (const f of [() => md5('a'), () => md5(5, 'hex'), () => md5(null, 'hex'), () => crypto.randomBytes(0), () => crypto.createHash('nope')]) console.log(of(f));
          console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(globalThis.crypto.randomUUID()), globalThis.crypto.getRandomValues(new Uint8Array(32)).some((b) => b > 0));
        }",
    );
    assert_eq!(
        lines,
        [
            "0cc175b9c0f1b6a831c399e269772661 veUssx3jPkYkXgX729b7JA== C9ydLSVrPunarjR75vTcg1pGf_4",
            "8c073a5da77df9a4d20733f2144f0117ab3b3b77278c05b6457d217b DMF1ucDxtqgxw5niaXcmYQ==",
            "da23614e02469a0d7c7bd1bdab5c9c474b1904dc true",
            LONG_KEY,
            "6162 16 9",
            "invalid output encoding: ",
            "md5 failed: invalid type int64, expected string, []byte or ArrayBuffer",
            "md5 failed: invalid type <nil>, expected string, []byte or ArrayBuffer",
            "invalid size",
            "invalid algorithm: nope",
            "true true",
        ]
    );
}

const LONG_KEY: &str = "355fd18a0d98b65c264fd834fd8abf9a720f5410ca76ff8df7f70edd65b392b9";

#[test]
fn base64_is_that_of_k6() {
    let lines = printed(
        "import { b64encode, b64decode } from 'k6/encoding';
        const of = (f) => { try { return f(); } catch (error) { return error.message; } };
        export default function () {
          console.log(b64encode('a?>'), b64encode('a?>a', 'url'), b64encode('a', 'rawstd'), b64encode('a', 'rawurl'), b64encode(new Uint8Array([255]).buffer));
          console.log(b64decode('YQ==').byteLength, b64decode('YQ==', 'std', 's'), b64decode('YQ', 'rawurl', 's'));
          for (const f of [() => b64decode('Y*Q=='), () => b64decode('YQ', 'std', 's'), () => b64encode(null), () => b64encode(5)]) console.log(of(f));
        }",
    );
    assert_eq!(
        lines,
        [
            "YT8+ YT8-YQ== YQ YQ /w==",
            "1 a a",
            "illegal base64 data at input byte 1",
            "illegal base64 data at input byte 0",
            "invalid type <nil>, expected string, []byte or ArrayBuffer",
            "invalid type int64, expected string, []byte or ArrayBuffer",
        ]
    );
}
