//! `--log-format`: the name of a format, or a format string.

use super::Format;
use super::pattern::{LogFormatError, Pattern};

/// Names of formats as people know them, each with the forms that its lines may have.
const NAMES: [(&str, &[Format]); 19] = [
    ("auto", &[]),
    ("combined", &[Format::Combined]),
    ("common", &[Format::Combined]),
    ("vhost_combined", &[Format::Combined]),
    ("nginx", &[Format::Combined, Format::Json]),
    ("apache", &[Format::Combined, Format::Json]),
    ("tomcat", &[Format::Combined]),
    ("json", &[Format::Json]),
    ("caddy", &[Format::Json, Format::Combined]),
    ("traefik", &[Format::Combined, Format::Json]),
    ("alb", &[Format::Alb]),
    ("elb", &[Format::Elb, Format::Alb]),
    ("envoy", &[Format::Envoy, Format::Json]),
    ("istio", &[Format::Envoy, Format::Json]),
    ("haproxy", &[Format::HaProxy]),
    ("iis", &[Format::W3c]),
    ("cloudfront", &[Format::W3c]),
    ("w3c", &[Format::W3c]),
    ("csv", &[Format::Csv]),
];

/// What the user says of a log's format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessLogFormat(Choice);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Choice {
    /// Each line tells by itself.
    #[default]
    Any,
    /// Only these forms.
    Of(&'static [Format]),
    /// A format string.
    By(Pattern),
}

impl AccessLogFormat {
    /// The names that are known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Reads a name, or a format string as a server takes it.
    ///
    /// # Errors
    /// What of it cannot be read.
    pub fn parse(text: &str) -> Result<Self, LogFormatError> {
        let name = text.trim().to_ascii_lowercase();
        if let Some((_, forms)) = NAMES.iter().find(|(known, _)| *known == name) {
            return Ok(Self(match forms {
                [] => Choice::Any,
                forms => Choice::Of(forms),
            }));
        }
        Pattern::parse(text).map(|pattern| Self(Choice::By(pattern)))
    }

    pub(super) fn allows(&self, format: Format) -> bool {
        match &self.0 {
            Choice::Any => true,
            Choice::Of(forms) => forms.contains(&format),
            Choice::By(_) => false,
        }
    }

    pub(super) fn pattern(&self) -> Option<&Pattern> {
        match &self.0 {
            Choice::By(pattern) => Some(pattern),
            Choice::Any | Choice::Of(_) => None,
        }
    }
}
