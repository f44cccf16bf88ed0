//! Options from environment variables, which the caller passes in.

use std::collections::BTreeMap;

use loadline_testplan::draft::{SignedDuration, StageDraft};

use super::error::OptionsError;
use super::go::{parse_duration, parse_extended_duration, parse_int, quote};
use super::sources::OptionsLayer;
use super::values::{BlockedHostnames, DnsOptions, IpNet, IpPool, SystemTags};

/// A variable, k6's name and type of its option, and what puts it in place.
struct Variable {
    name: &'static str,
    field: &'static str,
    go_type: &'static str,
    set: fn(&mut OptionsLayer, &str) -> Result<(), String>,
}

/// Makes a [`Variable`] whose option is read by one of the functions below.
macro_rules! variable {
    ($name:literal, $field:literal, $go_type:literal, $($place:ident).+ = $read:path) => {
        Variable {
            name: $name,
            field: $field,
            go_type: $go_type,
            set: |settings, text| {
                settings.$($place).+ = $read(text)?;
                Ok(())
            },
        }
    };
}

/// In the order k6 reads them, which decides what it complains about first. k6 reads no
/// scenarios, hosts and execution segments from the environment.
const VARIABLES: [Variable; 39] = [
    variable!("K6_PAUSED", "Paused", "null.Bool", options.paused = truth),
    variable!("K6_VUS", "VUs", "null.Int", options.vus = int),
    variable!(
        "K6_DURATION",
        "Duration",
        "types.NullDuration",
        options.duration = length
    ),
    variable!(
        "K6_ITERATIONS",
        "Iterations",
        "null.Int",
        options.iterations = int
    ),
    variable!(
        "K6_STAGES",
        "Stages",
        "[]lib.Stage",
        options.stages = stages
    ),
    variable!(
        "K6_NO_SETUP",
        "NoSetup",
        "null.Bool",
        options.no_setup = truth
    ),
    variable!(
        "K6_SETUP_TIMEOUT",
        "SetupTimeout",
        "types.NullDuration",
        options.setup_timeout = length
    ),
    variable!(
        "K6_NO_TEARDOWN",
        "NoTeardown",
        "null.Bool",
        options.no_teardown = truth
    ),
    variable!(
        "K6_TEARDOWN_TIMEOUT",
        "TeardownTimeout",
        "types.NullDuration",
        options.teardown_timeout = length
    ),
    variable!(
        "K6_HANDLE_SUMMARY_TIMEOUT",
        "HandleSummaryTimeout",
        "types.NullDuration",
        options.handle_summary_timeout = length
    ),
    variable!("K6_RPS", "RPS", "null.Int", options.rps = int),
    variable!(
        "K6_DNS",
        "DNS",
        "types.DNSConfig",
        options.dns = DnsOptions::parse
    ),
    variable!(
        "K6_MAX_REDIRECTS",
        "MaxRedirects",
        "null.Int",
        options.max_redirects = int
    ),
    variable!(
        "K6_USER_AGENT",
        "UserAgent",
        "null.String",
        options.user_agent = filled
    ),
    variable!("K6_BATCH", "Batch", "null.Int", options.batch = int),
    variable!(
        "K6_BATCH_PER_HOST",
        "BatchPerHost",
        "null.Int",
        options.batch_per_host = int
    ),
    variable!(
        "K6_HTTP_DEBUG",
        "HTTPDebug",
        "null.String",
        options.http_debug = filled
    ),
    variable!(
        "K6_INSECURE_SKIP_TLS_VERIFY",
        "InsecureSkipTLSVerify",
        "null.Bool",
        options.insecure_skip_tls_verify = truth
    ),
    Variable {
        name: "K6_TLS_CIPHER_SUITES",
        field: "TLSCipherSuites",
        go_type: "*lib.TLSCipherSuites",
        set: refuse_cipher_suites,
    },
    variable!("K6_THROW", "Throw", "null.Bool", options.throw = truth),
    variable!(
        "K6_THRESHOLDS",
        "Thresholds",
        "map[string]metrics.Thresholds",
        options.thresholds = thresholds
    ),
    variable!(
        "K6_BLACKLIST_IPS",
        "BlacklistIPs",
        "[]*lib.IPNet",
        options.blacklist_ips = networks
    ),
    variable!(
        "K6_BLOCK_HOSTNAMES",
        "BlockedHostnames",
        "types.NullHostnameTrie",
        options.block_hostnames = blocked
    ),
    variable!(
        "K6_NO_CONNECTION_REUSE",
        "NoConnectionReuse",
        "null.Bool",
        options.no_connection_reuse = truth
    ),
    variable!(
        "K6_NO_VU_CONNECTION_REUSE",
        "NoVUConnectionReuse",
        "null.Bool",
        options.no_vu_connection_reuse = truth
    ),
    variable!(
        "K6_MIN_ITERATION_DURATION",
        "MinIterationDuration",
        "types.NullDuration",
        options.min_iteration_duration = length
    ),
    variable!(
        "K6_SUMMARY_TREND_STATS",
        "SummaryTrendStats",
        "[]string",
        options.summary_trend_stats = list
    ),
    variable!(
        "K6_SUMMARY_TIME_UNIT",
        "SummaryTimeUnit",
        "null.String",
        options.summary_time_unit = filled
    ),
    variable!(
        "K6_SYSTEM_TAGS",
        "SystemTags",
        "*metrics.SystemTagSet",
        options.system_tags = system_tags
    ),
    variable!(
        "K6_TAGS",
        "RunTags",
        "map[string]string",
        options.tags = tags
    ),
    variable!(
        "K6_METRIC_SAMPLES_BUFFER_SIZE",
        "MetricSamplesBufferSize",
        "null.Int",
        options.metric_samples_buffer_size = int
    ),
    variable!(
        "K6_NO_COOKIES_RESET",
        "NoCookiesReset",
        "null.Bool",
        options.no_cookies_reset = truth
    ),
    variable!(
        "K6_DISCARD_RESPONSE_BODIES",
        "DiscardResponseBodies",
        "null.Bool",
        options.discard_response_bodies = truth
    ),
    variable!(
        "K6_CONSOLE_OUTPUT",
        "ConsoleOutput",
        "null.String",
        options.console_output = filled
    ),
    variable!(
        "K6_LOCAL_IPS",
        "LocalIPs",
        "types.NullIPPool",
        options.local_ips = pool
    ),
    variable!("K6_OUT", "Out", "[]string", extras.out = list),
    variable!("K6_LINGER", "Linger", "null.Bool", extras.linger = truth),
    variable!(
        "K6_NO_USAGE_REPORT",
        "NoUsageReport",
        "null.Bool",
        extras.no_usage_report = truth
    ),
    variable!(
        "K6_WEB_DASHBOARD",
        "WebDashboard",
        "null.Bool",
        extras.web_dashboard = truth
    ),
];

