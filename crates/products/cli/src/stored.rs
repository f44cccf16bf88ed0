//! Stored runs for commands: finds the store and the runs that a command names.

pub(crate) mod written_report;

use std::path::PathBuf;

use loadline_analysis::compare::TargetSettings;
use loadline_record::LimitVerdict;
use loadline_report::runs::RunLine;
use loadline_session::explanation;
use loadline_session::rounds::run_line;
use loadline_store::{RunEnd, RunRow, Store, StoreError};
use loadline_text::problem;

use crate::context::Context;
use crate::refusal::Refusal;

/// An open store, and the time relative to which its runs are named.
pub(crate) struct Stored {
    pub(crate) store: Store,
    pub(crate) now_ms: i64,
}

impl Stored {
    /// Opens the store to read it.
    ///
    /// # Errors
    /// Why the store cannot be opened.
    pub(crate) fn open(context: &Context, named: Option<&str>) -> Result<Self, Refusal> {
        Self::with(context, named, Store::open)
    }

    /// Opens the store to change names, tags and notes of runs.
    ///
    /// # Errors
    /// Why the store cannot be opened.
    pub(crate) fn open_to_change(context: &Context, named: Option<&str>) -> Result<Self, Refusal> {
        Self::with(context, named, Store::open_to_change)
    }

    fn with(
        context: &Context,
        named: Option<&str>,
        open: fn(&std::path::Path) -> Result<Store, StoreError>,
    ) -> Result<Self, Refusal> {
        let path =
            store_path(context, named).ok_or_else(|| Refusal::config(problem::no_store()))?;
        if path.is_dir() {
            return Err(Refusal::config(problem::file_is_folder(path.display())));
        }
        let store = open(&path).map_err(|error| match error {
            StoreError::Missing { path } => Refusal::config(problem::store_missing(path.display())),
            StoreError::Newer { path, .. } => Refusal::other(problem::store_newer(path.display())),
            StoreError::NotAStore { path } => Refusal::other(problem::not_a_store(path.display())),
            other => Refusal::other(problem::store_unusable(path.display(), other)),
        })?;
        Ok(Self {
            store,
            now_ms: now_ms(context),
        })
    }

    /// The run that `reference` names.
    ///
    /// # Errors
    /// No run matches, or several do.
    pub(crate) fn find(&self, reference: &str) -> Result<RunRow, Refusal> {
        self.store
            .find(reference, self.now_ms)
            .map_err(|error| self.refusal(error))
    }

    /// What limits a run, as `explain` says.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be read.
    pub(crate) fn limit(&self, reference: &str) -> Result<LimitVerdict, Refusal> {
        let limit = explanation::limit(&self.store, self.find(reference)?);
        limit.map_err(|error| self.refusal(error))
    }

    /// How the target of a run was set up, as far as it was observed.
    ///
    /// # Errors
    /// There is no such run, or the store cannot be read.
    pub(crate) fn target(&self, reference: &str) -> Result<TargetSettings, Refusal> {
        let signals = self.store.signals(&self.find(reference)?);
        let signals = signals.map_err(|error| self.refusal(error))?;
        Ok(signals.map(|signals| signals.setup()).unwrap_or_default())
    }

    /// How a run ended; `None` while it goes on, or when it was interrupted.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn end(&self, row: &RunRow) -> Result<Option<RunEnd>, Refusal> {
        self.store.end(row).map_err(|error| self.refusal(error))
    }

    /// A run as lists show it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn line(&self, row: RunRow) -> Result<RunLine, Refusal> {
        let started = local_time(row.started_ms, "%Y-%m-%d %H:%M:%S");
        run_line(&self.store, row, started).map_err(|error| self.refusal(error))
    }

    /// The problem to show for a store's error.
    pub(crate) fn refusal(&self, error: StoreError) -> Refusal {
        match error {
            StoreError::NoRun { reference } => Refusal::config(problem::run_missing(reference)),
            StoreError::Ambiguous { reference, count } => {
                Refusal::config(problem::run_ambiguous(reference, count))
            }
            other => Refusal::other(problem::store_unusable(self.store.path().display(), other)),
        }
    }
}

/// The store's path: the file named on the command line, that of `LOADLINE_STORE`, or the one
/// in the user's data folder. `None` when storing is off or there is no such folder.
pub(crate) fn store_path(context: &Context, named: Option<&str>) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(context.working_dir.join(named));
    }
    let set = |name: &str| context.env.get(name).filter(|value| !value.is_empty());
    match set("LOADLINE_STORE").map(String::as_str) {
        Some("off") => return None,
        Some(path) => return Some(context.working_dir.join(path)),
        None => {}
    }
    data_folder(context).map(|folder| folder.join("runs.db"))
}

/// The folder of what is kept for this user; `None` where there is no such folder.
pub(crate) fn data_folder(context: &Context) -> Option<PathBuf> {
    let set = |name: &str| context.env.get(name).filter(|value| !value.is_empty());
    let data = match (set("XDG_DATA_HOME"), set("HOME")) {
        (Some(data), _) => PathBuf::from(data),
        (None, Some(home)) => PathBuf::from(home).join(".local/share"),
        (None, None) => return None,
    };
    Some(data.join("loadline"))
}

/// Milliseconds since 1970.
pub(crate) fn now_ms(context: &Context) -> i64 {
    let now = (context.wall_clock)();
    let since = now.duration_since(std::time::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// Milliseconds since 1970 as local time.
pub(crate) fn local_time(ms: i64, format: &str) -> String {
    let Ok(time) = jiff::Timestamp::from_millisecond(ms) else {
        return String::new();
    };
    let zoned = time.to_zoned(crate::zone::local());
    zoned.strftime(format).to_string()
}
