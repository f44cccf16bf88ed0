//! Matches requests to routes: method, and a path with `{names}` for segments.

/// A path with fixed and named segments; `*` at the end matches any rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    segments: Vec<Segment>,
    open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Fixed(String),
    Named(String),
}

impl Pattern {
    pub(crate) fn parse(path: &str) -> Result<Self, String> {
        let path = path.split('?').next().unwrap_or_default();
        let Some(rest) = path.strip_prefix('/') else {
            return match path {
                "*" => Ok(Self {
                    segments: Vec::new(),
                    open: true,
                }),
                _ => Err(format!("path `{path}` begins with no /")),
            };
        };
        let (rest, open) = match rest.strip_suffix('*') {
            Some(before) => (before.trim_end_matches('/'), true),
            None => (rest, false),
        };
        let parts = rest.split('/').filter(|part| !part.is_empty() || !open);
        let segments =
            parts.map(
                |part| match part.strip_prefix('{').and_then(|p| p.strip_suffix('}')) {
                    Some(name) => Segment::Named(name.to_owned()),
                    None => Segment::Fixed(part.to_owned()),
                },
            );
        Ok(Self {
            segments: segments.collect(),
            open,
        })
    }

    /// The values of the names if the path matches.
    pub(crate) fn takes<'a>(&'a self, path: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let mut names = Vec::new();
        let mut parts = path.strip_prefix('/').unwrap_or(path).split('/');
        for segment in &self.segments {
            let part = parts.next()?;
            match segment {
                Segment::Fixed(text) if text == part => {}
                Segment::Fixed(_) => return None,
                Segment::Named(name) if !part.is_empty() => names.push((name.as_str(), part)),
                Segment::Named(_) => return None,
            }
        }
        (self.open || parts.next().is_none()).then_some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_fit_their_pattern_only() {
        let takes = |pattern: &str, path: &str| {
            Pattern::parse(pattern).unwrap().takes(path).map(|names| {
                let names = names.iter().map(|(name, value)| format!("{name}={value}"));
                names.collect::<Vec<_>>().join(",")
            })
        };
        assert_eq!(takes("/deers/{id}", "/deers/7"), Some("id=7".to_owned()));
        assert_eq!(takes("/deers/{id}", "/deers"), None);
        assert_eq!(takes("/deers/{id}", "/deers/7/x"), None);
        assert_eq!(takes("/", "/"), Some(String::new()));
        assert_eq!(takes("/a/*", "/a/b/c"), Some(String::new()));
        assert_eq!(takes("*", "/anything"), Some(String::new()));
        assert!(Pattern::parse("deers").is_err());
    }
}
