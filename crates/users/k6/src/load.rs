//! Reads a script: its files, and its init code, which runs once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

use loadline_js::{Ctx, Program, SourceFile, VmOptions};
use loadline_metrics::Registry;
use loadline_units::VuId;

use crate::error::LoadError;
use crate::go_json;
use crate::host::{
    IsolationReason, RequestSpacing, RunSettings, Secrets, SetupData, Sharing, TestShared, lock,
};
use crate::log::{Entry, LogLevel, LogSink};
use crate::mistake::ScriptMistake;
use crate::modules;
use crate::paths::{FileRoot, path_of, url_of};
use crate::sources::remote::{ModuleNote, RemoteModule};
use crate::sources::{FileLoader, RemoteLoader, RemoteModules, locate_file};
use crate::users::{K6Factory, UserVm, run_init};
use loadline_k6_options::{K6Version, unknown_executors, unknown_options};

/// Settings for reading a script.
pub struct ScriptSettings {
    /// The script: a path, or `-` with its text in `stdin`.
    pub script: String,
    /// Where relative paths start.
    pub working_dir: PathBuf,
    /// The text of standard input, for `-`.
    pub stdin: Option<String>,
    /// What scripts see as `__ENV`.
    pub env: BTreeMap<String, String>,
    /// Whether scripts cannot change it.
    pub freezes_env: bool,
    /// Whose rules hold.
    pub version: K6Version,
    /// Where scripts log.
    pub log: Arc<dyn LogSink>,
    /// The run's metrics; the script's own are added.
    pub registry: Arc<Registry>,
    /// Whether each user has its own runtime.
    pub isolate: bool,
    /// The time of day.
    pub wall_clock: fn() -> SystemTime,
    /// How modules of the web are got.
    pub modules: RemoteModules,
    /// Most bytes that each JavaScript runtime may take; `None` for no limit.
    pub memory_limit: Option<usize>,
}

/// A script that was read.
pub struct LoadedScript {
    shared: Arc<TestShared>,
    files: Arc<FileLoader>,
    hints: Vec<ScriptMistake>,
    /// Its exported `options`, as JSON; `null` when it has none.
    pub options: serde_json::Value,
}

/// Reads the script and runs its init code once.
///
/// # Errors
/// [`LoadError`]; nothing was sent.
pub fn load(settings: ScriptSettings) -> Result<LoadedScript, LoadError> {
    load_with(settings, Secrets::default())
}

/// Source maps that a script names and that cannot be read, in k6's words.
fn log_map_faults(program: &Program, log: &dyn LogSink) {
    for fault in program.map_faults() {
        let text = format!("Couldn't load source map for {}", fault.file);
        log.log(Entry::new(LogLevel::Warning, text).with("error", fault.reason.clone()));
    }
}

/// The files of the script at `entry`; `source` is its text, or `None` for one of the web.
fn files_of(
    entry: &str,
    source: Option<SourceFile>,
    base_dir: &Path,
    modules: RemoteModules,
) -> Result<FileLoader, LoadError> {
    // A script of the web has the folder that it is run in, and no file there.
    let typed = if source.is_none() {
        base_dir.join("-")
    } else {
        path_of(entry)
    };
    let modules = modules.for_typed_file(&typed);
    let (root, trust) = (
        FileRoot::new(modules.archive.as_deref()),
        modules.trust.clone(),
    );
    let remote = RemoteLoader::new(modules, base_dir.to_owned());
    let source = match source {
        Some(source) => source,
        None => remote
            .load(entry)
            .map_err(|text| LoadError::File { text })?,
    };
    Ok(FileLoader {
        entry: Some((entry.to_owned(), source)),
        remote,
        root,
        trust,
    })
}

