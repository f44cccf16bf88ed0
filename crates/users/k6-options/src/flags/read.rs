//! Turns flags into options and settings of the run.

use std::collections::BTreeMap;

use super::error::FlagError;
use super::parse::{ParsedFlags, given};
use super::spec::{FlagSpec, FlagStatus};
use super::table::{TABLE, VERSION_FLAG};
use crate::environment::stage;
use crate::go::{parse_duration, parse_int};
use crate::sources::{ExtraSettings, OptionsLayer};
use crate::values::{
    BlockedHostnames, DnsOptions, IpNet, IpPool, Segment, SegmentSequence, SystemTags,
    check_trend_stats,
};
use crate::version::K6Version;
use crate::{Options, SignedDuration, StageDraft};

/// The arguments of `k6 run`, parsed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParsedArguments {
    /// Options, the highest layer, and other settings.
    pub settings: OptionsLayer,
    /// Settings of the run itself.
    pub run: RunFlags,
    /// What is no flag: the script.
    pub positionals: Vec<String>,
    /// Whether help was requested; then nothing else is read.
    pub help: bool,
    /// Flags that are given and change nothing, with the reason.
    pub without_effect: Vec<(&'static str, &'static str)>,
    /// What k6 prints to standard output about deprecated flags, line by line.
    pub notices: Vec<String>,
    /// All flags as given, including those passed to [`parse_with`].
    pub given: ParsedFlags,
}

/// Settings of the run itself; `None` is not given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFlags {
    /// The configuration file.
    pub config: Option<String>,
    /// No progress.
    pub quiet: bool,
    /// More log lines.
    pub verbose: bool,
    /// No colours.
    pub no_color: bool,
    /// Where the REST API listens.
    pub address: Option<String>,
    /// Profiles on the REST API.
    pub profiling_enabled: bool,
    /// Where log lines go.
    pub log_output: Option<String>,
    /// What log lines look like.
    pub log_format: Option<String>,
    /// Where secrets come from.
    pub secret_source: Vec<String>,
    /// What the test is.
    pub test_type: Option<String>,
    /// Whether the environment's variables are in `__ENV`.
    pub include_system_env_vars: Option<bool>,
    /// The language.
    pub compatibility_mode: Option<String>,
    /// Variables for `__ENV`, in order.
    pub env: Vec<(String, String)>,
    /// No thresholds.
    pub no_thresholds: Option<bool>,
    /// No summary.
    pub no_summary: Option<bool>,
    /// How much the summary tells.
    pub summary_mode: Option<String>,
    /// The file the summary goes to.
    pub summary_export: Option<String>,
    /// The next form of summary data.
    pub new_machine_readable_summary: Option<bool>,
    /// Where traces go.
    pub traces_output: Option<String>,
    /// Features to switch on.
    pub features: Option<Vec<String>>,
    /// Whose rules hold.
    pub version: K6Version,
}

/// Reads the arguments of `k6 run`.
///
/// # Errors
/// [`FlagError`] about the first argument that is wrong.
pub fn parse(arguments: &[String]) -> Result<ParsedArguments, FlagError> {
    parse_with(&[], arguments)
}

