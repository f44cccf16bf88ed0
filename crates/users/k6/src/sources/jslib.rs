//! loadline's own modules behind the URLs of k6's public library. They are written from the
//! library's documentation, so that scripts run without fetching code.

const UTILS: &str = include_str!("jslib/k6-utils.js");
const SUMMARY: &str = include_str!("jslib/k6-summary.js");

/// The text of the module at `url`, if it is one of ours.
pub(crate) fn source(url: &str) -> Option<&'static str> {
    let rest = url.strip_prefix("https://jslib.k6.io/")?;
    let mut parts = rest.split('/');
    let (library, version, file) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || file != "index.js" {
        return None;
    }
    match library {
        "k6-utils" if is_version(version, "1") => Some(UTILS),
        "k6-summary" if is_version(version, "0") => Some(SUMMARY),
        _ => None,
    }
}

/// Whether `version` is three numbers, the first of them `major`.
fn is_version(version: &str, major: &str) -> bool {
    let numbers: Vec<&str> = version.split('.').collect();
    let digits = |n: &&str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    numbers.len() == 3 && numbers[0] == major && numbers.iter().all(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_published_versions_are_the_same_module() {
        assert!(source("https://jslib.k6.io/k6-utils/1.0.0/index.js").is_some());
        assert!(source("https://jslib.k6.io/k6-utils/1.6.0/index.js").is_some());
        assert!(source("https://jslib.k6.io/k6-summary/0.0.1/index.js").is_some());
        assert_eq!(source("https://jslib.k6.io/k6-utils/2.0.0/index.js"), None);
        assert_eq!(source("https://jslib.k6.io/k6-utils/1.0/index.js"), None);
        assert_eq!(source("https://jslib.k6.io/httpx/0.1.0/index.js"), None);
        assert_eq!(source("https://example.com/k6-utils/1.0.0/index.js"), None);
    }
}
