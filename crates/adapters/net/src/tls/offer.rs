//! What is offered to a server, in which order.

use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::{ProtocolVersion, SupportedCipherSuite, SupportedProtocolVersion};

use super::error::TlsError;
use super::options::TlsOptions;
use super::suites::{SPOKEN, TlsVersion, go_name};

/// The suites and key exchanges to offer, in Go's order.
pub(super) fn provider(options: &TlsOptions) -> Result<CryptoProvider, TlsError> {
    let mut provider = aws_lc_rs::default_provider();
    let order = |suite: &SupportedCipherSuite| {
        let spoken = SPOKEN.iter().position(|(s, _)| *s == suite.suite());
        spoken.unwrap_or(SPOKEN.len())
    };
    let asked = options.cipher_suites.0.as_deref();
    provider.cipher_suites.retain(|suite| match suite {
        SupportedCipherSuite::Tls13(_) => options.versions.holds(TlsVersion::Tls13),
        SupportedCipherSuite::Tls12(_) => {
            options.versions.holds(TlsVersion::Tls12)
                && asked.is_none_or(|names| names.contains(&go_name(suite.suite())))
        }
    });
    if provider.cipher_suites.is_empty() {
        let names = asked.unwrap_or_default().join(", ");
        return Err(TlsError::UnsupportedSuites(names));
    }
    provider.cipher_suites.sort_by_key(order);
    // The hybrid first, with X25519 beside it, as Go and browsers send them: any other
    // order costs a round trip with servers that insist on it.
    provider.kx_groups = vec![
        aws_lc_rs::kx_group::X25519MLKEM768,
        aws_lc_rs::kx_group::X25519,
        aws_lc_rs::kx_group::SECP256R1,
        aws_lc_rs::kx_group::SECP384R1,
    ];
    Ok(provider)
}

/// The versions to offer: those asked for that have suites left.
pub(super) fn versions(
    options: &TlsOptions,
    provider: &CryptoProvider,
) -> Vec<&'static SupportedProtocolVersion> {
    let has = |version: ProtocolVersion| {
        let mut suites = provider.cipher_suites.iter();
        suites.any(|suite| suite.version().version == version)
    };
    let mut versions = Vec::new();
    if options.versions.holds(TlsVersion::Tls12) && has(ProtocolVersion::TLSv1_2) {
        versions.push(&rustls::version::TLS12);
    }
    if options.versions.holds(TlsVersion::Tls13) && has(ProtocolVersion::TLSv1_3) {
        versions.push(&rustls::version::TLS13);
    }
    versions
}

#[cfg(test)]
mod tests {
    use super::super::suites::CipherSuites;
    use super::*;

    #[test]
    fn suites_are_offered_in_gos_order_and_chosen_for_1_2_only() {
        let names = |options: &TlsOptions| {
            let provider = provider(options).unwrap();
            let suites = provider.cipher_suites.iter();
            suites.map(|s| go_name(s.suite())).collect::<Vec<_>>()
        };
        let all: Vec<_> = SPOKEN.iter().map(|(_, name)| *name).collect();
        assert_eq!(names(&TlsOptions::default()), all);

        let mut options = TlsOptions {
            cipher_suites: CipherSuites::named([
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                "TLS_RSA_WITH_AES_128_CBC_SHA",
            ])
            .unwrap(),
            ..TlsOptions::default()
        };
        assert_eq!(
            names(&options)[3..],
            ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]
        );
        options.versions = "tls1.2".parse().unwrap();
        assert_eq!(names(&options), ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"]);
        options.cipher_suites = CipherSuites::named(["TLS_RSA_WITH_RC4_128_SHA"]).unwrap();
        assert_eq!(
            provider(&options).unwrap_err().to_string(),
            "none of the cipher suites asked for is supported: TLS_RSA_WITH_RC4_128_SHA"
        );
        assert!(CipherSuites::named(["nonsense"]).is_err());
    }
}