/// Like [`load`], with sources of secrets.
///
/// # Errors
/// [`LoadError`]; nothing was sent.
pub fn load_with(settings: ScriptSettings, secrets: Secrets) -> Result<LoadedScript, LoadError> {
    let (entry, source, base_dir) = locate(&settings)?;
    let files = Arc::new(files_of(&entry, source, &base_dir, settings.modules)?);
    let root = files.root.clone();
    let program =
        Program::build(&entry, files.clone(), modules::builtins()).map_err(LoadError::Program)?;
    log_map_faults(&program, &*settings.log);
    let shared = Arc::new(TestShared {
        program: Arc::new(program),
        base_dir,
        root,
        env: settings.env,
        freezes_env: settings.freezes_env,
        version: settings.version,
        registry: settings.registry,
        wall_clock: settings.wall_clock,
        memory_limit: settings.memory_limit,
        log: settings.log,
        run: OnceLock::new(),
        sharing: Sharing::default(),
        files: Mutex::new(HashMap::new()),
        arrays: Mutex::new(HashMap::new()),
        making_array: Mutex::new(()),
        setup_data: SetupData::default(),
        summary_data: Mutex::new(None),
        summary_left: Mutex::new(None),
        summary_written: Mutex::new(None),
        summary_refused: AtomicBool::new(false),
        spacing: OnceLock::new(),
        of_modules: Mutex::default(),
        secrets,
        exports: OnceLock::new(),
    });
    let options = VmOptions {
        memory_limit: shared.memory_limit,
        ..VmOptions::default()
    };
    let user = UserVm::alone(&shared, VuId::LIFECYCLE, &options)?;
    // Its writes are watched as if it shared the realm with others.
    user.vm.ctx().share();
    let exports = run_init(&user)?;
    if settings.isolate {
        shared.sharing.end(IsolationReason::Requested);
    } else if let Some(place) = user.vm.shared_write() {
        shared.sharing.end(IsolationReason::InitCode { place });
    } else if let Some(place) = shared.program.changes_built_ins() {
        shared.sharing.end(IsolationReason::Source { place });
    }
    let names = exported_functions(&exports).map_err(|e| LoadError::Init(e.message()))?;
    for stage in ["setup", "teardown"] {
        let exported = exports.get(stage);
        if exported.is_ok_and(|value| !value.is_nullish() && !value.is_function()) {
            return Err(LoadError::NoFunction { name: stage });
        }
    }
    if names.is_empty() {
        return Err(LoadError::NoExports);
    }
    let options = options_of(&exports)?;
    let hints = missing_imports(&shared, user.vm.ctx())?;
    // Set only here, once.
    let _ = shared.exports.set(names);
    Ok(LoadedScript {
        shared,
        files,
        hints,
        options,
    })
}

impl LoadedScript {
    /// Functions the script exports.
    #[must_use]
    pub fn exports(&self) -> &BTreeSet<String> {
        static NONE: BTreeSet<String> = BTreeSet::new();
        self.shared.exports.get().unwrap_or(&NONE)
    }

    /// URL and original text of every file of the script, the script itself first.
    #[must_use]
    pub fn sources(&self) -> Vec<(String, String)> {
        let program = &self.shared.program;
        let mut sources: Vec<(String, String)> = program
            .sources()
            .map(|(url, _, text)| (url.to_owned(), text.to_owned()))
            .collect();
        sources.sort_by_key(|(url, _)| (url != program.entry(), url.clone()));
        sources
    }

    /// The modules of the web among them.
    #[must_use]
    pub fn remote_modules(&self) -> Vec<RemoteModule> {
        self.files.remote.modules()
    }

    /// Where a text stands in quotes in its files, the first place of several, or as a key.
    #[must_use]
    pub fn place_of_text(&self, wanted: &str) -> Option<ScriptLocation> {
        self.sources().into_iter().find_map(|(url, source)| {
            let as_key = || {
                let (line, column) = place_of(wanted, &source)?;
                Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
            };
            let (line, column) = place_in_quotes(wanted, &source).or_else(as_key)?;
            Some(ScriptLocation { url, line, column })
        })
    }

    /// Names it uses that mean nothing, those of its options included, in the order of
    /// files and lines.
    #[must_use]
    pub fn hints(&self, version: K6Version) -> Vec<ScriptMistake> {
        let mut hints = self.hints.clone();
        let text = self.sources().into_iter().next();
        let (url, text) = text.unwrap_or_default();
        let place = |name: &str| {
            place_of(name, &text).map_or_else(String::new, |(line, column)| {
                format!("{url}:{line}:{column}")
            })
        };
        for (name, nearest) in unknown_options(&self.options, version) {
            hints.push(ScriptMistake {
                place: place(&name),
                module: None,
                is_executor: false,
                name,
                nearest: nearest.map(str::to_owned),
            });
        }
        for (name, nearest) in unknown_executors(&self.options["scenarios"], version) {
            hints.push(ScriptMistake {
                place: place(&name),
                module: None,
                is_executor: true,
                name,
                nearest: nearest.map(str::to_owned),
            });
        }
        hints
    }

    /// What the user must know about those.
    #[must_use]
    pub fn module_notes(&self) -> Vec<ModuleNote> {
        self.files.remote.notes()
    }

    /// Files that its init code opened, by path, in the order of their paths.
    #[must_use]
    pub fn opened(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = lock(&self.shared.files);
        let mut opened: Vec<(PathBuf, Vec<u8>)> = files
            .iter()
            .map(|(path, bytes)| (path.clone(), bytes.to_vec()))
            .collect();
        opened.sort();
        opened
    }

