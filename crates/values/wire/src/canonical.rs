//! The spelling of field names that k6 shows: `content-type` is `Content-Type`.

use std::borrow::Cow;

use crate::syntax::is_token;

/// `name` with upper case for the first letter and each letter after `-`, and lower case for the
/// rest. A name that is not a token stays as it is.
#[must_use]
pub fn canonical_name(name: &str) -> Cow<'_, str> {
    if !is_token(name.as_bytes()) || is_canonical(name.as_bytes()) {
        return Cow::Borrowed(name);
    }
    let mut upper = true;
    let spelled = name.chars().map(|c| {
        let c = if upper {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        };
        upper = c == '-';
        c
    });
    Cow::Owned(spelled.collect())
}

/// Appends [`canonical_name`] of `name` to `out` without allocating.
pub fn push_canonical_name(out: &mut Vec<u8>, name: &str) {
    let from = out.len();
    out.extend_from_slice(name.as_bytes());
    if !is_token(name.as_bytes()) {
        return;
    }
    let mut upper = true;
    for byte in &mut out[from..] {
        *byte = if upper {
            byte.to_ascii_uppercase()
        } else {
            byte.to_ascii_lowercase()
        };
        upper = *byte == b'-';
    }
}

fn is_canonical(name: &[u8]) -> bool {
    let mut upper = true;
    name.iter().all(|&byte| {
        let fits = if upper {
            !byte.is_ascii_lowercase()
        } else {
            !byte.is_ascii_uppercase()
        };
        upper = byte == b'-';
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spelled_as_k6_shows_them() {
        for (given, expected) in [
            ("content-type", "Content-Type"),
            ("X-LOWER", "X-Lower"),
            ("etag", "Etag"),
            ("x--a", "X--A"),
            ("x_y-z", "X_y-Z"),
            ("a b", "a b"),
            ("", ""),
        ] {
            assert_eq!(canonical_name(given), expected);
        }
    }

    #[test]
    fn a_canonical_name_is_borrowed() {
        assert!(matches!(canonical_name("Content-Type"), Cow::Borrowed(_)));
        assert!(matches!(canonical_name("content-type"), Cow::Owned(_)));
    }
}
