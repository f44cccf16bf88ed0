//! `experimental-prometheus-rw` and `K6_PROMETHEUS_RW_*`.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use loadline_net::Url;

use super::fields::Env;
use crate::post::ReceiverOptions;

/// A receiver of Prometheus remote write.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrometheusRw {
    pub(crate) url: Url,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) push_interval: Duration,
    pub(crate) native_histograms: bool,
    /// The statistics that a trend is written as, with the suffix of the metric's name.
    pub(crate) trend_stats: Vec<(String, TrendStat)>,
    pub(crate) stale_markers: bool,
    pub(crate) wish: ReceiverOptions,
}

/// A statistic of a trend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TrendStat {
    Count,
    Avg,
    Min,
    Max,
    Sum,
    /// From 0 to 1.
    Percentile(f64),
}

impl TrendStat {
    /// The statistic, and the suffix its series has.
    fn named(name: &str) -> Option<(String, Self)> {
        let stat = match name {
            "count" => Self::Count,
            "avg" => Self::Avg,
            "min" => Self::Min,
            "med" => Self::Percentile(0.5),
            "max" => Self::Max,
            "sum" => Self::Sum,
            _ => {
                let percent = name.strip_prefix("p(")?.strip_suffix(')')?;
                let number: f64 = percent.parse().ok()?;
                if !(0.0..=100.0).contains(&number) {
                    return None;
                }
                let suffix = format!("p{}", percent.replace('.', ""));
                return Some((suffix, Self::Percentile(number / 100.0)));
            }
        };
        Some((name.to_owned(), stat))
    }
}

impl PrometheusRw {
    pub(super) fn read(environment: &BTreeMap<String, String>) -> Result<Self, String> {
        let env = Env(environment);
        let name = |rest: &str| format!("K6_PROMETHEUS_RW_{rest}");
        let text = |rest: &str| env.text(&name(rest));
        let url = text("SERVER_URL").unwrap_or("http://localhost:9090/api/v1/write");
        let url = Url::parse(url).map_err(|error| error.to_string())?;
        if ["SIGV4_REGION", "SIGV4_ACCESS_KEY", "SIGV4_SECRET_KEY"]
            .iter()
            .any(|rest| text(rest).is_some())
        {
            return Err("sigv4 is not supported; use a proxy that signs requests".to_owned());
        }
        let stats = text("TREND_STATS").unwrap_or("p(99)").split(',');
        let trend_stats = stats.map(|stat| {
            let invalid = || {
                format!(
                    "invalid trend stat '{stat}', please use count, avg, min, med, max, sum or p(N)"
                )
            };
            TrendStat::named(stat).ok_or_else(invalid)
        });
        let identity = text("CLIENT_CERTIFICATE").zip(text("CLIENT_CERTIFICATE_KEY"));
        Ok(Self {
            fields: fields(&env)?,
            push_interval: env
                .duration(&name("PUSH_INTERVAL"))?
                .unwrap_or(Duration::from_secs(5)),
            native_histograms: env
                .truth(&name("TREND_AS_NATIVE_HISTOGRAM"))?
                .unwrap_or(false),
            trend_stats: trend_stats.collect::<Result<_, _>>()?,
            stale_markers: env.truth(&name("STALE_MARKERS"))?.unwrap_or(false),
            wish: ReceiverOptions {
                skip_verification: env
                    .truth(&name("INSECURE_SKIP_TLS_VERIFY"))?
                    .unwrap_or(false),
                identity: identity.map(|(cert, key)| (cert.to_owned(), key.to_owned())),
                ..ReceiverOptions::default()
            },
            url,
        })
    }
}

/// Request headers, including credentials.
fn fields(env: &Env<'_>) -> Result<Vec<(String, String)>, String> {
    let mut fields = Vec::new();
    if let Some(username) = env.text("K6_PROMETHEUS_RW_USERNAME") {
        let password = env.text("K6_PROMETHEUS_RW_PASSWORD").unwrap_or_default();
        let encoded =
            base64::engine::general_purpose::STANDARD.encode(format!("{username}:{password}"));
        fields.push(("Authorization".to_owned(), format!("Basic {encoded}")));
    }
    let prefixed = env.0.iter().filter_map(|(name, value)| {
        let field = name.strip_prefix("K6_PROMETHEUS_RW_HEADERS_")?;
        Some((field.to_owned(), value.clone()))
    });
    fields.extend(prefixed);
    if let Some(headers) = env.text("K6_PROMETHEUS_RW_HTTP_HEADERS") {
        for pair in headers.split(',') {
            match pair.split(':').collect::<Vec<_>>()[..] {
                [name, value] => fields.push((name.to_owned(), value.to_owned())),
                _ => {
                    return Err(format!(
                        "the provided header ({pair}) does not respect the expected format <header key>:<value>"
                    ));
                }
            }
        }
    }
    if let Some(token) = env.text("K6_PROMETHEUS_RW_BEARER_TOKEN") {
        fields.push(("Authorization".to_owned(), format!("Bearer {token}")));
    }
    Ok(fields)
}
