//! Requests that set and read settings.

use std::sync::Arc;
use std::time::Duration;

use loadline_net::{BlockingClient, BodyMode, NetworkSettings, Request, Url};

use crate::error::HookError;

/// Bytes of an answer that are read at most.
const BODY_BYTES_MAX: u64 = 8 << 20;

/// A request that sets or reads something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebRequest<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a str,
    pub(crate) body: Option<&'a str>,
}

impl<'a> WebRequest<'a> {
    pub(crate) const fn get(url: &'a str) -> Self {
        Self {
            method: "GET",
            url,
            body: None,
        }
    }
}

/// Sends a request; gives the body of an answer of 200 to 299.
pub(crate) fn send(
    network: &Arc<NetworkSettings>,
    request: WebRequest<'_>,
    timeout: Duration,
) -> Result<String, HookError> {
    let WebRequest { method, url, body } = request;
    let failed = |reason: String| HookError::Request {
        url: url.to_owned(),
        reason,
    };
    let parsed = Url::parse(url).map_err(|error| failed(error.to_string()))?;
    let mut request = Request::new(method, parsed);
    loadline_net::set_basic(&mut request);
    if let Some(body) = body {
        let is_json = serde_json::from_str::<serde_json::Value>(body).is_ok();
        let kind = if is_json {
            "application/json"
        } else {
            "text/plain; charset=utf-8"
        };
        request.set_field("Content-Type", kind);
        request.set_body(Some(body.to_owned().into()));
    }
    let mut client = BlockingClient::new(network.clone());
    let kept = BodyMode::Keep {
        limit: BODY_BYTES_MAX,
    };
    let response = client.exchange(request, kept, timeout);
    let response = response.map_err(|failure| failed(failure.to_string()))?;
    let text = String::from_utf8_lossy(&response.body).into_owned();
    match response.head.status() {
        200..300 => Ok(text),
        status => {
            let first = text.lines().next().unwrap_or_default();
            Err(failed(format!("{status} {first}").trim().to_owned()))
        }
    }
}

/// The member of a JSON text that `pointer` names.
pub(crate) fn member(text: &str, pointer: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    Some(match value.pointer(pointer)? {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

/// The value of a metric in a page of Prometheus' format: of the first series with this name, or
/// with these labels if `name` has them.
pub(crate) fn metric(text: &str, name: &str) -> Option<String> {
    let name = name.replace(' ', "");
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .find_map(|line| {
            let (series, value) = match line.rfind('}') {
                Some(end) => line.split_at(end + 1),
                None => line.split_once(' ')?,
            };
            let bare = series.split('{').next().unwrap_or_default();
            let is_it = if name.contains('{') {
                series.replace(", ", ",") == name
            } else {
                bare == name
            };
            let value = value.split_ascii_whitespace().next();
            is_it.then(|| value.map(str::to_owned)).flatten()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_found_by_name_and_labels() {
        let page = "# TYPE a gauge\na_max 5\na{pool=\"x\",b=\"c d\"} 10 1700\na{pool=\"y\"} 20\n";
        assert_eq!(metric(page, "a").as_deref(), Some("10"));
        assert_eq!(metric(page, "a{pool=\"y\"}").as_deref(), Some("20"));
        assert_eq!(metric(page, "a_max").as_deref(), Some("5"));
        assert_eq!(metric(page, "b"), None);
    }

    #[test]
    fn members_are_found_by_pointer() {
        let text = r#"{"pool": {"max": 30, "name": "main"}}"#;
        assert_eq!(member(text, "/pool/max").as_deref(), Some("30"));
        assert_eq!(member(text, "/pool/name").as_deref(), Some("main"));
        assert_eq!(member(text, "/pool/min"), None);
        assert_eq!(member("no", "/pool"), None);
    }
}
