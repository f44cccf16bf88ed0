//! Host name patterns with a leading wildcard, and blocked host names, as written.
//!
//! `net` decides which hosts a pattern matches.

/// Whether a text is a host name, perhaps with `*` or `*.` in front, and with `:port`
/// behind where that is allowed.
pub(super) fn is_name_pattern(text: &str, port_allowed: bool) -> bool {
    let text = text
        .strip_prefix('*')
        .map_or(text, |rest| rest.strip_prefix('.').unwrap_or(rest));
    let (name, port) = match text.split_once(':') {
        Some((name, port)) if port_allowed => (name, Some(port)),
        _ => (text, None),
    };
    let port_fits = port.is_none_or(|port| {
        (1..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit())
    });
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    port_fits && (name.is_empty() || name.split('.').all(is_label))
}

/// Host names that must not be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedHostnames {
    written: Vec<String>,
}

impl BlockedHostnames {
    /// From names as written.
    ///
    /// # Errors
    /// k6's text, with the first that is no name.
    pub fn new(written: Vec<String>) -> Result<Self, String> {
        let wrong = written.iter().find(|text| !is_name_pattern(text, false));
        if let Some(wrong) = wrong {
            let wrong = wrong.to_lowercase();
            return Err(format!("invalid hostname pattern '{wrong}'"));
        }
        Ok(Self { written })
    }

    /// As written.
    #[must_use]
    pub fn written(&self) -> &[String] {
        &self.written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_wildcards_only_in_front() {
        for text in ["a", "*", "*.a", "*a.b", "a-b.c1", "", "*."] {
            assert!(is_name_pattern(text, false), "{text}");
        }
        for text in ["a.*.b", "a*", "-a", "a-", "a..b", "a:80", "a_b", "é"] {
            assert!(!is_name_pattern(text, false), "{text}");
        }
        assert!(is_name_pattern("a:80", true));
        assert!(!is_name_pattern("a:123456", true));
        assert!(!is_name_pattern("a:", true));
    }
}
