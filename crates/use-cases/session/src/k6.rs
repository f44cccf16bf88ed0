//! Builds a test from a k6 script: flags, environment, files and init code.

mod functions;
mod summary;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::SystemTime;

use loadline_k6::log::{Entry, LogLevel, LogSink};
use loadline_k6::{
    K6Factory, LoadError, LoadedScript, ModuleNote, RemoteModule, RemoteModules, RunSettings,
    SUMMARY_TIMEOUT, ScenarioSettings, ScriptLocation, ScriptMistake, ScriptSettings,
    UserFunctions, Watcher,
};
use loadline_k6_options::flags::{ParsedArguments, Runtime};
use loadline_k6_options::{
    HttpSettings, K6Feature, K6Features, K6Version, Layers, Options, OptionsError, OptionsLayer,
    ScriptOptions, ThresholdMistakes, Warning, compile_thresholds, user_functions,
};
use loadline_metrics::threshold::{ThresholdError, Thresholds};
use loadline_metrics::{Registry, Submetrics};
use loadline_report::k6 as report;
use loadline_testplan::Plan;
use sha2::{Digest, Sha256};

use crate::limits::script_memory;
use crate::network::{self, NetworkError};
use crate::test::Test;
use summary::{HandleSummaryData, summary_options};

/// The longest time of an iteration in a run of one iteration (`--once`).
const ONCE_AT_MOST: Duration = Duration::from_secs(600);

/// The inputs of a k6 run, read by the caller.
pub struct K6Request {
    /// The arguments of `run`.
    pub parsed: ParsedArguments,
    /// The run's own settings, resolved from flags and environment.
    pub runtime: Runtime,
    /// The process's environment.
    pub environment: BTreeMap<String, String>,
    /// Name and text of the configuration file, if there is one.
    pub config_file: Option<(String, String)>,
    /// The script: a path, or `-` with its text in `stdin`.
    pub script: String,
    /// The options of its archive, which replace its own.
    pub archived_options: Option<serde_json::Value>,
    /// The text of standard input, for `-`.
    pub stdin: Option<String>,
    /// Where relative paths start.
    pub working_dir: PathBuf,
    /// Where the script and the run log.
    pub log: Arc<dyn LogSink>,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// Whether standard output and standard error are terminals.
    pub tty: report::Tty,
    /// Run one iteration of each scenario, watched, without judging it.
    pub once: Option<Watcher>,
    /// Where no scenarios are planned, make one of each exported function.
    pub each_function: bool,
    /// Give each user a runtime of its own even where users could share one.
    pub isolate: bool,
    /// How modules of the web are got.
    pub modules: RemoteModules,
}

/// A k6 script that is ready to run.
pub struct K6Test {
    /// The test.
    pub test: Test,
    /// Its factory, which keeps what set-up and summary return.
    pub factory: Arc<K6Factory>,
    /// Its options, consolidated.
    pub options: Options,
    /// Its options before shortcuts became scenarios, as archives store them.
    pub written_options: Options,
    /// The script's own options.
    pub script_options: Options,
    /// The process stays alive when the test is over (`--linger`).
    pub linger: bool,
    /// Files that init code opened, by path.
    pub opened: Vec<(PathBuf, Vec<u8>)>,
    /// Its modules: URL and text, the script itself first.
    pub modules: Vec<(String, String)>,
    /// Those that come from the web.
    pub remote_modules: Vec<RemoteModule>,
    /// What the user must know about those.
    pub module_notes: Vec<ModuleNote>,
    /// Names that mean nothing.
    pub hints: Vec<ScriptMistake>,
    /// Its outputs, as written.
    pub out: Vec<String>,
    /// Whether k6's web dashboard is asked for.
    pub web_dashboard: bool,
    /// The features that are on.
    pub features: K6Features,
    /// How its summary is shown.
    pub summary: report::SummaryOptions,
    /// Its files, for the record.
    pub source: TestSource,
    /// The values of its secret sources, which must be masked in everything stored.
    pub secrets: Vec<String>,
    /// It plans no scenarios: each of its functions is one, as was asked for.
    pub is_each_function: bool,
}

