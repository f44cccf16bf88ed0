//! The fields that end a call.

use http::HeaderMap;
use loadline_units::printable::quoted;

use super::metadata::{GrpcMetadata, decoded};
use super::status::GrpcStatus;

/// The metadata and the status in the fields that end a call.
///
/// # Errors
/// The status of a call whose fields are malformed.
pub(super) fn ending(fields: &HeaderMap) -> Result<(GrpcMetadata, GrpcStatus), GrpcStatus> {
    let mut status = GrpcStatus::new(GrpcStatus::UNKNOWN, "");
    if let Some(code) = fields.get("grpc-status") {
        let text = String::from_utf8_lossy(code.as_bytes()).into_owned();
        let code = text.parse::<i32>().map_err(|_| {
            let shown = quoted(text.as_bytes());
            let text = format!(
                "transport: malformed grpc-status: strconv.ParseInt: parsing {shown}: invalid syntax"
            );
            GrpcStatus::new(GrpcStatus::UNKNOWN, text)
        })?;
        status.code = code.cast_unsigned();
    }
    if let Some(message) = fields.get("grpc-message") {
        status.message = unescaped(message.as_bytes());
    }
    let metadata = decoded(fields)?;
    let mut details = metadata
        .iter()
        .filter(|(name, _)| name == "grpc-status-details-bin");
    if let (Some((_, details)), None) = (details.next(), details.next()) {
        status.details = Some(details.clone());
    }
    Ok((metadata, status))
}

/// Undoes percent-encoding.
fn unescaped(text: &[u8]) -> String {
    let hex = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let pair = hex(text.get(at + 1)).zip(hex(text.get(at + 2)));
        match pair {
            Some((high, low)) if *byte == b'%' => {
                out.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn messages_are_unescaped_as_far_as_they_are_escaped() {
        assert_eq!(unescaped(b"a%20b%C3%A9%"), "a bé%");
        assert_eq!(unescaped(b"%zz%4"), "%zz%4");
    }
}