impl OptionsLayer {
    /// Reads the `K6_*` variables among `environment`.
    ///
    /// # Errors
    /// [`OptionsError::Environment`] about the first variable that does not fit.
    pub fn read_environment(environment: &BTreeMap<String, String>) -> Result<Self, OptionsError> {
        let mut settings = Self::default();
        for variable in &VARIABLES {
            let Some(value) = environment.get(variable.name) else {
                continue;
            };
            (variable.set)(&mut settings, value).map_err(|text| OptionsError::Environment {
                variable: variable.name,
                field: variable.field,
                value: value.clone(),
                go_type: variable.go_type,
                text,
            })?;
        }
        if environment.contains_key("K6_TLSAUTH") {
            // k6 makes a certificate of nothing from it and fails when it uses that.
            let text = "tls: failed to find any PEM data in certificate input";
            return Err(OptionsError::Runtime(text.to_owned()));
        }
        Ok(settings)
    }
}

fn int(text: &str) -> Result<Option<i64>, String> {
    match text {
        "" | "null" => Ok(None),
        _ => parse_int(text).map(Some),
    }
}

fn truth(text: &str) -> Result<Option<bool>, String> {
    match text {
        "" | "null" => Ok(None),
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        _ => Err(format!("invalid input:{text}")),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "all readers have one form")]
fn filled(text: &str) -> Result<Option<String>, String> {
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn length(text: &str) -> Result<Option<SignedDuration>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    parse_extended_duration(text).map(Some)
}

/// The parts between commas; none of an empty text.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let filled = !text.trim().is_empty();
    text.split(',').filter(move |_| filled)
}

#[expect(clippy::unnecessary_wraps, reason = "all readers have one form")]
fn list(text: &str) -> Result<Option<Vec<String>>, String> {
    Ok(Some(parts(text).map(str::to_owned).collect()))
}

/// `1s:5,10s:0`, as flags write them too.
fn stages(text: &str) -> Result<Option<Vec<StageDraft>>, String> {
    parts(text).map(stage).collect::<Result<_, _>>().map(Some)
}

/// One stage, `10s:5`; either side may be missing.
pub(super) fn stage(text: &str) -> Result<StageDraft, String> {
    let (duration, target) = text.split_once(':').unwrap_or((text, ""));
    let written = |side: &str| !side.is_empty();
    Ok(StageDraft {
        duration: written(duration)
            .then(|| parse_duration(duration))
            .transpose()?,
        target: written(target).then(|| parse_int(target)).transpose()?,
    })
}

fn pairs(text: &str) -> impl Iterator<Item = Result<(String, String), String>> {
    parts(text).map(|part| {
        let (name, value) = part
            .split_once(':')
            .ok_or_else(|| format!("invalid map item: {}", quote(part)))?;
        Ok((name.to_owned(), value.to_owned()))
    })
}

fn tags(text: &str) -> Result<Option<BTreeMap<String, String>>, String> {
    pairs(text).collect::<Result<_, _>>().map(Some)
}

type Conditions = BTreeMap<String, Vec<super::values::ThresholdCondition>>;

/// k6 takes only the metrics' names from the environment, so that is all there is.
fn thresholds(text: &str) -> Result<Option<Conditions>, String> {
    let metrics = pairs(text).map(|pair| Ok((pair?.0, Vec::new())));
    metrics.collect::<Result<_, _>>().map(Some)
}

/// k6 takes numbers here and refuses the names it takes elsewhere.
fn refuse_cipher_suites(_: &mut OptionsLayer, text: &str) -> Result<(), String> {
    match parts(text).next() {
        None => Ok(()),
        Some(first) => Err(format!(
            "strconv.ParseUint: parsing {}: invalid syntax",
            quote(first)
        )),
    }
}

fn networks(text: &str) -> Result<Option<Vec<IpNet>>, String> {
    let networks = parts(text).map(|part| {
        IpNet::parse(part).map_err(|cause| format!("failed to parse CIDR '{part}': {cause}"))
    });
    networks.collect::<Result<_, _>>().map(Some)
}

fn blocked(text: &str) -> Result<Option<BlockedHostnames>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let names = text.split(',').map(str::to_owned).collect();
    BlockedHostnames::new(names).map(Some)
}

#[expect(clippy::unnecessary_wraps, reason = "all readers have one form")]
fn system_tags(text: &str) -> Result<Option<SystemTags>, String> {
    Ok(Some(SystemTags::of_names(text.split(',').map(str::trim))))
}

fn pool(text: &str) -> Result<Option<IpPool>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    IpPool::parse(text).map(Some)
}
