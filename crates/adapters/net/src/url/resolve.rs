//! Resolves relative references, for example in a `Location` header (RFC 3986, 5.2).

use super::{Url, UrlError};

impl Url {
    /// The URL that `reference` stands for in a response of this one.
    ///
    /// # Errors
    /// [`UrlError`] if the reference is malformed.
    pub fn join(&self, reference: &str) -> Result<Self, UrlError> {
        let mut url = self.joined(reference)?;
        url.settle();
        Ok(url)
    }

    fn joined(&self, reference: &str) -> Result<Self, UrlError> {
        let mut url = Self::parse(reference)?;
        let relative = url.scheme.is_empty();
        if relative {
            url.scheme.clone_from(&self.scheme);
        }
        if !relative || !url.host.is_empty() || url.user.is_some() {
            if url.opaque.is_empty() {
                url.path = resolved_path(&url.path, "");
            }
            return Ok(url);
        }
        if url.path.is_empty() && url.query.is_none() {
            url.query.clone_from(&self.query);
            if url.fragment.is_none() {
                url.fragment.clone_from(&self.fragment);
            }
        }
        url.host.clone_from(&self.host);
        url.host_name_end = self.host_name_end;
        url.user.clone_from(&self.user);
        if url.path.is_empty() && !self.opaque.is_empty() {
            url.opaque.clone_from(&self.opaque);
            return Ok(url);
        }
        url.path = resolved_path(&self.path, &url.path);
        Ok(url)
    }
}

/// `reference` resolved against `base`, without `.` and `..` segments; begins with a slash unless
/// both are empty.
fn resolved_path(base: &str, reference: &str) -> String {
    let full = if reference.is_empty() {
        base.to_owned()
    } else if reference.starts_with('/') {
        reference.to_owned()
    } else {
        let folder = base.rfind('/').map_or("", |at| &base[..=at]);
        format!("{folder}{reference}")
    };
    if full.is_empty() {
        return full;
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_dots = false;
    for segment in full.strip_prefix('/').unwrap_or(&full).split('/') {
        ends_in_dots = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    let mut path = format!("/{}", kept.join("/"));
    if ends_in_dots && path.len() > 1 {
        path.push('/');
    }
    path
}
