//! Settings of the run itself, from flags and the environment variables that stand for them.

use std::collections::BTreeMap;

use super::log_output::LogOutput;
use super::read::RunFlags;
use crate::error::{OptionsError, Warning};
use crate::go::parse_bool;
use crate::version::K6Version;

/// How much the summary tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryMode {
    /// The main results.
    Compact,
    /// By group and scenario too.
    Full,
    /// k6's former layout.
    Legacy,
    /// Nothing.
    Disabled,
}

/// The language scripts are in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompatibilityMode {
    /// JavaScript with `global`.
    Extended,
    /// JavaScript.
    Base,
    /// TypeScript without asking; k6 is about to drop it.
    ExperimentalEnhanced,
}

/// What log lines look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// `time=… level=… msg=…`
    Text,
    /// One JSON object a line.
    Json,
    /// The message alone.
    Raw,
}

/// Settings of the run itself, all with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// The configuration file, if one is named.
    pub config: Option<String>,
    /// No progress.
    pub quiet: bool,
    /// More log lines.
    pub verbose: bool,
    /// No colours.
    pub no_color: bool,
    /// Where log lines go.
    pub log_output: LogOutput,
    /// What log lines look like.
    pub log_format: LogFormat,
    /// What the test is (`js`, `archive`), if said.
    pub test_type: Option<String>,
    /// The language.
    pub compatibility_mode: CompatibilityMode,
    /// What scripts see as `__ENV`.
    pub script_env: BTreeMap<String, String>,
    /// Whether thresholds are judged.
    pub thresholds: bool,
    /// How much the summary tells.
    pub summary_mode: SummaryMode,
    /// The file the summary goes to.
    pub summary_export: Option<String>,
    /// Where the script's secrets come from.
    pub secret_source: Vec<String>,
    /// Whether it, and what `handleSummary` gets, has k6's next form.
    pub machine_readable: bool,
    /// What to say about these settings.
    pub warnings: Vec<Warning>,
    /// Where traces go, as written; [`super::check_traces_output`] says what is wrong with it.
    pub traces_output: String,
    /// Whose rules hold.
    pub version: K6Version,
}

type Environment = BTreeMap<String, String>;

impl RunFlags {
    /// Adds the variables that stand for flags; flags take precedence.
    ///
    /// # Errors
    /// [`OptionsError::Runtime`] about the first setting that is wrong, in k6's order.
    pub fn resolve(&self, environment: &Environment) -> Result<Runtime, OptionsError> {
        let variable = |name: &str| environment.get(name).cloned();
        let log_output = self
            .log_output
            .clone()
            .or_else(|| variable("K6_LOG_OUTPUT"));
        let log_output = LogOutput::parse(log_output.as_deref().unwrap_or("stderr"))
            .map_err(OptionsError::Runtime)?;
        let compatibility_mode = self.compatibility_mode.clone();
        let compatibility_mode = compatibility_mode.or_else(|| variable("K6_COMPATIBILITY_MODE"));
        let compatibility_mode = CompatibilityMode::parse(&compatibility_mode.unwrap_or_default())?;
        let switch = |given: Option<bool>, name| truth(environment, name).map(|v| given.or(v));
        let include = switch(self.include_system_env_vars, "K6_INCLUDE_SYSTEM_ENV_VARS")?;
        let no_thresholds = switch(self.no_thresholds, "K6_NO_THRESHOLDS")?;
        let no_summary = match self.version {
            K6Version::V1 => switch(self.no_summary, "K6_NO_SUMMARY")?,
            K6Version::V2 => None,
        };
        let machine_readable = switch(
            self.new_machine_readable_summary,
            "K6_NEW_MACHINE_READABLE_SUMMARY",
        )?;
        let summary_mode = self
            .summary_mode
            .clone()
            .or_else(|| variable("K6_SUMMARY_MODE"));
        let mut summary_mode = SummaryMode::parse(&summary_mode.unwrap_or_default(), self.version)?;
        if no_summary == Some(true) {
            summary_mode = SummaryMode::Disabled;
        }
        let mut script_env = match include {
            Some(false) => BTreeMap::new(),
            _ => environment.clone(),
        };
        script_env.extend(self.env.iter().cloned());
        let log_format = self
            .log_format
            .clone()
            .or_else(|| variable("K6_LOG_FORMAT"));
        let mut warnings = Vec::new();
        if compatibility_mode == CompatibilityMode::ExperimentalEnhanced {
            warnings.push(Warning::ExperimentalEnhanced);
        }
        if summary_mode == SummaryMode::Legacy {
            warnings.push(Warning::LegacySummary);
        }
        let no_color = variable("K6_NO_COLOR").is_some_and(|value| !value.is_empty())
            || variable("NO_COLOR").is_some();
        Ok(Runtime {
            config: self.config.clone().or_else(|| variable("K6_CONFIG")),
            quiet: self.quiet,
            verbose: self.verbose,
            no_color: self.no_color || no_color,
            log_format: match &log_output {
                LogOutput::Loki(_) => LogFormat::Raw,
                _ => LogFormat::parse(&log_format.unwrap_or_default()),
            },
            log_output,
            test_type: self.test_type.clone().or_else(|| variable("K6_TYPE")),
            compatibility_mode,
            script_env,
            thresholds: no_thresholds != Some(true),
            summary_mode,
            machine_readable: machine_readable == Some(true),
            summary_export: self
                .summary_export
                .clone()
                .or_else(|| variable("K6_SUMMARY_EXPORT"))
                .filter(|file| !file.is_empty()),
            secret_source: self.secret_sources(environment),
            warnings,
            traces_output: self
                .traces_output
                .clone()
                .or_else(|| variable("K6_TRACES_OUTPUT"))
                .unwrap_or_else(|| "none".to_owned()),
            version: self.version,
        })
    }

