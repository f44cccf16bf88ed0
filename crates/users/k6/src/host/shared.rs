//! What all users of one script share.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use loadline_js::Program;
use loadline_metrics::Registry;
use loadline_testplan::Stripe;

use super::lock::lock;
use super::secrets::Secrets;
use super::setup_data::SetupData;
use super::sharing::Sharing;
use super::spacing::RequestSpacing;
use super::watch::Watcher;
use crate::log::{Entry, LogSink};
use crate::paths::FileRoot;
use loadline_k6_options::{HttpSettings, K6Version, Options, UserFunctions};

/// How long `handleSummary` may take unless options say otherwise.
pub const SUMMARY_TIMEOUT: Duration = Duration::from_secs(120);

/// The consolidated options that users need. Made once, after the script was read.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// Scenarios in plan order: name, tags, environment, function.
    pub scenarios: Vec<ScenarioSettings>,
    /// Tags of every sample.
    pub run_tags: Vec<(String, String)>,
    /// System tags that are on.
    pub system_tags: BTreeSet<String>,
    /// The least time from one iteration's start to the same user's next.
    pub min_iteration_duration: Duration,
    /// How long set-up and teardown may take.
    pub setup_timeout: Duration,
    /// How long teardown may take.
    pub teardown_timeout: Duration,
    /// How long `handleSummary` may take.
    pub handle_summary_timeout: Duration,
    /// Whose rules hold.
    pub version: K6Version,
    /// What users do before their first iteration and after their last: functions the
    /// script exports.
    pub users: UserFunctions,
    /// `--no-setup`
    pub no_setup: bool,
    /// `--no-teardown`
    pub no_teardown: bool,
    /// `--no-summary`: `handleSummary` does not run.
    pub no_summary: bool,
    /// `throw`: failed requests throw.
    pub throw: bool,
    /// Requests started at most each second, all users together.
    pub max_requests_per_second: Option<u64>,
    /// Which of all generators' users are this one's, when several share the test.
    pub stripe: Option<Stripe>,
    /// How requests are made.
    pub http: HttpSettings,
    /// All options as scripts see them in `exec.test.options`.
    pub options_json: serde_json::Value,
    /// Those that are set, by name: they are written into the script's own `options`.
    pub options_written: serde_json::Value,
    /// Is told of what users do.
    pub watch: Option<Watcher>,
}

impl Default for RunSettings {
    /// Of a script without any options.
    fn default() -> Self {
        Self {
            scenarios: Vec::new(),
            run_tags: Vec::new(),
            system_tags: BTreeSet::new(),
            min_iteration_duration: Duration::ZERO,
            setup_timeout: Duration::from_secs(60),
            teardown_timeout: Duration::from_secs(60),
            handle_summary_timeout: SUMMARY_TIMEOUT,
            version: K6Version::default(),
            users: UserFunctions::default(),
            no_setup: false,
            no_teardown: false,
            no_summary: false,
            throw: false,
            max_requests_per_second: None,
            stripe: None,
            http: HttpSettings::from_options(&Options::default()),
            options_json: serde_json::Value::Null,
            options_written: serde_json::Value::Object(serde_json::Map::new()),
            watch: None,
        }
    }
}

/// What a user needs to know of a scenario.
#[derive(Debug, Clone, Default)]
pub struct ScenarioSettings {
    /// Its name.
    pub name: String,
    /// Its executor, as scripts see it.
    pub executor: String,
    /// The exported function it calls.
    pub exec: String,
    /// Which of all generators' iterations are this one's.
    pub stripe: Option<Stripe>,
    /// Tags of its samples.
    pub tags: Vec<(String, String)>,
    /// Added to `__ENV`.
    pub env: Vec<(String, String)>,
}

/// A file or stream that `handleSummary` asks to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryFile {
    /// `stdout`, `stderr` or a path.
    pub to: String,
    /// What to write.
    pub bytes: Vec<u8>,
}

/// A script and what its users share.
pub(crate) struct TestShared {
    pub(crate) program: Arc<Program>,
    /// Directory that `open()` starts from.
    pub(crate) base_dir: std::path::PathBuf,
    /// Where files are.
    pub(crate) root: FileRoot,
    pub(crate) env: BTreeMap<String, String>,
    /// Whether scripts cannot change `__ENV`.
    pub(crate) freezes_env: bool,
    /// Whose rules hold.
    pub(crate) version: K6Version,
    pub(crate) registry: Arc<Registry>,
    pub(crate) log: Arc<dyn LogSink>,
    pub(crate) wall_clock: fn() -> SystemTime,
    /// Most bytes that each runtime may take.
    pub(crate) memory_limit: Option<usize>,
    /// Set once the options are known; absent while the script is read for the first time.
    pub(crate) run: OnceLock<RunSettings>,
    /// Whether users may share a runtime.
    pub(crate) sharing: Sharing,
    /// Files opened by the first run of the init code: only these may be opened later.
    pub(crate) files: Mutex<HashMap<std::path::PathBuf, Arc<[u8]>>>,
    /// Shared arrays by name: their elements as JSON.
    pub(crate) arrays: Mutex<HashMap<String, Arc<[Box<str>]>>>,
    /// Held while one of them is made, so that only one user makes it.
    pub(crate) making_array: Mutex<()>,
    pub(crate) setup_data: SetupData,
    /// Data for `handleSummary`, as JSON.
    pub(crate) summary_data: Mutex<Option<String>>,
    /// The same once `handleSummary` is over, as it left it.
    pub(crate) summary_left: Mutex<Option<serde_json::Value>>,
    /// What `handleSummary` returned.
    pub(crate) summary_written: Mutex<Option<Vec<SummaryFile>>>,
    /// Its time was over, or what it returned cannot be written.
    pub(crate) summary_refused: AtomicBool,
    /// Spaces requests out, where `rps` asks for it.
    pub(crate) spacing: OnceLock<RequestSpacing>,
    /// What modules keep for all users; see [`TestShared::of_module`].
    pub(crate) of_modules: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    /// Where secrets come from.
    pub(crate) secrets: Secrets,
    /// Functions the script exports.
    pub(crate) exports: OnceLock<BTreeSet<String>>,
}

impl TestShared {
    /// The state of type `T` that a module keeps for all users, made at its first use.
    pub(crate) fn of_module<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut all = lock(&self.of_modules);
        let state = all
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::new(T::default()));
        let state = Arc::clone(state).downcast();
        state.expect("states are kept by their type")
    }

    pub(crate) fn log(&self, entry: Entry) {
        self.log.log(self.secrets.redacted(entry));
    }

    /// The time of day, since 1970.
    pub(crate) fn since_epoch(&self) -> Duration {
        let now = (self.wall_clock)();
        now.duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    pub(crate) fn has_export(&self, name: &str) -> bool {
        self.exports.get().is_some_and(|names| names.contains(name))
    }

    /// The settings of a run under way; defaults while the script is first read.
    pub(crate) fn settings(&self) -> &RunSettings {
        static FIRST_READ: OnceLock<RunSettings> = OnceLock::new();
        self.run
            .get()
            .unwrap_or_else(|| FIRST_READ.get_or_init(RunSettings::default))
    }
}