    /// Why its users have runtimes of their own; `None` when they may share one.
    #[must_use]
    pub fn apart(&self) -> Option<&IsolationReason> {
        self.shared.sharing.apart()
    }

    /// The factory of its users, for a run with these settings.
    #[must_use]
    pub fn into_factory(
        self,
        settings: RunSettings,
        net: loadline_net::NetworkSettings,
    ) -> K6Factory {
        if let Some(most) = settings.max_requests_per_second {
            // Set only here, once, as are the settings.
            let _ = self.shared.spacing.set(RequestSpacing::new(most));
        }
        let _ = self.shared.run.set(settings);
        K6Factory::new(self.shared, net)
    }
}

/// Names imported from modules of k6 that do not have them.
fn missing_imports(shared: &TestShared, ctx: &Ctx) -> Result<Vec<ScriptMistake>, LoadError> {
    // Making an experimental module can log.
    let looks_at = |module: &str| !module.starts_with("k6/experimental/");
    let missing = shared.program.missing_imports(ctx, looks_at);
    let missing = missing.map_err(|error| LoadError::Init(error.message()))?;
    Ok(missing
        .into_iter()
        .map(ScriptMistake::from_import)
        .collect())
}

/// A place in a file of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptLocation {
    /// The file's URL.
    pub url: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// Line and column of a text in quotes.
fn place_in_quotes(wanted: &str, source: &str) -> Option<(u32, u32)> {
    for (line, content) in source.lines().enumerate() {
        for (column, _) in content.match_indices(wanted) {
            let before = content[..column].chars().next_back();
            let after = content[column + wanted.len()..].chars().next();
            let is_quote = |c: char| matches!(c, '\'' | '"' | '`');
            if before == after && before.is_some_and(is_quote) {
                let column = content[..column].chars().count() + 1;
                return Some((u32::try_from(line + 1).ok()?, u32::try_from(column).ok()?));
            }
        }
    }
    None
}

/// Line and column of a key, where the text has it once.
fn place_of(key: &str, text: &str) -> Option<(usize, usize)> {
    let mut found = None;
    for (line, content) in text.lines().enumerate() {
        for (column, _) in content.match_indices(key) {
            let before = content[..column].chars().next_back();
            let after = content[column + key.len()..].trim_start_matches(['\'', '"']);
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
            if before.is_some_and(is_word) || !after.trim_start().starts_with([':', ',', '}']) {
                continue;
            }
            if found.is_some() {
                return None;
            }
            found = Some((line + 1, content[..column].chars().count() + 1));
        }
    }
    found
}

/// The script's URL, text (`None` on the web) and the directory `open()` starts from.
fn locate(settings: &ScriptSettings) -> Result<(String, Option<SourceFile>, PathBuf), LoadError> {
    if settings.script.starts_with("https://") {
        return Ok((settings.script.clone(), None, settings.working_dir.clone()));
    }
    if let Some(scheme) = other_scheme(&settings.script) {
        let script = &settings.script;
        return Err(LoadError::File {
            text: format!(
                "only supported schemes for imports are file and https, {script} has `{scheme}`"
            ),
        });
    }
    if settings.script == "-" {
        let text = settings.stdin.clone().unwrap_or_default();
        let path = settings.working_dir.join("-");
        let source = SourceFile {
            text,
            typescript: false,
        };
        return Ok((url_of(&path), Some(source), settings.working_dir.clone()));
    }
    let located = locate_file(&settings.script, &settings.working_dir)?;
    Ok((located.entry, Some(located.source), located.folder))
}

/// The scheme of what is written as a URL and is no file.
fn other_scheme(script: &str) -> Option<&str> {
    let (scheme, _) = script.split_once("://")?;
    let is_word = !scheme.is_empty() && scheme.chars().all(char::is_alphanumeric);
    (is_word && scheme != "file").then_some(scheme)
}

fn exported_functions(
    exports: &loadline_js::Value,
) -> Result<BTreeSet<String>, loadline_js::Exception> {
    let mut names = BTreeSet::new();
    for key in exports.keys()? {
        if exports.get(&key)?.is_function() {
            names.insert(key.to_text());
        }
    }
    Ok(names)
}

fn options_of(exports: &loadline_js::Value) -> Result<serde_json::Value, LoadError> {
    let failed = |e: loadline_js::Exception| LoadError::Options(e.message());
    let options = exports.get("options").map_err(failed)?;
    if options.is_nullish() {
        return Ok(serde_json::Value::Null);
    }
    go_json::json_of(&options)
        .map_err(|reason| LoadError::Options(format!("error parsing script options: {reason}")))
}
