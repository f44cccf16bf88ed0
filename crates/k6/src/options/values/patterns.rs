//! Host names with a wildcard in front, and names that must not be reached.

/// Values by host name, where `*` at the front of a name stands for anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePatterns<T> {
    /// Lower-case names and their values.
    exact: Vec<(String, T)>,
    /// What follows the `*`, longest first, and its value.
    endings: Vec<(String, T)>,
}

impl<T> NamePatterns<T> {
    /// From names as written; a later one of the same name takes the place of the former.
    pub fn new(patterns: impl IntoIterator<Item = (String, T)>) -> Self {
        let mut exact: Vec<(String, T)> = Vec::new();
        let mut endings: Vec<(String, T)> = Vec::new();
        for (pattern, value) in patterns {
            let pattern = pattern.to_lowercase();
            let (list, name) = match pattern.strip_prefix('*') {
                Some(ending) => (&mut endings, ending.to_owned()),
                None => (&mut exact, pattern),
            };
            list.retain(|(other, _)| *other != name);
            list.push((name, value));
        }
        endings.sort_by_key(|(ending, _)| std::cmp::Reverse(ending.len()));
        Self { exact, endings }
    }

    /// The value of the name itself, or of the longest ending that fits.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&T> {
        let name = name.to_lowercase();
        let exact = self.exact.iter().find(|(pattern, _)| *pattern == name);
        let ending = || self.endings.iter().find(|(end, _)| name.ends_with(end));
        exact.or_else(ending).map(|(_, value)| value)
    }
}

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
    patterns: NamePatterns<String>,
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
        let patterns = written.iter().map(|text| (text.clone(), text.clone()));
        Ok(Self {
            patterns: NamePatterns::new(patterns),
            written,
        })
    }

    /// The pattern that blocks a name, as written.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&str> {
        self.patterns.find(name).map(String::as_str)
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
    fn the_name_itself_wins_then_the_longest_ending() {
        let names = ["*.b.test", "*", "a.b.test", "*.Test"];
        let patterns = NamePatterns::new(names.map(|name| (name.to_owned(), name)));
        assert_eq!(patterns.find("A.b.test"), Some(&"a.b.test"));
        assert_eq!(patterns.find("x.b.test"), Some(&"*.b.test"));
        assert_eq!(patterns.find("b.test"), Some(&"*.Test"));
        assert_eq!(patterns.find("other"), Some(&"*"));
        let blocked = BlockedHostnames::new(vec!["*.evil.test".into()]).unwrap();
        assert_eq!(blocked.find("www.evil.test"), Some("*.evil.test"));
        assert_eq!(blocked.find("evil.test"), None);
    }

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
