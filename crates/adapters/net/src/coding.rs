//! Content codings by name: those of `Content-Encoding` and of k6's `compression`.

use std::fmt;

/// A way to compress a body (RFC 9110, 8.4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// RFC 1952.
    Gzip,
    /// RFC 1950: deflate in a zlib frame. Raw deflate is not accepted, as in k6.
    Deflate,
    /// RFC 8878.
    Zstd,
    /// RFC 7932.
    Brotli,
}

/// A coding that is not supported.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown compression algorithm {0}, supported algorithms are [gzip deflate zstd br]")]
pub struct UnknownCoding(pub String);

impl Coding {
    /// The coding called `name`, in lower case as k6 expects it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "zstd" => Some(Self::Zstd),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }

    /// The codings in `list` (`"gzip, br"`), in the order they are applied; none if it is blank.
    ///
    /// # Errors
    /// [`UnknownCoding`] with the first unknown name, in k6's words.
    pub fn parse_list(list: &str) -> Result<Vec<Self>, UnknownCoding> {
        if list.trim().is_empty() {
            return Ok(Vec::new());
        }
        let names = list.split(',').map(str::trim);
        names
            .map(|name| Self::from_name(name).ok_or_else(|| UnknownCoding(name.to_owned())))
            .collect()
    }

    /// The name in `Content-Encoding`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Zstd => "zstd",
            Self::Brotli => "br",
        }
    }
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_order_and_mistakes_named_as_k6_does() {
        let all = [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd];
        assert_eq!(
            Coding::parse_list(" gzip, deflate,br ,zstd"),
            Ok(all.to_vec())
        );
        assert_eq!(Coding::parse_list("  "), Ok(Vec::new()));
        for (list, name) in [("GZIP", "GZIP"), ("gzip,", ""), ("br,identity", "identity")] {
            assert_eq!(
                Coding::parse_list(list).unwrap_err().to_string(),
                format!(
                    "unknown compression algorithm {name}, \
                     supported algorithms are [gzip deflate zstd br]"
                )
            );
        }
        assert!(all.iter().all(|c| Coding::from_name(c.name()) == Some(*c)));
    }
}
