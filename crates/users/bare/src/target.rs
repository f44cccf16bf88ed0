//! The request that a URL run sends.

use std::time::Duration;

use bytes::Bytes;
use loadline_net::{Request, Url};

use crate::trace::TraceShare;

/// One request, and which answers count as expected.
#[derive(Debug, Clone)]
pub struct UrlRequest {
    /// The URL as given; the name of the request in tags, credentials masked.
    pub url: Url,
    /// GET, POST, ...
    pub method: String,
    /// Header fields, in order.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<Bytes>,
    /// How long one request may take, connecting included.
    pub timeout: Duration,
    /// Which requests are to be traced by the target; `None`: it decides itself.
    pub traced: Option<TraceShare>,
}

/// Why a URL cannot be requested.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The URL cannot be read.
    #[error("`{url}` is not a URL: {reason}")]
    Url {
        /// As given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The URL's scheme is neither http nor https.
    #[error("`{url}`: scheme `{scheme}` is not supported")]
    Scheme {
        /// As given.
        url: String,
        /// Its scheme.
        scheme: String,
    },
    /// The URL's port is none.
    #[error("`{url}`: there is no port `{port}`")]
    Port {
        /// As given.
        url: String,
        /// What stands for the port.
        port: String,
    },
    /// The URL names no host.
    #[error("`{url}` names no host")]
    NoHost {
        /// As given.
        url: String,
    },
}

impl UrlRequest {
    /// A GET of `url` that may take 60 s.
    ///
    /// # Errors
    /// [`TargetError`] with the URL as given.
    pub fn get(url: &str) -> Result<Self, TargetError> {
        let parsed = Url::parse(url).map_err(|error| TargetError::Url {
            url: url.to_owned(),
            reason: error.to_string(),
        })?;
        let parsed = parsed.with_escaped_query();
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(TargetError::Scheme {
                url: url.to_owned(),
                scheme: parsed.scheme().to_owned(),
            });
        }
        if parsed.host_name().is_empty() {
            return Err(TargetError::NoHost {
                url: url.to_owned(),
            });
        }
        if let Some(port) = parsed.port_text()
            && !port.is_empty()
            && !port.parse::<u16>().is_ok_and(|port| port > 0)
        {
            return Err(TargetError::Port {
                url: url.to_owned(),
                port: port.to_owned(),
            });
        }
        Ok(Self {
            url: parsed,
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: None,
            timeout: Duration::from_secs(60),
            traced: None,
        })
    }

    pub(crate) fn request(&self) -> Request {
        let mut request = Request::new(self.method.clone(), self.url.clone());
        let has_agent = |(name, _): &(String, String)| name.eq_ignore_ascii_case("user-agent");
        if !self.headers.iter().any(has_agent) {
            request.add_field(
                "User-Agent",
                concat!("loadline/", env!("CARGO_PKG_VERSION")),
            );
        }
        for (name, value) in &self.headers {
            request.add_field(name.clone(), value.clone());
        }
        request.set_body(self.body.clone());
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_an_http_url_is_refused_by_name() {
        assert!(
            matches!(UrlRequest::get("ftp://x/"), Err(TargetError::Scheme { scheme, .. }) if scheme == "ftp")
        );
        assert!(matches!(
            UrlRequest::get("http:///x"),
            Err(TargetError::NoHost { .. })
        ));
        assert!(matches!(
            UrlRequest::get("http://%%%"),
            Err(TargetError::Url { .. })
        ));
        assert_eq!(
            UrlRequest::get("http://127.0.0.1:1/x").unwrap().method,
            "GET"
        );
    }
}
