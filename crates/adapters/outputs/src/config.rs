//! Reads `-o` and the environment variables of outputs, with k6's syntax and texts.

mod csv;
mod fields;
pub(crate) mod influxdb;
pub(crate) mod opentelemetry;
pub(crate) mod prometheus;

use std::collections::BTreeMap;
use std::fmt;

use crate::files::TimeFormat;
use crate::queue::InputKind;
use influxdb::InfluxDb;
use opentelemetry::OpenTelemetry;
use prometheus::PrometheusRw;

/// The names k6 lists for an unknown output, without those we do not have.
const NAMES: &str =
    "csv, experimental-opentelemetry, experimental-prometheus-rw, influxdb, json, opentelemetry";

/// Why an output cannot be configured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// There is no output of this name.
    #[error("invalid output type '{name}', available types are: {NAMES}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// k6 has it, loadline does not.
    #[error("the '{name}' output is not supported; available types are: {NAMES}")]
    Unsupported {
        /// The name.
        name: String,
    },
    /// Its options are invalid.
    #[error("could not create the '{name}' output: {reason}")]
    Invalid {
        /// The name.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl ConfigError {
    /// Whether its options can be read and exclude each other or mean nothing: k6 has an
    /// exit code for those of OpenTelemetry alone.
    #[must_use]
    pub fn is_invalid_opentelemetry(&self) -> bool {
        matches!(self, Self::Invalid { reason, .. } if reason.starts_with(opentelemetry::INVALID))
    }
}

/// One output.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputConfig {
    pub(crate) kind: OutputKind,
    /// Warnings to show.
    pub warnings: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum OutputKind {
    Json { file: FileName },
    Csv { file: FileName, format: TimeFormat },
    InfluxDb(InfluxDb),
    PrometheusRw(PrometheusRw),
    OpenTelemetry(OpenTelemetry),
}

/// Where a file output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileName {
    Stdout,
    Path(String),
}

impl From<&str> for FileName {
    fn from(text: &str) -> Self {
        match text {
            "" | "-" => Self::Stdout,
            path => Self::Path(path.to_owned()),
        }
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("stdout"),
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl OutputKind {
    pub(crate) fn wants(&self) -> InputKind {
        match self {
            Self::Json { .. } | Self::Csv { .. } | Self::InfluxDb(_) => InputKind::Samples,
            Self::PrometheusRw(_) | Self::OpenTelemetry(_) => InputKind::Sums,
        }
    }
}

impl OutputConfig {
    /// Reads one `-o`, `name` or `name=argument`.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn read(
        written: &str,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, ConfigError> {
        let (name, argument) = written.split_once('=').unwrap_or((written, ""));
        let invalid = |reason: String| ConfigError::Invalid {
            name: name.to_owned(),
            reason,
        };
        let mut warnings = Vec::new();
        let kind = match name {
            "json" => OutputKind::Json {
                file: FileName::from(argument),
            },
            "csv" => csv::read(argument, environment).map_err(invalid)?,
            "influxdb" => {
                OutputKind::InfluxDb(InfluxDb::read(argument, environment).map_err(invalid)?)
            }
            "experimental-prometheus-rw" => {
                let read = PrometheusRw::read(environment).map_err(invalid)?;
                OutputKind::PrometheusRw(read)
            }
            "opentelemetry" | "experimental-opentelemetry" => {
                if name.starts_with("experimental") {
                    warnings.push("OpenTelemetry output has been graduated as a stable output.You can now use just \"opentelemetry\" instead of \"experimental-opentelemetry\". The experimental version will be removed in future versions.".to_owned());
                }
                let read = OpenTelemetry::read(environment, &mut warnings).map_err(invalid)?;
                OutputKind::OpenTelemetry(read)
            }
            "statsd" | "datadog" | "kafka" | "cloud" | "web-dashboard" => {
                return Err(ConfigError::Unsupported {
                    name: name.to_owned(),
                });
            }
            _ => {
                return Err(ConfigError::Unknown {
                    name: name.to_owned(),
                });
            }
        };
        Ok(Self { kind, warnings })
    }

    /// Its description, in k6's words.
    #[must_use]
    pub fn description(&self) -> String {
        match &self.kind {
            OutputKind::Json { file } => format!("json ({})", dash(file)),
            OutputKind::Csv { file, .. } => format!("csv ({file})"),
            OutputKind::InfluxDb(config) => format!("InfluxDBv1 ({})", config.address),
            OutputKind::PrometheusRw(config) => {
                format!("Prometheus remote write ({})", config.url.masked())
            }
            OutputKind::OpenTelemetry(config) => format!("opentelemetry ({})", config.described),
        }
    }

    /// Whether it writes to standard output, which nothing else may use then.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        matches!(
            &self.kind,
            OutputKind::Json {
                file: FileName::Stdout
            } | OutputKind::Csv {
                file: FileName::Stdout,
                ..
            }
        )
    }
}

fn dash(file: &FileName) -> &str {
    match file {
        FileName::Stdout => "-",
        FileName::Path(path) => path,
    }
}

#[cfg(test)]
mod tests;
