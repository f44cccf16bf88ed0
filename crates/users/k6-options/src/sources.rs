//! The options of one source: a script or a configuration file.

use serde_json::Value;

use super::error::{ExitCode, OptionsError, Warning};
use super::json::{Document, NodeKind, OptionReadError, Reader, field_named};
use super::read_options;
use super::set::Options;
use super::version::K6Version;

/// What a script exports as `options`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptOptions {
    /// The options.
    pub options: Options,
    /// What to say about them.
    pub warnings: Vec<Warning>,
    /// They name features, which only flags, environment and configuration file can.
    pub names_features: bool,
}

/// Settings that are not options and that several sources may have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExtraSettings {
    /// Where samples go besides the summary; `None` when not written.
    pub out: Option<Vec<String>>,
    /// Whether the program stays after the test.
    pub linger: Option<bool>,
    /// Whether k6's usage report is left out.
    pub no_usage_report: Option<bool>,
    /// Whether k6's web dashboard is on.
    pub web_dashboard: Option<bool>,
}

impl ExtraSettings {
    /// Merges `upper` over these.
    #[must_use]
    pub fn under(self, upper: Self) -> Self {
        Self {
            out: upper.out.filter(|out| !out.is_empty()).or(self.out),
            linger: upper.linger.or(self.linger),
            no_usage_report: upper.no_usage_report.or(self.no_usage_report),
            web_dashboard: upper.web_dashboard.or(self.web_dashboard),
        }
    }
}

/// What a configuration file or the environment says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OptionsLayer {
    /// The options.
    pub options: Options,
    /// Warnings about them.
    pub extras: ExtraSettings,
}

impl ScriptOptions {
    /// Reads what a script exports as `options`, given as JSON of the JavaScript value.
    ///
    /// # Errors
    /// [`OptionsError::Script`].
    pub fn read(exported: &Value, version: K6Version) -> Result<Self, OptionsError> {
        let document = Document::of_script(exported).map_err(|text| OptionsError::Script {
            text,
            exit: ExitCode::InvalidConfig,
        })?;
        let invalid = |fault: OptionReadError| OptionsError::Script {
            text: fault.in_script(&document),
            exit: ExitCode::InvalidConfig,
        };
        let mut read = Self::default();
        read.options.version = version;
        let reader = Reader::new(&document, "Options");
        for (written, node) in reader.entries("lib.Options").map_err(invalid)? {
            match read_options::named(written, version) {
                Some("features") => {
                    let value = reader.field("features", node);
                    read_options::read(&mut read.options, "features", &value, version)
                        .map_err(invalid)?;
                    let named = read.options.features.take();
                    read.names_features = named.is_some_and(|names| !names.is_empty());
                }
                Some(name) => {
                    let value = reader.field(name, node);
                    read_options::read(&mut read.options, name, &value, version)
                        .map_err(invalid)?;
                }
                None if read.warnings.is_empty() => read.warnings.push(Warning::UnknownFields {
                    first: written.clone(),
                }),
                None => {}
            }
        }
        // k6 sets up its resolver as soon as it has a script's options.
        if let Err(text) = read.options.dns.checked_ttl() {
            let exit = ExitCode::Other;
            return Err(OptionsError::Script { text, exit });
        }
        Ok(read)
    }
}

impl OptionsLayer {
    /// Reads a configuration file's text; names that mean nothing are passed over.
    /// `path` is only shown.
    ///
    /// # Errors
    /// [`OptionsError::ConfigFile`].
    pub fn read_config_file(
        path: &str,
        text: &str,
        version: K6Version,
    ) -> Result<Self, OptionsError> {
        let invalid = |text: String| OptionsError::ConfigFile {
            path: path.to_owned(),
            text,
        };
        let document = Document::parse(text).map_err(invalid)?;
        let reader = Reader::new(&document, "Config");
        Self::read(&reader, version).map_err(|fault| invalid(fault.to_string()))
    }

    fn read(reader: &Reader<'_>, version: K6Version) -> Result<Self, OptionReadError> {
        let mut read = Self::default();
        for (written, node) in reader.entries("cmd.Config")? {
            if let Some(name) = read_options::named(written, version) {
                let value = reader.through("Options").field(name, node);
                read_options::read(&mut read.options, name, &value, version)?;
            }
            let extras = &mut read.extras;
            match field_named(written, &EXTRAS) {
                Some("out") => extras.out = reader.field("out", node).texts()?,
                Some("linger") => extras.linger = reader.item(node).optional_bool()?,
                Some("noUsageReport") => {
                    extras.no_usage_report = reader.item(node).optional_bool()?;
                }
                Some("webDashboard") => extras.web_dashboard = reader.item(node).optional_bool()?,
                Some("collectors") if !matches!(node.kind, NodeKind::Object(_)) => {
                    let collectors = reader.field("collectors", node);
                    collectors.entries("map[string]json.RawMessage")?;
                }
                _ => {}
            }
        }
        Ok(read)
    }
}

const EXTRAS: [&str; 5] = [
    "out",
    "linger",
    "noUsageReport",
    "webDashboard",
    "collectors",
];