/// Reads the arguments of `k6 run` and of flags besides; their values are in
/// [`ParsedArguments::given`].
///
/// # Errors
/// [`FlagError`] about the first argument that is wrong.
pub fn parse_with(
    besides: &[FlagSpec],
    arguments: &[String],
) -> Result<ParsedArguments, FlagError> {
    let specs: Vec<FlagSpec> = TABLE.iter().chain(besides).cloned().collect();
    let given = given(&specs, arguments)?;
    if given.help {
        return Ok(ParsedArguments {
            help: true,
            given,
            ..ParsedArguments::default()
        });
    }
    let version = value(&given, VERSION_FLAG.name, |text| {
        K6Version::parse(text).ok_or_else(|| {
            format!("invalid argument {text:?} for \"--k6-version\" flag: write 2.2 or 1.8")
        })
    })?;
    let version = version.unwrap_or_default();
    let unknown = specs
        .iter()
        .find(|spec| spec.only.is_some_and(|only| only != version) && given.has(spec.name));
    if let Some(spec) = unknown {
        let name = spec.name.to_owned();
        return Err(FlagError::Unknown { name });
    }
    let mut without_effect = Vec::new();
    let mut notices = Vec::new();
    for spec in &specs {
        if let Some(instead) = spec.deprecated.filter(|_| given.has(spec.name)) {
            let notice = format!("Flag --{} has been deprecated, {instead}", spec.name);
            notices.push(notice);
        }
        match spec.status {
            FlagStatus::NoEffect { why, harmless } if given.has(spec.name) => {
                let value = given.last(spec.name).unwrap_or_default();
                if !harmless.contains(&value) {
                    without_effect.push((spec.name, why));
                }
            }
            _ => {}
        }
    }
    Ok(ParsedArguments {
        settings: OptionsLayer {
            options: options(&given)?,
            extras: ExtraSettings {
                out: given.has("out").then(|| texts(&given, "out")),
                linger: switch(&given, "linger"),
                no_usage_report: switch(&given, "no-usage-report"),
                web_dashboard: None,
            },
        },
        run: RunFlags {
            version,
            ..run_flags(&given)?
        },
        positionals: given.positionals.clone(),
        help: false,
        without_effect,
        notices,
        given,
    })
}

impl ParsedArguments {
    /// The script: a path, or `-` for standard input.
    ///
    /// # Errors
    /// [`FlagError::Scripts`] unless there is exactly one.
    pub fn script(&self) -> Result<&str, FlagError> {
        match self.positionals.as_slice() {
            [script] => Ok(script),
            others => Err(FlagError::Scripts(others.len())),
        }
    }
}

fn switch(given: &ParsedFlags, name: &str) -> Option<bool> {
    given.last(name).map(|value| value == "true")
}

fn text(given: &ParsedFlags, name: &str) -> Option<String> {
    given.last(name).map(str::to_owned)
}

/// A text that counts as not given when it is empty.
fn filled(given: &ParsedFlags, name: &str) -> Option<String> {
    text(given, name).filter(|text| !text.is_empty())
}

/// All values; a single empty one counts as none, as in k6.
fn texts(given: &ParsedFlags, name: &str) -> Vec<String> {
    let texts: Vec<String> = given.all(name).map(str::to_owned).collect();
    if texts == [""] { Vec::new() } else { texts }
}

/// Numbers and lengths were checked when the arguments were read.
fn int(given: &ParsedFlags, name: &str) -> Option<i64> {
    given.last(name).and_then(|value| parse_int(value).ok())
}

fn length(given: &ParsedFlags, name: &str) -> Option<SignedDuration> {
    given
        .last(name)
        .and_then(|value| parse_duration(value).ok())
}

