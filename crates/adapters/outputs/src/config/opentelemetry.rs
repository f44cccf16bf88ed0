//! `opentelemetry` and `K6_OTEL_*`.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use loadline_net::Url;
use loadline_otlp::METRICS_GRPC_PATH;

use super::fields::{Env, unescaped};
use crate::post::ReceiverOptions;

/// How k6 begins what it says of settings that cannot be.
pub(super) const INVALID: &str = "error validating OpenTelemetry output config";

/// A receiver of OpenTelemetry's metrics.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenTelemetry {
    pub(crate) url: Url,
    pub(crate) protocol: Protocol,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) service_name: String,
    pub(crate) service_version: String,
    pub(crate) metric_prefix: String,
    pub(crate) export_interval: Duration,
    pub(crate) single_counter_for_rate: bool,
    pub(crate) wish: ReceiverOptions,
    /// In k6's words.
    pub(crate) described: String,
}

/// How metrics are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Grpc,
    Http,
}

impl OpenTelemetry {
    pub(super) fn read(
        environment: &BTreeMap<String, String>,
        warnings: &mut Vec<String>,
    ) -> Result<Self, String> {
        let env = Env(environment);
        let service_name = env
            .text("K6_OTEL_SERVICE_NAME")
            .or_else(|| env.text("OTEL_SERVICE_NAME"))
            .unwrap_or("k6");
        // Only validated: measurements arrive window by window.
        env.duration("K6_OTEL_FLUSH_INTERVAL")?;
        let protocol = protocol(&env, warnings)?;
        let single = env.truth("K6_OTEL_SINGLE_COUNTER_FOR_RATE")?;
        if single == Some(false) {
            warnings.push("Exporting rate metrics as a pair of counters is deprecated and will be removed in future releases. Please migrate to the new format.".to_owned());
        }
        let (url, described) = endpoint(&env, protocol)?;
        let identity = env.owned("K6_OTEL_TLS_CLIENT_CERTIFICATE");
        Ok(Self {
            fields: fields(&env, protocol)?,
            url,
            protocol,
            service_name: service_name.to_owned(),
            service_version: env
                .text("K6_OTEL_SERVICE_VERSION")
                .unwrap_or(env!("CARGO_PKG_VERSION"))
                .to_owned(),
            metric_prefix: env.owned("K6_OTEL_METRIC_PREFIX").unwrap_or_default(),
            export_interval: env
                .duration("K6_OTEL_EXPORT_INTERVAL")?
                .unwrap_or(Duration::from_secs(10)),
            single_counter_for_rate: single.unwrap_or(true),
            wish: ReceiverOptions {
                skip_verification: env
                    .truth("K6_OTEL_TLS_INSECURE_SKIP_VERIFY")?
                    .unwrap_or(false),
                roots: env.owned("K6_OTEL_TLS_CERTIFICATE"),
                identity: identity.zip(env.owned("K6_OTEL_TLS_CLIENT_KEY")),
                proxy: None,
            },
            described,
        })
    }

    #[cfg(test)]
    pub(crate) fn for_tests() -> Self {
        Self::read(&BTreeMap::new(), &mut Vec::new()).unwrap()
    }
}

fn protocol(env: &Env<'_>, warnings: &mut Vec<String>) -> Result<Protocol, String> {
    let invalid = |what: &str, text: &str, http: &str| {
        format!(
            "{INVALID}: unsupported exporter {what} {text:?}, only \"grpc\" and {http:?} are supported"
        )
    };
    let deprecated = match env.text("K6_OTEL_EXPORTER_TYPE") {
        None => None,
        Some("grpc") => Some(Protocol::Grpc),
        Some("http") => Some(Protocol::Http),
        Some(other) => return Err(invalid("type", other, "http")),
    };
    if deprecated.is_some() {
        warnings
            .push("Exporter type is deprecated, please migrate to exporter protocol".to_owned());
    }
    match env.text("K6_OTEL_EXPORTER_PROTOCOL") {
        None => Ok(deprecated.unwrap_or(Protocol::Grpc)),
        Some("grpc") => Ok(Protocol::Grpc),
        Some("http/protobuf") => Ok(Protocol::Http),
        Some(other) => Err(invalid("protocol", other, "http/protobuf")),
    }
}

/// The receiver's URL, and its description.
fn endpoint(env: &Env<'_>, protocol: Protocol) -> Result<(Url, String), String> {
    let (prefix, usual) = match protocol {
        Protocol::Grpc => ("K6_OTEL_GRPC_EXPORTER", "localhost:4317"),
        Protocol::Http => ("K6_OTEL_HTTP_EXPORTER", "localhost:4318"),
    };
    let insecure = env.truth(&format!("{prefix}_INSECURE"))?.unwrap_or(false);
    let endpoint = env.text(&format!("{prefix}_ENDPOINT")).unwrap_or(usual);
    if endpoint.starts_with("http://") || endpoint.starts_with("https://") {
        return Err(format!(
            "{INVALID}: HTTP exporter endpoint must only be host and port, no scheme"
        ));
    }
    let scheme = if insecure { "http" } else { "https" };
    let path = match protocol {
        Protocol::Grpc => METRICS_GRPC_PATH,
        Protocol::Http => env
            .text("K6_OTEL_HTTP_EXPORTER_URL_PATH")
            .unwrap_or("/v1/metrics"),
    };
    let text = format!("{scheme}://{endpoint}{path}");
    let url = Url::parse(&text).map_err(|error| error.to_string())?;
    let described = match protocol {
        Protocol::Grpc if insecure => format!("grpc (insecure), {endpoint}"),
        Protocol::Grpc => format!("grpc, {endpoint}"),
        Protocol::Http => format!("http/protobuf, {text}"),
    };
    Ok((url, described))
}

fn fields(env: &Env<'_>, protocol: Protocol) -> Result<Vec<(String, String)>, String> {
    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut fields = match protocol {
        Protocol::Grpc => vec![
            field("Content-Type", "application/grpc"),
            field("TE", "trailers"),
        ],
        Protocol::Http => vec![field("Content-Type", "application/x-protobuf")],
    };
    fields.push(field(
        "User-Agent",
        concat!("loadline/", env!("CARGO_PKG_VERSION")),
    ));
    if protocol == Protocol::Http
        && let Some(username) = env.text("K6_OTEL_HTTP_EXPORTER_USERNAME")
    {
        let password = env
            .text("K6_OTEL_HTTP_EXPORTER_PASSWORD")
            .unwrap_or_default();
        let encoded =
            base64::engine::general_purpose::STANDARD.encode(format!("{username}:{password}"));
        fields.push(field("Authorization", &format!("Basic {encoded}")));
    }
    for header in env
        .text("K6_OTEL_HEADERS")
        .into_iter()
        .flat_map(|text| text.split(','))
    {
        let (name, value) = header
            .split_once('=')
            .ok_or_else(|| format!("invalid header {header:?}, expected format key=value"))?;
        fields.push((unescaped(name), unescaped(value)));
    }
    Ok(fields)
}
