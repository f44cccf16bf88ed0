//! Metadata: header and trailer fields that scripts set and read.

use std::time::Duration;

use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use base64::{DecodeError, Engine as _};
use http::HeaderMap;
use http::header::{HeaderName, HeaderValue};

use super::status::GrpcStatus;

/// Names and values in order. Values of names that end in `-bin` are arbitrary bytes.
pub type GrpcMetadata = Vec<(String, Vec<u8>)>;

/// Adds `metadata` to a request's fields. Fields of the protocol itself are skipped.
///
/// # Errors
/// The status of a call that cannot be made with it.
pub(super) fn encode(metadata: &GrpcMetadata, fields: &mut HeaderMap) -> Result<(), GrpcStatus> {
    for (name, value) in metadata {
        let name = name.to_ascii_lowercase();
        check(&name, value)?;
        if is_reserved(&name) {
            continue;
        }
        let value = if name.ends_with("-bin") {
            HeaderValue::from_str(&STANDARD_NO_PAD.encode(value))
        } else {
            HeaderValue::from_bytes(value)
        };
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value) {
            fields.append(name, value);
        }
    }
    Ok(())
}

fn check(name: &str, value: &[u8]) -> Result<(), GrpcStatus> {
    if name.is_empty() {
        return Err(GrpcStatus::internal("there is an empty key in the header"));
    }
    if !name.starts_with(':') {
        let fits =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-_".contains(&byte);
        if !name.bytes().all(fits) {
            let text =
                format!("header key {name:?} contains illegal characters not in [0-9a-z-_.]");
            return Err(GrpcStatus::internal(text));
        }
    }
    let is_printable = value.iter().all(|byte| (b' '..=b'~').contains(byte));
    if !name.starts_with(':') && !name.ends_with("-bin") && !is_printable {
        let text =
            format!("header key {name:?} contains value with non-printable ASCII characters");
        return Err(GrpcStatus::internal(text));
    }
    Ok(())
}

fn is_reserved(name: &str) -> bool {
    name.starts_with(':')
        || matches!(
            name,
            "content-type"
                | "user-agent"
                | "grpc-message-type"
                | "grpc-encoding"
                | "grpc-message"
                | "grpc-status"
                | "grpc-timeout"
                | "te"
        )
}

/// The metadata in an answer's fields, as scripts see it.
///
/// # Errors
/// The status of a call whose fields are malformed.
pub(super) fn decoded(fields: &HeaderMap) -> Result<GrpcMetadata, GrpcStatus> {
    let mut metadata = GrpcMetadata::new();
    for (name, value) in fields {
        let name = name.as_str();
        let shown = matches!(name, "content-type" | "user-agent") || !is_reserved(name);
        if !shown {
            continue;
        }
        let bytes = value.as_bytes();
        let value = if name.ends_with("-bin") {
            let engine = if bytes.len().is_multiple_of(4) {
                &STANDARD
            } else {
                &STANDARD_NO_PAD
            };
            engine.decode(bytes).map_err(|error| {
                let at = place_of(&error, bytes.len());
                let reason = format!("illegal base64 data at input byte {at}");
                GrpcStatus::internal(format!("transport: malformed {name}: {reason}"))
            })?
        } else {
            bytes.to_vec()
        };
        metadata.push((name.to_owned(), value));
    }
    Ok(metadata)
}

/// The position at which Go's decoder fails, too.
fn place_of(error: &DecodeError, length: usize) -> usize {
    match error {
        DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. } => *at,
        DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => length / 4 * 4,
    }
}

/// `grpc-timeout`: at most eight digits and a unit, rounded up.
pub(super) fn timeout_text(left: Duration) -> String {
    const TIMEOUT_VALUE_MAX: u128 = 99_999_999;
    let nanos = left.as_nanos();
    let units: [(u128, &str); 6] = [
        (1, "n"),
        (1_000, "u"),
        (1_000_000, "m"),
        (1_000_000_000, "S"),
        (60_000_000_000, "M"),
        (3_600_000_000_000, "H"),
    ];
    for (unit, name) in units {
        let count = nanos.div_ceil(unit);
        if count <= TIMEOUT_VALUE_MAX {
            return format!("{count}{name}");
        }
    }
    format!("{TIMEOUT_VALUE_MAX}H")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_comes_back() {
        let mut fields = HeaderMap::new();
        let metadata = vec![
            ("X-A".to_owned(), b"1".to_vec()),
            ("x-a".to_owned(), b"2".to_vec()),
            ("b-bin".to_owned(), vec![0, 255, 7, 1]),
            ("te".to_owned(), b"no".to_vec()),
            (":path".to_owned(), b"/".to_vec()),
        ];
        encode(&metadata, &mut fields).expect("it can be sent");
        let back = decoded(&fields).expect("it can be read");
        assert_eq!(
            back,
            [
                ("x-a".to_owned(), b"1".to_vec()),
                ("x-a".to_owned(), b"2".to_vec()),
                ("b-bin".to_owned(), vec![0, 255, 7, 1]),
            ]
        );
        fields.insert("c-bin", HeaderValue::from_static("!"));
        assert_eq!(
            decoded(&fields).expect_err("no base64").message,
            "transport: malformed c-bin: illegal base64 data at input byte 0"
        );
    }

    #[test]
    fn what_cannot_be_sent_is_refused() {
        let refused = |name: &str, value: &str| {
            let metadata = vec![(name.to_owned(), value.as_bytes().to_vec())];
            encode(&metadata, &mut HeaderMap::new()).map_err(|status| status.message)
        };
        assert_eq!(
            refused("a b", "x"),
            Err("header key \"a b\" contains illegal characters not in [0-9a-z-_.]".to_owned())
        );
        assert_eq!(
            refused("a", "\u{e9}"),
            Err("header key \"a\" contains value with non-printable ASCII characters".to_owned())
        );
        assert_eq!(
            refused("", "x"),
            Err("there is an empty key in the header".to_owned())
        );
        assert_eq!(refused("a-bin", "\u{e9}"), Ok(()));
    }

    #[test]
    fn timeouts_fit_into_eight_digits() {
        assert_eq!(timeout_text(Duration::from_nanos(5)), "5n");
        assert_eq!(timeout_text(Duration::from_millis(100)), "100000u");
        assert_eq!(timeout_text(Duration::from_secs(120)), "120000m");
        assert_eq!(timeout_text(Duration::from_secs(200_000)), "200000S");
    }
}
