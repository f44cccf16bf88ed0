//! The two halves of RSA keys.

use aws_lc_rs::rsa::KeyPair;

use crate::modules::der::{self, Reader};

/// Modulus and exponent, most significant byte first, no zeros in front.
pub(super) struct RsaPublic {
    pub(super) n: Vec<u8>,
    pub(super) e: Vec<u8>,
}

/// The names of a private key's numbers in JSON, in the order DER has them (RFC 8017,
/// appendix A.1.2).
pub(super) const NUMBERS: [&str; 8] = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];

/// A private key; its numbers in the order of [`NUMBERS`].
pub(super) struct RsaPrivate {
    pub(super) numbers: Vec<Vec<u8>>,
    pub(super) pair: KeyPair,
}

impl RsaPublic {
    pub(super) fn bits(&self) -> usize {
        let zeros = self.n.first().map_or(0, |first| first.leading_zeros());
        self.n.len() * 8 - zeros as usize
    }

    /// `RSAPublicKey`
    pub(super) fn inner(&self) -> Vec<u8> {
        der::sequence(&[der::number(&self.n), der::number(&self.e)])
    }

    pub(super) fn spki(&self) -> Vec<u8> {
        der::sequence(&[der::algorithm(der::RSA, None), der::bits(&self.inner())])
    }
}

impl RsaPrivate {
    pub(super) fn new(numbers: Vec<Vec<u8>>) -> Result<Self, String> {
        let der = write_private(&numbers);
        let pair = KeyPair::from_pkcs8(&der).map_err(|error| error.to_string())?;
        Ok(Self { numbers, pair })
    }

    pub(super) fn from_pkcs8(bytes: &[u8]) -> Result<Self, String> {
        let (algorithm, _, key) = der::read_private(bytes)?;
        if algorithm != der::RSA {
            let text = "given CryptoKey is not a private RSA key, it's *rsa.PrivateKey";
            return Err(text.to_owned());
        }
        let mut fields = Reader::new(key).sequence()?;
        fields.number()?;
        let numbers: Result<Vec<_>, _> = NUMBERS
            .iter()
            .map(|_| fields.number().map(<[u8]>::to_vec))
            .collect();
        Self::new(numbers?)
    }

    pub(super) fn public(&self) -> RsaPublic {
        RsaPublic {
            n: self.numbers[0].clone(),
            e: self.numbers[1].clone(),
        }
    }
}

/// PKCS #8 around `RSAPrivateKey`.
pub(super) fn write_private(numbers: &[Vec<u8>]) -> Vec<u8> {
    let mut fields = vec![der::number(&[0])];
    fields.extend(numbers.iter().map(|number| der::number(number)));
    der::sequence(&[
        der::number(&[0]),
        der::algorithm(der::RSA, None),
        der::value(der::TAG_OCTET_STRING, &der::sequence(&fields)),
    ])
}
