//! Features: the things that people do (login, read, write), each with its own rate and goals.

use loadline_text::{Message, plan};

use crate::values;

/// Something that people do.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// The method of its request.
    pub method: String,
    /// The path of its request, with its query.
    pub path: String,
    /// The body of its request.
    pub body: Option<String>,
    /// Its share of all requests.
    pub share: Option<f64>,
    /// How often one person does it per day.
    pub per_user: Option<f64>,
    /// Its mean rate per second, if known.
    pub rate: Option<f64>,
    /// The goal for its 95th percentile, in seconds.
    pub p95: Option<f64>,
    /// The goal for its error rate.
    pub errors: Option<f64>,
}

impl Feature {
    /// Parses `login: POST /login, share=10%, p95=300ms, errors=1%, per-user=2, rate=3/s,
    /// body={"a":1}`. Everything after the name is optional; a body must come last.
    ///
    /// # Errors
    /// What is wrong.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let allowed = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(allowed) {
            return Err(plan::why_feature_name());
        }
        let mut feature = Self {
            name: name.to_owned(),
            method: "GET".to_owned(),
            path: format!("/{name}"),
            body: None,
            share: None,
            per_user: None,
            rate: None,
            p95: None,
            errors: None,
        };
        let (parts, body) = match rest.split_once("body=") {
            Some((parts, body)) => (parts, Some(body.trim().to_owned())),
            None => (rest, None),
        };
        feature.body = body;
        for part in parts.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            feature.take(part)?;
        }
        Ok(feature)
    }

    fn take(&mut self, part: &str) -> Result<(), Message> {
        if let Some((method, path)) = part.split_once(' ')
            && !method.is_empty()
            && method.bytes().all(|b| b.is_ascii_alphabetic())
        {
            let path = path.trim();
            if !path.starts_with('/') {
                return Err(plan::why_feature_path());
            }
            self.method = method.to_ascii_uppercase();
            path.clone_into(&mut self.path);
            return Ok(());
        }
        if part.starts_with('/') {
            part.clone_into(&mut self.path);
            return Ok(());
        }
        let (key, value) = part.split_once('=').ok_or_else(plan::why_feature_part)?;
        match key.trim() {
            "share" => self.share = Some(values::share(value)?),
            "per-user" => self.per_user = Some(values::count(value)?),
            "rate" => self.rate = Some(values::rate(value)?),
            "p95" => self.p95 = Some(values::positive_seconds(value)?),
            "errors" => self.errors = Some(values::share_or_none(value)?),
            _ => return Err(plan::why_feature_part()),
        }
        Ok(())
    }
}

/// A feature with its part of the load.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureLoad {
    /// The feature.
    pub feature: Feature,
    /// Its share of all requests.
    pub share: f64,
    /// Its rate at the peak, per second.
    pub peak_rate: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_read_with_its_request_share_and_goals() {
        let read = Feature::parse(
            "write: post /deers, share=30%, p95=300ms, errors=0%, body={\"a\":1,\"b\":2}",
        );
        let read = read.unwrap();
        assert_eq!(
            (read.method.as_str(), read.path.as_str()),
            ("POST", "/deers")
        );
        assert_eq!(read.share, Some(0.3));
        assert_eq!(read.p95, Some(0.3));
        assert_eq!(read.errors, Some(0.0));
        assert_eq!(read.body.as_deref(), Some("{\"a\":1,\"b\":2}"));
        assert_eq!(Feature::parse("login").unwrap().path, "/login");
    }

    #[test]
    fn a_malformed_feature_is_refused() {
        for wrong in [
            "",
            ": GET /",
            "a b: /x",
            "a: GET x",
            "a: shape=3",
            "a: share=300%",
        ] {
            assert!(Feature::parse(wrong).is_err(), "{wrong}");
        }
    }
}
