//! Stored runs as commands meet them: finding the store and the runs a person means.

use loadline_report::runs::RunLine;
use loadline_store::{RunRow, Store, StoreError};
use loadline_text::problem;

use crate::commands::run::keep::store_path;
use crate::commands::run::problems::Refusal;
use crate::context::Context;

/// A store and what its commands share.
pub(crate) struct Stored {
    pub(crate) store: Store,
    pub(crate) now_ms: i64,
}

impl Stored {
    /// Opens the store that is meant, to read it.
    ///
    /// # Errors
    /// Why it cannot be.
    pub(crate) fn open(context: &Context, named: Option<&str>) -> Result<Self, Refusal> {
        Self::with(context, named, Store::open)
    }

    /// Likewise, to change what people write about runs.
    ///
    /// # Errors
    /// Why it cannot be.
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
        let store = open(&path).map_err(|error| match error {
            StoreError::Missing { path } => Refusal::config(problem::store_missing(path.display())),
            other => Refusal::other(problem::store_unusable(path.display(), other)),
        })?;
        Ok(Self {
            store,
            now_ms: now_ms(context),
        })
    }

    /// The run a person means.
    ///
    /// # Errors
    /// There is none, or several.
    pub(crate) fn find(&self, reference: &str) -> Result<RunRow, Refusal> {
        self.store
            .find(reference, self.now_ms)
            .map_err(|error| self.refusal(error))
    }

    /// What went wrong, in a person's words.
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

/// Milliseconds since 1970.
pub(crate) fn now_ms(context: &Context) -> i64 {
    let now = (context.wall_clock)();
    let since = now.duration_since(std::time::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

/// A run as lists show it.
pub(crate) fn line(row: RunRow) -> RunLine {
    RunLine {
        started: local_time(row.started_ms, "%Y-%m-%d %H:%M:%S"),
        number: row.number,
        name: row.name,
        test: row.test,
        verdict: row.verdict,
        seconds: row.seconds,
        vus: row.vus,
        rate: row.rate,
        mean_ms: row.mean_ms,
        p95_ms: row.p95_ms,
        errors: row.errors,
        settings: row.settings,
        tags: row.tags,
        note: row.note,
    }
}

/// Milliseconds since 1970 as local time.
pub(crate) fn local_time(ms: i64, format: &str) -> String {
    let Ok(time) = jiff::Timestamp::from_millisecond(ms) else {
        return String::new();
    };
    let zoned = time.to_zoned(jiff::tz::TimeZone::system());
    zoned.strftime(format).to_string()
}
