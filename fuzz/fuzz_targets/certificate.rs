//! Certificates and keys in DER (`k6/crypto/x509`, `webcrypto`): read or refused, and a value that was
//! read, written again, is the bytes that it was read from, where these have the shortest form.
#![no_main]
#![allow(dead_code)]

use libfuzzer_sys::fuzz_target;
use loadline_fuzz::LINEAR;

#[path = "../../crates/users/k6/src/modules"]
mod modules {
    pub mod der;
    pub mod x509 {
        mod certificate;

        /// Reads a certificate; whether it is one.
        pub fn read(bytes: &[u8]) -> bool {
            let Ok(certificate) = certificate::Certificate::read(bytes) else {
                return false;
            };
            let texts = certificate.subject.0.iter().chain(&certificate.issuer.0);
            let held: usize = texts.map(|(_, value)| value.len()).sum();
            // A byte of no known text becomes three; an identifier's byte up to four digits.
            assert!(held <= 3 * bytes.len());
            assert_eq!(certificate.finger_print.len(), 20);
            assert_eq!(certificate.not_before.len(), "2026-01-01T00:00:00Z".len());
            true
        }
    }

    /// Reads a key; whether it is one.
    pub fn read_key(bytes: &[u8]) {
        let mut reader = der::Reader::new(bytes);
        while let Ok((tag, content)) = reader.any() {
            let written = der::value(tag, content);
            let mut again = der::Reader::new(&written);
            assert_eq!(again.any(), Ok((tag, content)));
            assert!(again.is_empty());
        }
        for (algorithm, parameters, key) in [der::read_public(bytes), der::read_private(bytes)]
            .into_iter()
            .flatten()
        {
            assert!(algorithm.len() + parameters.len() + key.len() < bytes.len());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    LINEAR.hold(bytes.len(), || {
        modules::x509::read(bytes);
        modules::read_key(bytes);
        let text = String::from_utf8_lossy(bytes);
        if let Ok(key) = loadline_net::decrypted_key(&text, "password") {
            assert!(key.len() <= 3 * text.len() + 100);
        }
    });
});
