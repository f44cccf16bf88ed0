//! Where the plugins `publish-metrics` and `slack` send what was measured.

/// `plugins.publish-metrics[]`
#[derive(Debug, Clone, PartialEq)]
pub enum PublishTarget {
    /// `statsd`, `influxdb-statsd`, or `datadog` with an agent.
    Statsd(StatsdTarget),
    /// `prometheus`
    Prometheus {
        /// The push gateway's URL.
        url: String,
        /// What the names of the metrics begin with.
        prefix: String,
        /// Labels of each series.
        tags: Vec<String>,
    },
    /// `open-telemetry`
    OpenTelemetry(OpenTelemetryTarget),
}

/// A statsd server.
#[derive(Debug, Clone, PartialEq)]
pub struct StatsdTarget {
    /// Its host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What each name begins with.
    pub prefix: String,
    /// Tags of each value.
    pub tags: Vec<String>,
    /// `influxdb-statsd`
    pub is_telegraf: bool,
    /// Only names that begin so.
    pub include_only: Vec<String>,
    /// All names but those that begin so.
    pub excluded: Vec<String>,
    /// The event at the beginning and at the end.
    pub event: Option<PublishEvent>,
}

/// `event` of a statsd server.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PublishEvent {
    /// `title`; the time without one.
    pub title: Option<String>,
    /// `text`
    pub text: String,
    /// `priority`
    pub priority: String,
    /// `alertType`
    pub alert_type: String,
    /// `aggregationKey`
    pub aggregation_key: Option<String>,
    /// `sourceTypeName`
    pub source_type: Option<String>,
    /// `tags`
    pub tags: Vec<String>,
}

/// `metrics` of a reporter of OpenTelemetry, with its service.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OpenTelemetryTarget {
    /// `endpoint`
    pub endpoint: Option<String>,
    /// Whether the exporter is `otlp-grpc`.
    pub is_grpc: bool,
    /// `headers`
    pub headers: Vec<(String, String)>,
    /// `serviceName`
    pub service_name: String,
    /// `resourceAttributes`
    pub resource: Vec<(String, String)>,
    /// `meterName`
    pub meter: String,
    /// `attributes`
    pub attributes: Vec<(String, String)>,
    /// `includeOnly`
    pub include_only: Vec<String>,
    /// `exclude`
    pub exclude: Vec<String>,
}

/// `plugins.slack`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlackTarget {
    /// The webhook's URL, a secret.
    pub webhook: String,
    /// Nothing is said of a run that passed.
    pub on_failure_only: bool,
}