/// A script's files, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSource {
    /// The text of the script itself.
    pub text: String,
    /// SHA-256 over all its files, the same wherever they lie.
    pub hash: String,
}

impl TestSource {
    /// Of a script's files, the script itself first.
    fn new(files: &[(String, String)]) -> Self {
        let hex = |text: &[u8]| -> String {
            let digest = Sha256::digest(text);
            digest.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        let mut others: Vec<String> = files
            .iter()
            .skip(1)
            .map(|(_, text)| hex(text.as_bytes()))
            .collect();
        others.sort();
        let text = files.first().map(|(_, text)| text.clone());
        let text = text.unwrap_or_default();
        let all = format!("{}\n{}", hex(text.as_bytes()), others.join("\n"));
        Self {
            text,
            hash: hex(all.as_bytes()),
        }
    }
}

/// Why a k6 script cannot run. The texts are k6's and never translated.
#[derive(Debug, thiserror::Error)]
pub enum K6Error {
    /// The options are wrong.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The script's own options are wrong.
    #[error("could not initialize '{script}': could not load JS test '{url}': {source}")]
    ScriptOptions {
        /// The script as named.
        script: String,
        /// Its URL.
        url: String,
        /// What is wrong.
        source: Box<OptionsError>,
        /// All its names that mean nothing.
        hints: Vec<ScriptMistake>,
    },
    /// The script cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The script loads but cannot be a test.
    #[error("could not initialize '{script}': could not load JS test '{url}': {source}")]
    NoTest {
        /// The script as named.
        script: String,
        /// Its URL.
        url: String,
        /// What is wrong.
        source: LoadError,
    },
    /// Thresholds are wrong.
    #[error("{source}")]
    Thresholds {
        /// What is wrong, in k6's words.
        source: ThresholdMistakes,
        /// Where each mistake stands in the script; `None` for what stands elsewhere.
        places: Vec<Option<ScriptLocation>>,
    },
    /// The network settings cannot be used.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl K6Error {
    /// Thresholds of a script, each with its place: that of its condition, else that of its
    /// metric.
    fn of_thresholds(source: ThresholdMistakes, loaded: &LoadedScript) -> Self {
        let places = source.0.iter().map(|mistake| {
            let (metric, condition) = match mistake {
                ThresholdError::Expression { metric, text, .. }
                | ThresholdError::Unsupported { metric, text, .. } => (metric, Some(text)),
                ThresholdError::Metric { metric, .. } => (metric, None),
            };
            let of_condition = condition.and_then(|text| loaded.place_of_text(text));
            of_condition.or_else(|| loaded.place_of_text(metric))
        });
        Self::Thresholds {
            places: places.collect(),
            source,
        }
    }
}

/// Loads the script and consolidates its options, in k6's order.
///
/// # Errors
/// [`K6Error`]; nothing was sent.
pub fn prepare(mut request: K6Request) -> Result<K6Test, K6Error> {
    let registry = Arc::new(Registry::new());
    let url = script_url(&request);
    let secrets = loadline_k6::Secrets::read(&request.runtime.secret_source, &request.working_dir)
        .map_err(OptionsError::Runtime)?;
    let secret_values = secrets.values();
    let config_file = config_layer(&request)?;
    let features = features(&mut request, &config_file);
    let settings = script_settings(&request, &features, registry.clone());
    let loaded = loadline_k6::load_with(settings, secrets)
        .map_err(|source| not_a_test(&request.script, &url, source))?;
    let written = request.archived_options.as_ref().unwrap_or(&loaded.options);
    let each = (request.each_function)
        .then(|| functions::each_a_scenario(written, loaded.exports()))
        .flatten();
    let is_each_function = each.is_some();
    request.archived_options = each.or(request.archived_options);
    let mut layers = layers(&request, config_file, &loaded, &url)?;
    layers.merge_tags = features.has(K6Feature::MergeRunTags);
    if layers.script.names_features {
        let text = "Feature flags in script options are not supported; use --features, K6_FEATURES, or the JSON config";
        let entry = Entry::new(LogLevel::Warning, text).with("source", "options");
        request.log.log(entry);
    }
    let script_options = layers.script.options.clone();
    let mut consolidated = layers.consolidate()?;
    let (thresholds, submetrics) = judged(&consolidated.options, &request, &registry)
        .map_err(|source| K6Error::of_thresholds(source, &loaded))?;
    let written_options = consolidated.options.clone();
    if request.runtime.version >= K6Version::V2 {
        let tags = consolidated.options.tags.take();
        consolidated.options.tags = features.tagged(tags);
    }
    let derived = consolidated.derive(|name| loaded.exports().contains(name))?;
    for warning in request.runtime.warnings.iter().chain(&derived.warnings) {
        request.log.log(warning_entry(warning));
    }
    let summary = summary_options(&derived.options, &request);
    let users = user_functions(&loaded.options, |name| loaded.exports().contains(name))?;
    let mut settings = run_settings(&derived.options, &derived.plan, &request);
    settings.users = users;
    let net = network::of_script(&settings.http, &request.environment)?;
    let modules = loaded.sources();
    let source = TestSource::new(&modules);
    let opened = loaded.opened();
    let (remote_modules, module_notes) = (loaded.remote_modules(), loaded.module_notes());
    let hints = loaded.hints(request.runtime.version);
    let factory = Arc::new(loaded.into_factory(settings, net));
    let plan = match request.once {
        None => derived.plan,
        Some(_) => derived.plan.once(ONCE_AT_MOST),
    };
    let mut test = Test::compiled(plan, factory.clone(), registry, thresholds, submetrics);
    if request.once.is_some() {
        test = test.without_thresholds();
    }
    let data = HandleSummaryData::new(&request, &source, factory.clone(), summary.clone());
    test.summarizer = Some(Arc::new(data));
    let out = derived.extras.out.unwrap_or_default();
    Ok(K6Test {
        test,
        factory,
        options: derived.options,
        written_options,
        script_options,
        linger: derived.extras.linger == Some(true),
        opened,
        modules,
        remote_modules,
        module_notes,
        hints,
        web_dashboard: derived.extras.web_dashboard == Some(true)
            || out.iter().any(|out| is_dashboard(out)),
        out: out.into_iter().filter(|out| !is_dashboard(out)).collect(),
        features,
        summary,
        source,
        secrets: secret_values,
        is_each_function,
    })
}

fn script_settings(
    request: &K6Request,
    features: &K6Features,
    registry: Arc<Registry>,
) -> ScriptSettings {
    ScriptSettings {
        script: request.script.clone(),
        working_dir: request.working_dir.clone(),
        stdin: request.stdin.clone(),
        env: request.runtime.script_env.clone(),
        freezes_env: features.has(K6Feature::FreezeEnv),
        version: request.runtime.version,
        log: request.log.clone(),
        registry,
        isolate: request.isolate,
        wall_clock: request.wall_clock,
        modules: request.modules.clone(),
        memory_limit: script_memory(),
    }
}

/// The thresholds, and the sub-metrics of the summary.
fn judged(
    options: &Options,
    request: &K6Request,
    registry: &Registry,
) -> Result<(Thresholds, Submetrics), ThresholdMistakes> {
    let mut submetrics = Submetrics::default();
    if options
        .effective_system_tags()
        .has(loadline_k6_options::values::SystemTag::ExpectedResponse)
    {
        // Always shown; the metric is built in.
        let _ = submetrics.add("http_req_duration{expected_response:true}", registry);
    }
    let thresholds = compile_thresholds(
        &options.threshold_sources(),
        request.runtime.thresholds,
        registry,
        &mut submetrics,
    )?;
    Ok((thresholds, submetrics))
}

/// Whether an output is k6's live page of a run.
fn is_dashboard(out: &str) -> bool {
    out.split('=').next() == Some("web-dashboard")
}

fn config_layer(request: &K6Request) -> Result<OptionsLayer, OptionsError> {
    match &request.config_file {
        Some((path, text)) => OptionsLayer::read_config_file(path, text, request.runtime.version),
        None => Ok(OptionsLayer::default()),
    }
}

/// The features that are on; says which, and puts their names into the script's environment.
fn features(request: &mut K6Request, config_file: &OptionsLayer) -> K6Features {
    if request.runtime.version < K6Version::V2 {
        return K6Features::default();
    }
    let mut environment = request.environment.clone();
    environment.extend(request.runtime.script_env.clone());
    let features = K6Features::resolve(
        request.parsed.run.features.as_deref(),
        &environment,
        config_file.options.features.as_deref(),
    );
    for entry in &features.entries {
        request.log.log(entry.clone());
    }
    features.write_to(&mut request.runtime.script_env);
    features
}

/// The options of all sources, lowest first.
fn layers(
    request: &K6Request,
    config_file: OptionsLayer,
    loaded: &LoadedScript,
    url: &str,
) -> Result<Layers, K6Error> {
    let exported = request.archived_options.as_ref().unwrap_or(&loaded.options);
    let version = request.runtime.version;
    let script = ScriptOptions::read(exported, version).map_err(|source| match source {
        OptionsError::Script { .. } => K6Error::ScriptOptions {
            script: request.script.clone(),
            url: url.to_owned(),
            source: Box::new(source),
            hints: loaded.hints(version),
        },
        other => K6Error::Options(other),
    })?;
    Ok(Layers {
        config_file,
        script,
        environment: OptionsLayer::read_environment(&request.environment)?,
        flags: request.parsed.settings.clone(),
        merge_tags: false,
        version,
    })
}

fn script_url(request: &K6Request) -> String {
    if request.script.contains("://") {
        return request.script.clone();
    }
    format!(
        "file://{}",
        request.working_dir.join(&request.script).display()
    )
}

/// k6 puts the script's name before what is wrong with the script as a whole.
fn not_a_test(script: &str, url: &str, source: LoadError) -> K6Error {
    match source {
        LoadError::NoExports
        | LoadError::NoFunction { .. }
        | LoadError::Aborted(_)
        | LoadError::Options(_)
        | LoadError::Program(_)
        | LoadError::Rejected(_) => K6Error::NoTest {
            script: script.to_owned(),
            url: url.to_owned(),
            source,
        },
        other => K6Error::Load(other),
    }
}

fn warning_entry(warning: &Warning) -> Entry {
    let entry = Entry::new(LogLevel::Warning, warning.message());
    match warning.error() {
        Some(error) => entry.with("error", error),
        None => entry,
    }
}

fn run_settings(options: &Options, plan: &Plan, request: &K6Request) -> RunSettings {
    let scenarios = plan.scenarios.iter().map(|scenario| ScenarioSettings {
        name: scenario.name.clone(),
        executor: scenario.executor.name().to_owned(),
        exec: scenario.exec.clone(),
        stripe: scenario.stripe.clone(),
        tags: scenario.tags.clone(),
        env: scenario.env.clone(),
    });
    let http = HttpSettings::from_options(options);
    RunSettings {
        scenarios: scenarios.collect(),
        users: UserFunctions::default(),
        run_tags: plan.tags.clone(),
        system_tags: options
            .effective_system_tags()
            .names()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        min_iteration_duration: plan.min_iteration_duration,
        setup_timeout: plan.setup_timeout,
        teardown_timeout: plan.teardown_timeout,
        handle_summary_timeout: options
            .handle_summary_timeout
            .map_or(SUMMARY_TIMEOUT, |time| {
                Duration::from_nanos(u64::try_from(time.0).unwrap_or_default())
            }),
        version: options.version,
        no_setup: options.no_setup.unwrap_or(false),
        no_teardown: options.no_teardown.unwrap_or(false),
        no_summary: request.runtime.summary_mode
            == loadline_k6_options::flags::SummaryMode::Disabled
            || request.once.is_some(),
        throw: http.throw,
        max_requests_per_second: plan.max_requests_per_second,
        stripe: plan.stripe.clone(),
        options_json: options.to_test_options(),
        options_written: serde_json::Value::Object(options.to_write_back()),
        watch: request.once.clone(),
        http,
    }
}
