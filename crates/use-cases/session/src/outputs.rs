//! Where a run's samples go besides its summary: outputs put together with the run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_metrics::{Registry, Submetrics};
use loadline_net::{Identity, NetworkSettings, Proxies, Roots, Tls, TlsOptions, Url};
use loadline_outputs::{
    FileMetadata, OutputConfig, OutputSetup, Outputs, ReceiverOptions, StartError, SubmetricInfo,
};
use loadline_reactor::MonotonicClock;
use loadline_record::Redactor;
use loadline_testplan::Plan;
use loadline_units::Clock;

use crate::network;

/// Most bytes that wait for one output unless something else is asked for: 2 GiB.
pub const SPOOL_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// How long the end of a run waits for receivers.
pub(crate) const FLUSH_TIMEOUT: Duration = Duration::from_secs(30);

/// Single samples of all workers that may be under way in memory: 96 MiB of them.
pub(crate) const TAPPED_SAMPLES_MAX: usize = 4 * 1024 * 1024;

/// The outputs a run is to have.
#[derive(Debug, Clone)]
pub struct OutputsRequest {
    /// The outputs.
    pub configs: Vec<OutputConfig>,
    /// Masks secrets in what is sent.
    pub redactor: Redactor,
    /// System tags that samples have, by name; `None` stands for k6's usual ones.
    pub system_tags: Option<Vec<String>>,
    /// Most bytes that wait for one output.
    pub spool_max: u64,
    /// Where what waits is kept.
    pub spool_dir: PathBuf,
    /// Where relative paths start.
    pub working_dir: PathBuf,
    /// The environment, for proxies.
    pub environment: BTreeMap<String, String>,
    /// Opens standard output.
    pub stdout: fn() -> Box<dyn Write + Send>,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
}

/// System tags samples have unless options say otherwise (k6's).
const SYSTEM_TAGS: [&str; 14] = [
    "check",
    "error",
    "error_code",
    "expected_response",
    "group",
    "method",
    "name",
    "proto",
    "scenario",
    "service",
    "status",
    "subproto",
    "tls_version",
    "url",
];

/// Starts what is asked for.
pub(crate) fn start(
    request: &OutputsRequest,
    plan: &Plan,
    registry: &Arc<Registry>,
    submetrics: &Submetrics,
    clock: MonotonicClock,
) -> Result<Outputs, StartError> {
    let now = (request.wall_clock)().duration_since(UNIX_EPOCH);
    let now = i64::try_from(now.unwrap_or_default().as_nanos()).unwrap_or(i64::MAX);
    let passed = i64::try_from(clock.now().as_nanos()).unwrap_or_default();
    Outputs::start(&OutputSetup {
        configs: &request.configs,
        redactor: request.redactor.clone(),
        facts: &facts(request, plan, registry, submetrics),
        spool_max: request.spool_max,
        spool_dir: request.spool_dir.clone(),
        working_dir: request.working_dir.clone(),
        stdout: request.stdout,
        network: &|url, wish| settings(url, wish, request),
        origin: now - passed,
        registry: registry.clone(),
    })
}

fn facts(
    request: &OutputsRequest,
    plan: &Plan,
    registry: &Registry,
    submetrics: &Submetrics,
) -> FileMetadata {
    let masked = |text: &str| request.redactor.text(text);
    let thresholds = plan.thresholds.iter().map(|source| {
        let conditions = source.conditions.iter();
        let texts = conditions.map(|condition| condition.text.clone());
        (masked(&source.metric), texts.collect())
    });
    let mut by_metric: BTreeMap<String, Vec<SubmetricInfo>> = BTreeMap::new();
    for (_, submetric) in submetrics.iter() {
        let metric = registry.get(submetric.metric).name.to_string();
        let suffix = submetric.name.split_once('{').map_or("", |(_, rest)| rest);
        let suffix = masked(suffix.trim_end_matches('}'));
        let tags = submetric.tags.iter();
        let tags = tags.map(|(key, value)| (key.clone(), masked(value)));
        by_metric.entry(metric).or_default().push(SubmetricInfo {
            name: masked(&submetric.name),
            suffix,
            tags: tags.collect(),
        });
    }
    let usual = || SYSTEM_TAGS.map(str::to_owned).to_vec();
    FileMetadata {
        thresholds: thresholds.collect(),
        submetrics: by_metric.into_iter().collect(),
        system_tags: request.system_tags.clone().unwrap_or_else(usual),
    }
}

/// How a receiver is reached.
fn settings(
    url: &Url,
    wish: &ReceiverOptions,
    request: &OutputsRequest,
) -> Result<NetworkSettings, String> {
    let read = |path: &str| {
        let text = std::fs::read(request.working_dir.join(path));
        text.map_err(|error| format!("{path}: {error}"))
    };
    let mut settings = network::plain_to(url, &request.environment, wish.skip_verification)
        .map_err(|error| error.to_string())?;
    if let Some(proxy) = &wish.proxy {
        let proxies = Proxies::from_variables(proxy, proxy, "");
        settings.proxies = proxies.map_err(|error| error.to_string())?;
    }
    if wish.roots.is_some() || wish.identity.is_some() {
        let roots = match &wish.roots {
            Some(path) => Roots::from_pem(&read(path)?).map_err(|error| error.to_string())?,
            None => Roots::system().0,
        };
        let mut options = TlsOptions {
            skip_verification: wish.skip_verification,
            ..TlsOptions::default()
        };
        if let Some((certificate, key)) = &wish.identity {
            let (certificate, key) = (read(certificate)?, read(key)?);
            let identity = Identity::from_pem(&certificate, &key, vec![url.host_name().to_owned()]);
            options
                .identities
                .push(identity.map_err(|error| error.to_string())?);
        }
        let tls = Tls::new(&options, &roots).map_err(|error| error.to_string())?;
        settings.tls = Some(tls);
    }
    Ok(settings)
}