/// Reads the value of a flag.
fn value<T>(
    given: &ParsedFlags,
    flag: &'static str,
    read: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, FlagError> {
    let Some(written) = given.last(flag) else {
        return Ok(None);
    };
    read(written).map(Some).map_err(FlagError::Value)
}

/// Reads each of a flag's values, blaming the one that is wrong.
fn each<T>(
    given: &ParsedFlags,
    flag: &'static str,
    read: impl Fn(usize, &str) -> Result<T, String>,
) -> Result<Option<Vec<T>>, FlagError> {
    if !given.has(flag) {
        return Ok(None);
    }
    let read = given
        .all(flag)
        .enumerate()
        .map(|(place, written)| read(place, written).map_err(FlagError::Value));
    read.collect::<Result<_, _>>().map(Some)
}

fn options(given: &ParsedFlags) -> Result<Options, FlagError> {
    let stages = each(given, "stage", numbered_stage)?;
    let segment = value(given, "execution-segment", Segment::parse)?;
    let sequence = value(given, "execution-segment-sequence", SegmentSequence::parse)?;
    let system_tags = given.has("system-tags");
    let system_tags = system_tags.then(|| SystemTags::of_names(given.all("system-tags")));
    let blacklist_ips = each(given, "blacklist-ip", |_, written| {
        IpNet::parse(written)
            .map_err(|cause| format!("error parsing blacklist-ip '{written}': {cause}"))
    })?;
    let blocked = each(given, "block-hostnames", |_, written| {
        BlockedHostnames::new(vec![written.to_owned()]).map(|_| written.to_owned())
    })?;
    let blocked = blocked.and_then(|names| BlockedHostnames::new(names).ok());
    let local_ips = value(given, "local-ips", |text| {
        (!text.is_empty()).then(|| IpPool::parse(text)).transpose()
    })?;
    let trend_stats = each(given, "summary-trend-stats", |_, name| {
        check_trend_stats(&[name]).map(|_| name.to_owned())
    })?;
    let time_unit = value(given, "summary-time-unit", |unit| match unit {
        "" | "s" | "ms" | "us" => Ok(unit.to_owned()),
        _ => Err(format!(
            "invalid summary time unit '{unit}', use 's', 'ms' or 'us'"
        )),
    })?;
    let dns = value(given, "dns", |text| match text {
        "" => Ok(DnsOptions::default()),
        _ => DnsOptions::parse(text),
    })?;
    Ok(Options {
        paused: switch(given, "paused"),
        vus: int(given, "vus"),
        duration: length(given, "duration"),
        iterations: int(given, "iterations"),
        stages,
        execution_segment: segment,
        execution_segment_sequence: sequence,
        no_setup: switch(given, "no-setup"),
        no_teardown: switch(given, "no-teardown"),
        rps: int(given, "rps"),
        dns: dns.unwrap_or_default(),
        max_redirects: int(given, "max-redirects"),
        user_agent: text(given, "user-agent"),
        batch: int(given, "batch"),
        batch_per_host: int(given, "batch-per-host"),
        http_debug: text(given, "http-debug"),
        insecure_skip_tls_verify: switch(given, "insecure-skip-tls-verify"),
        throw: switch(given, "throw"),
        blacklist_ips: blacklist_ips.filter(|networks| !networks.is_empty()),
        block_hostnames: blocked,
        no_connection_reuse: switch(given, "no-connection-reuse"),
        no_vu_connection_reuse: switch(given, "no-vu-connection-reuse"),
        min_iteration_duration: length(given, "min-iteration-duration"),
        summary_trend_stats: trend_stats,
        summary_time_unit: time_unit.filter(|unit| !unit.is_empty()),
        system_tags,
        tags: tags(given)?,
        discard_response_bodies: switch(given, "discard-response-bodies"),
        console_output: filled(given, "console-output"),
        local_ips: local_ips.flatten(),
        ..Options::default()
    })
}

/// Stages of flags are counted from 0, as k6 does.
fn numbered_stage(place: usize, written: &str) -> Result<StageDraft, String> {
    let stage = stage(written).map_err(|cause| format!("error for stage {place}: {cause}"))?;
    if stage.duration.is_none() {
        return Err(format!("stage {place} doesn't have a specified duration"));
    }
    Ok(stage)
}

fn tags(given: &ParsedFlags) -> Result<Option<BTreeMap<String, String>>, FlagError> {
    let mut tags = BTreeMap::new();
    for written in texts(given, "tag") {
        let wrong = |missing| FlagError::Tag {
            written: written.clone(),
            missing,
        };
        match written.split_once('=') {
            _ if written.is_empty() => return Err(wrong("string")),
            Some(("", _)) => return Err(wrong("name")),
            None | Some((_, "")) => return Err(wrong("value")),
            Some((name, value)) => tags.insert(name.to_owned(), value.to_owned()),
        };
    }
    Ok((!tags.is_empty()).then_some(tags))
}

fn run_flags(given: &ParsedFlags) -> Result<RunFlags, FlagError> {
    let on = |name| switch(given, name).unwrap_or(false);
    Ok(RunFlags {
        config: text(given, "config"),
        quiet: on("quiet"),
        verbose: on("verbose"),
        no_color: on("no-color"),
        address: text(given, "address"),
        profiling_enabled: on("profiling-enabled"),
        log_output: text(given, "log-output"),
        log_format: text(given, "log-format"),
        secret_source: given.all("secret-source").map(str::to_owned).collect(),
        test_type: text(given, "type"),
        include_system_env_vars: switch(given, "include-system-env-vars"),
        compatibility_mode: text(given, "compatibility-mode"),
        env: variables(given)?,
        no_thresholds: switch(given, "no-thresholds"),
        no_summary: switch(given, "no-summary"),
        summary_mode: text(given, "summary-mode"),
        summary_export: text(given, "summary-export"),
        new_machine_readable_summary: switch(given, "new-machine-readable-summary"),
        traces_output: text(given, "traces-output"),
        features: given
            .has("features")
            .then(|| given.all("features").map(str::to_owned).collect()),
        version: K6Version::default(),
    })
}

/// `NAME=value`; without a value it is empty.
fn variables(given: &ParsedFlags) -> Result<Vec<(String, String)>, FlagError> {
    let variables = texts(given, "env").into_iter().map(|written| {
        let (name, value) = written.split_once('=').unwrap_or((&written, ""));
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(FlagError::Value(format!(
                "invalid environment variable name '{name}'"
            )));
        }
        Ok((name.to_owned(), value.to_owned()))
    });
    variables.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<ParsedArguments, FlagError> {
        let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        parse(&arguments)
    }

    #[test]
    fn variables_are_kept_in_order() {
        let run = read(&["-e", "A=b", "--env", "C", "-e", "D=e=f"])
            .unwrap()
            .run;
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(run.env, [pair("A", "b"), pair("C", ""), pair("D", "e=f")]);
    }

    #[test]
    fn flags_on_their_way_out_are_noticed() {
        let former = ["--k6-version", "1.8", "--no-summary"].map(str::to_owned);
        assert_eq!(
            parse_with(&[VERSION_FLAG], &former).unwrap().notices,
            ["Flag --no-summary has been deprecated, use --summary-mode=disabled instead"]
        );
        let removed = read(&["--no-summary"]).unwrap_err();
        assert_eq!(removed.to_string(), "unknown flag: --no-summary");
        let new = ["--k6-version", "1.8", "--features", "freeze-env"].map(str::to_owned);
        let unknown = parse_with(&[VERSION_FLAG], &new).unwrap_err();
        assert_eq!(unknown.to_string(), "unknown flag: --features");
    }

    #[test]
    fn what_changes_nothing_is_reported() {
        let parsed = read(&["--linger", "--profiling-enabled", "s.js"]).unwrap();
        let names: Vec<_> = parsed
            .without_effect
            .iter()
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(names, ["profiling-enabled"]);
        assert_eq!(parsed.settings.extras.linger, Some(true));
        assert_eq!(parsed.script(), Ok("s.js"));
    }

    #[test]
    fn flags_of_ours_are_read_beside_k6s() {
        let mut once = TABLE[0].clone();
        once.name = "once";
        once.short = None;
        once.kind = super::super::FlagKind::Switch;
        once.bare = Some("true");
        let arguments = ["--once", "-u2", "s.js"].map(str::to_owned);
        let parsed = parse_with(&[once], &arguments).unwrap();
        assert_eq!(parsed.given.last("once"), Some("true"));
        assert_eq!(parsed.settings.options.vus, Some(2));
    }

    #[test]
    fn a_value_error_is_told_in_k6s_words() {
        let error = read(&["--summary-time-unit", "m"]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid summary time unit 'm', use 's', 'ms' or 'us'"
        );
    }
}
