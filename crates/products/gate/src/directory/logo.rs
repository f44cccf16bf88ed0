//! The picture above a queue's page.
//!
//! Owners send it as a `data:` address with their other settings, so that nothing of the page
//! comes from anybody else's server. Only formats that hold no script are taken, by what their
//! bytes say and not by what the sender says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::ids::QueueId;

/// Bytes of a logo at most.
const LOGO_BYTES_MAX: usize = 64 * 1024;

/// A queue's logo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logo {
    kind: LogoKind,
    bytes: Vec<u8>,
}

/// Formats of a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum LogoKind {
    Png,
    Jpeg,
    Webp,
}

/// Why a logo was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "page.logo must be a PNG, JPEG or WebP picture of at most 64 KiB, as data:image/png;base64,..."
)]
pub struct LogoError;

impl Logo {
    /// Reads a `data:` address.
    ///
    /// # Errors
    /// [`LogoError`].
    pub fn parse(text: &str) -> Result<Self, LogoError> {
        let (_, digits) = text
            .strip_prefix("data:image/")
            .and_then(|rest| rest.split_once(";base64,"))
            .ok_or(LogoError)?;
        let bytes = STANDARD.decode(digits).map_err(|_| LogoError)?;
        let kind = match &bytes[..] {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => LogoKind::Png,
            [0xff, 0xd8, 0xff, ..] => LogoKind::Jpeg,
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => LogoKind::Webp,
            _ => return Err(LogoError),
        };
        (bytes.len() <= LOGO_BYTES_MAX)
            .then_some(Self { kind, bytes })
            .ok_or(LogoError)
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self.kind {
            LogoKind::Png => "image/png",
            LogoKind::Jpeg => "image/jpeg",
            LogoKind::Webp => "image/webp",
        }
    }

    /// The picture.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the gate serves it; another picture has another address, so that browsers may keep it.
    #[must_use]
    pub fn address(&self, queue: QueueId) -> String {
        format!("/w/{queue}/logo?v={:08x}", crc32fast::hash(&self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{LOGO_BYTES_MAX, Logo, LogoError};
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    fn read(kind: &str, bytes: &[u8]) -> Result<&'static str, LogoError> {
        let text = format!("data:image/{kind};base64,{}", STANDARD.encode(bytes));
        Logo::parse(&text).map(|logo| logo.media_type())
    }

    #[test]
    fn a_logo_is_what_its_bytes_say_and_holds_no_script() {
        let png = b"\x89PNG\r\n\x1a\n...";
        assert_eq!(read("png", png), Ok("image/png"));
        assert_eq!(read("jpeg", png), Ok("image/png"));
        assert_eq!(read("jpeg", b"\xff\xd8\xff\xe0"), Ok("image/jpeg"));
        assert_eq!(read("webp", b"RIFF....WEBPVP8 "), Ok("image/webp"));
        assert_eq!(
            read("svg+xml", b"<svg onload=\"alert(1)\"/>"),
            Err(LogoError)
        );
        assert_eq!(read("png", b"<script>alert(1)</script>"), Err(LogoError));
        let long = [&png[..], &vec![0; LOGO_BYTES_MAX]].concat();
        assert_eq!(read("png", &long), Err(LogoError));
        for text in [
            "https://evil.example/logo.png",
            "data:image/png;base64,%%",
            "",
        ] {
            assert_eq!(Logo::parse(text), Err(LogoError), "{text}");
        }
    }
}
