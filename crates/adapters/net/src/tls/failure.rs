//! What k6 says of a TLS connection that failed.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use jiff::civil;
use rustls::pki_types::{ServerName, UnixTime};
use rustls::{AlertDescription, CertificateError, Error};

use crate::failure::{Cause, ChainFault};

/// The cause in a stream's error, when it is TLS that failed.
pub(crate) fn cause_of(error: &io::Error) -> Option<Cause> {
    let error = error.get_ref()?.downcast_ref::<Error>()?;
    Some(text_of(error))
}

/// The cause that `error` is.
pub(crate) fn text_of(error: &Error) -> Cause {
    match error {
        Error::AlertReceived(alert) => {
            Cause::NonTcp(format!("remote error: tls: {}", alert_text(*alert)))
        }
        Error::InvalidCertificate(fault) => certificate_cause(fault),
        other => Cause::Tls(format!("tls: {other}")),
    }
}

fn certificate_cause(fault: &CertificateError) -> Cause {
    let dates = |now: &UnixTime, order: &str, limit: &UnixTime| {
        Cause::Certificate(format!(
            "certificate has expired or is not yet valid: current time {} is {order} {}",
            rfc3339(now.as_secs()),
            rfc3339(limit.as_secs())
        ))
    };
    match fault {
        CertificateError::UnknownIssuer => Cause::UnknownAuthority(ChainFault::Alone),
        CertificateError::Other(other) if other.0.is::<ChainFault>() => {
            let fault = other.0.downcast_ref().copied();
            Cause::UnknownAuthority(fault.unwrap_or(ChainFault::Alone))
        }
        CertificateError::ExpiredContext { time, not_after } => dates(time, "after", not_after),
        CertificateError::NotValidYetContext { time, not_before } => {
            dates(time, "before", not_before)
        }
        CertificateError::NotValidForNameContext {
            expected,
            presented,
        } => Cause::WrongHost(wrong_host(expected, presented)),
        CertificateError::NotValidForName => {
            Cause::WrongHost("certificate is not valid for the host".to_owned())
        }
        CertificateError::BadEncoding => Cause::Tls(
            "tls: failed to parse certificate from server: x509: malformed certificate".to_owned(),
        ),
        // Of the handshake; a chain's is an unknown authority.
        CertificateError::BadSignature => Cause::Tls(
            "tls: invalid signature by the server certificate: verification error".to_owned(),
        ),
        other => Cause::Certificate(other.to_string()),
    }
}

/// `presented` are webpki's notes: `DnsName("a.test")`, `IpAddress(10.0.0.1)`.
fn wrong_host(expected: &ServerName<'_>, presented: &[String]) -> String {
    let host = expected.to_str();
    let is_address = matches!(expected, ServerName::IpAddress(_));
    let (before, after) = if is_address {
        ("IpAddress(", ")")
    } else {
        ("DnsName(\"", "\")")
    };
    let names: Vec<_> = presented
        .iter()
        .filter_map(|name| name.strip_prefix(before)?.strip_suffix(after))
        // webpki writes `0::1`.
        .map(|name| {
            name.parse::<IpAddr>()
                .map_or(name.to_owned(), |ip| ip.to_string())
        })
        .collect();
    match (names.is_empty(), is_address) {
        (true, true) => {
            format!("cannot validate certificate for {host} because it doesn't contain any IP SANs")
        }
        (true, false) => {
            format!("certificate is not valid for any names, but wanted to match {host}")
        }
        _ => format!("certificate is valid for {}, not {host}", names.join(", ")),
    }
}

/// `2021-01-01T00:00:00Z`, from seconds since 1970.
fn rfc3339(seconds: u64) -> String {
    let epoch = civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let time = epoch.saturating_add(Duration::from_secs(seconds));
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Go's words for an alert.
fn alert_text(alert: AlertDescription) -> String {
    let text = match alert {
        AlertDescription::CloseNotify => "close notify",
        AlertDescription::UnexpectedMessage => "unexpected message",
        AlertDescription::BadRecordMac => "bad record MAC",
        AlertDescription::DecryptionFailed => "decryption failed",
        AlertDescription::RecordOverflow => "record overflow",
        AlertDescription::DecompressionFailure => "decompression failure",
        AlertDescription::HandshakeFailure => "handshake failure",
        AlertDescription::BadCertificate => "bad certificate",
        AlertDescription::UnsupportedCertificate => "unsupported certificate",
        AlertDescription::CertificateRevoked => "revoked certificate",
        AlertDescription::CertificateExpired => "expired certificate",
        AlertDescription::CertificateUnknown => "unknown certificate",
        AlertDescription::IllegalParameter => "illegal parameter",
        AlertDescription::UnknownCA => "unknown certificate authority",
        AlertDescription::AccessDenied => "access denied",
        AlertDescription::DecodeError => "error decoding message",
        AlertDescription::DecryptError => "error decrypting message",
        AlertDescription::ExportRestriction => "export restriction",
        AlertDescription::ProtocolVersion => "protocol version not supported",
        AlertDescription::InsufficientSecurity => "insufficient security level",
        AlertDescription::InternalError => "internal error",
        AlertDescription::InappropriateFallback => "inappropriate fallback",
        AlertDescription::UserCanceled => "user canceled",
        AlertDescription::NoRenegotiation => "no renegotiation",
        AlertDescription::MissingExtension => "missing extension",
        AlertDescription::UnsupportedExtension => "unsupported extension",
        AlertDescription::CertificateUnobtainable => "certificate unobtainable",
        AlertDescription::UnrecognisedName => "unrecognized name",
        AlertDescription::BadCertificateStatusResponse => "bad certificate status response",
        AlertDescription::BadCertificateHashValue => "bad certificate hash value",
        AlertDescription::UnknownPSKIdentity => "unknown PSK identity",
        AlertDescription::CertificateRequired => "certificate required",
        AlertDescription::NoApplicationProtocol => "no application protocol",
        other => return format!("alert({})", u8::from(other)),
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_shown_as_go_shows_them() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_609_459_199, "2020-12-31T23:59:59Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
    }

    #[test]
    fn an_alert_is_named_in_gos_words() {
        let required = Error::AlertReceived(AlertDescription::CertificateRequired);
        let text = "remote error: tls: certificate required".to_owned();
        assert_eq!(text_of(&required), Cause::NonTcp(text));
        assert_eq!(alert_text(AlertDescription::Unknown(201)), "alert(201)");
    }
}
