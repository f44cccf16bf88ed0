//! Keys under a password in the old form of PEM, with `DEK-Info` (RFC 1421), as k6 takes them.
//!
//! What encrypts them is weak: the key comes of one round of MD5. PKCS #8's form, which is
//! better, k6 refuses, and so is it here. DES, which newer tools write no more, is left out.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm, DecryptionContext, PaddedBlockDecryptingKey,
    UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest as _, Md5};

use super::error::TlsError;

/// Bytes of a key on a line of PEM.
const PEM_LINE_BYTES: usize = 48;
/// Bytes of the salt: the first of the initialization vector.
const SALT_BYTES: usize = 8;

/// The key of `pem` as PEM without a password.
///
/// # Errors
/// [`TlsError::KeyPassword`] with Go's words: no PEM, a form or cipher that is not taken, the
/// wrong password.
pub fn decrypted_key(pem: &str, password: &str) -> Result<String, TlsError> {
    decrypt(pem, password).map_err(|why| TlsError::KeyPassword(why.into()))
}

fn decrypt(pem: &str, password: &str) -> Result<String, &'static str> {
    let block = Block::find(pem).ok_or("failed to decode PEM key")?;
    if block.label == "ENCRYPTED PRIVATE KEY" {
        return Err("encrypted pkcs8 formatted key is not supported");
    }
    let info = block.info.ok_or("x509: no DEK-Info header in block")?;
    let (cipher, vector) = info
        .split_once(',')
        .ok_or("x509: malformed DEK-Info header")?;
    let (algorithm, key_length) = cipher_of(cipher)?;
    let vector: [u8; 16] = bytes_of_hex(vector)
        .and_then(|vector| vector.try_into().ok())
        .ok_or("x509: incorrect IV size")?;
    let key = derived(password.as_bytes(), &vector[..SALT_BYTES], key_length);
    let wrong = "x509: decryption password incorrect";
    let mut coded = block.bytes;
    let key = UnboundCipherKey::new(algorithm, &key).map_err(|_| wrong)?;
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(|_| wrong)?;
    let context = DecryptionContext::Iv128(FixedLength::from(&vector));
    let plain = key.decrypt(&mut coded, context).map_err(|_| wrong)?;
    let mut out = format!("-----BEGIN {}-----\n", block.label);
    for line in plain.chunks(PEM_LINE_BYTES) {
        out.push_str(&STANDARD.encode(line));
        out.push('\n');
    }
    out.push_str(&format!("-----END {}-----\n", block.label));
    Ok(out)
}

/// The cipher by PEM's name, and the length of its key.
fn cipher_of(name: &str) -> Result<(&'static Algorithm, usize), &'static str> {
    match name {
        "AES-128-CBC" => Ok((&AES_128, 16)),
        "AES-192-CBC" => Ok((&AES_192, 24)),
        "AES-256-CBC" => Ok((&AES_256, 32)),
        "DES-CBC" | "DES-EDE3-CBC" => {
            Err("keys encrypted with DES are not supported; encrypt it with AES or not at all")
        }
        _ => Err("x509: unknown encryption mode"),
    }
}

/// OpenSSL's key of a password: MD5 over what came before, password and salt, until there is
/// enough.
fn derived(password: &[u8], salt: &[u8], length: usize) -> Vec<u8> {
    let mut key = Vec::new();
    let mut last = Vec::new();
    while key.len() < length {
        let mut hash = Md5::new_with_prefix(&last);
        hash.update(password);
        hash.update(salt);
        last = hash.finalize().to_vec();
        key.extend_from_slice(&last);
    }
    key.truncate(length);
    key
}

fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// The first block of a PEM text.
struct Block<'p> {
    label: &'p str,
    /// `DEK-Info`
    info: Option<&'p str>,
    bytes: Vec<u8>,
}

impl<'p> Block<'p> {
    fn find(pem: &'p str) -> Option<Self> {
        let (_, rest) = pem.split_once("-----BEGIN ")?;
        let (label, rest) = rest.split_once("-----")?;
        let (body, _) = rest.split_once("-----END ")?;
        let mut info = None;
        let mut coded = String::new();
        for line in body.lines().map(str::trim) {
            match line.split_once(':') {
                Some(("DEK-Info", value)) => info = Some(value.trim()),
                Some(_) => {}
                None => coded.push_str(line),
            }
        }
        Some(Self {
            label,
            info,
            bytes: STANDARD.decode(coded).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What OpenSSL makes of [`PLAIN`] under the password `secret`.
    const CODED: [(&str, &str); 3] = [
        (
            "AES-128-CBC",
            "P9rXHYWtPY7ZijachSCbQj4SlsWf7nRiKi4RbnZWTpFo5MKCk+fnsTOxySm/lgPZnpASVArrY0/XMyE+77SjF/O7C9sGdLc81gzn7AhB6HY=",
        ),
        (
            "AES-192-CBC",
            "nSkanVPF4mssFNc+wB+rn8KUAf//dsLafL+0juoOz2GNHztP9+DnIQc0/gQiOZ7VYVSzxsN4NqY466rDUr1k61rGyMIg+ClnVFLRDR9nr3w=",
        ),
        (
            "AES-256-CBC",
            "u1KU3nDKp+rdp7aButHK12RtLKglr1uE00G/94P4G8Lvr7eRt0TVGtAwPXr2WMGHtUCYAHK5h9c5zknQpl0abHSuHedcCL2zdbCCXh8m1UI=",
        ),
    ];
    const PLAIN: &[u8] = b"not a key, but as long as one needs to be to fill two lines of PEM";

    fn coded(cipher: &str, bytes: &str) -> String {
        format!(
            "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: {cipher},\
             000102030405060708090A0B0C0D0E0F\n\n{bytes}\n-----END EC PRIVATE KEY-----\n"
        )
    }

    #[test]
    fn a_key_under_a_password_comes_out_as_it_was() {
        for (cipher, bytes) in CODED {
            let pem = decrypted_key(&coded(cipher, bytes), "secret").unwrap();
            let block = Block::find(&pem).unwrap();
            assert_eq!((block.label, block.info), ("EC PRIVATE KEY", None));
            assert_eq!(block.bytes, PLAIN, "{cipher}");
        }
    }

    #[test]
    fn what_cannot_be_decrypted_says_why() {
        let why = |pem: &str| decrypt(pem, "x").unwrap_err();
        let (cipher, bytes) = CODED[2];
        assert_eq!(
            why(&coded(cipher, bytes)),
            "x509: decryption password incorrect"
        );
        assert_eq!(why(""), "failed to decode PEM key");
        let plain = "-----BEGIN X-----\nAAAA\n-----END X-----";
        assert_eq!(why(plain), "x509: no DEK-Info header in block");
        let with =
            |info: &str| format!("-----BEGIN X-----\nDEK-Info: {info}\n\nAAAA\n-----END X-----");
        assert_eq!(why(&with("AES")), "x509: malformed DEK-Info header");
        assert_eq!(why(&with("RC2,00")), "x509: unknown encryption mode");
        assert_eq!(why(&with("AES-128-CBC,00")), "x509: incorrect IV size");
        assert!(why(&with("DES-EDE3-CBC,00")).contains("DES"));
        let newer = "-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END X-----";
        assert_eq!(why(newer), "encrypted pkcs8 formatted key is not supported");
    }
}