    /// Those of flags, or the one of the variable.
    fn secret_sources(&self, environment: &Environment) -> Vec<String> {
        if !self.secret_source.is_empty() {
            return self.secret_source.clone();
        }
        environment
            .get("K6_SECRET_SOURCE")
            .cloned()
            .into_iter()
            .collect()
    }
}

fn truth(environment: &Environment, name: &str) -> Result<Option<bool>, OptionsError> {
    let Some(value) = environment.get(name) else {
        return Ok(None);
    };
    parse_bool(value).map(Some).map_err(|cause| {
        OptionsError::Runtime(format!(
            "env var '{name}' is not a valid boolean value: {cause}"
        ))
    })
}

impl SummaryMode {
    fn parse(text: &str, version: K6Version) -> Result<Self, OptionsError> {
        match text {
            "" | "compact" => Ok(Self::Compact),
            "full" => Ok(Self::Full),
            "legacy" if version < K6Version::V2 => Ok(Self::Legacy),
            "disabled" => Ok(Self::Disabled),
            _ => Err(OptionsError::Runtime("invalid summary mode".to_owned())),
        }
    }
}

impl CompatibilityMode {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Extended => "extended",
            Self::Base => "base",
            Self::ExperimentalEnhanced => "experimental_enhanced",
        }
    }

    fn parse(text: &str) -> Result<Self, OptionsError> {
        match text {
            "" | "extended" => Ok(Self::Extended),
            "base" => Ok(Self::Base),
            "experimental_enhanced" => Ok(Self::ExperimentalEnhanced),
            _ => Err(OptionsError::Runtime(format!(
                "invalid compatibility mode \"{text}\". Use: \"extended\", \"base\", \"experimental_enhanced\""
            ))),
        }
    }
}

impl LogFormat {
    fn parse(text: &str) -> Self {
        match text {
            "json" => Self::Json,
            "raw" => Self::Raw,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        let pairs = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into()));
        pairs.collect()
    }

    #[test]
    fn flags_win_over_variables() {
        let flags = RunFlags {
            summary_mode: Some("full".into()),
            no_thresholds: Some(false),
            env: vec![("A".into(), "flag".into())],
            ..RunFlags::default()
        };
        let environment = environment(&[
            ("K6_SUMMARY_MODE", "disabled"),
            ("K6_NO_THRESHOLDS", "1"),
            ("K6_SUMMARY_EXPORT", "s.json"),
            ("A", "env"),
        ]);
        let runtime = flags.resolve(&environment).unwrap();
        assert_eq!(runtime.summary_mode, SummaryMode::Full);
        assert!(runtime.thresholds);
        assert_eq!(runtime.summary_export.as_deref(), Some("s.json"));
        assert_eq!(runtime.script_env["A"], "flag");
        assert_eq!(runtime.script_env["K6_NO_THRESHOLDS"], "1");
    }

    #[test]
    fn scripts_need_not_see_the_environment() {
        let flags = RunFlags {
            include_system_env_vars: Some(false),
            env: vec![("A".into(), "b".into())],
            ..RunFlags::default()
        };
        let runtime = flags.resolve(&environment(&[("X", "y")])).unwrap();
        assert_eq!(runtime.script_env, environment(&[("A", "b")]));
    }

    #[test]
    fn any_no_color_switches_colours_off() {
        let off = |pairs| {
            let runtime = RunFlags::default().resolve(&environment(pairs)).unwrap();
            runtime.no_color
        };
        assert!(off(&[("NO_COLOR", "")]));
        assert!(off(&[("K6_NO_COLOR", "x")]));
        assert!(!off(&[("K6_NO_COLOR", "")]));
    }
}
