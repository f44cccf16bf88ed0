//! A run that goes on, told once a second as server-sent events.
//!
//! All who watch a run in one language share a view of it: the store is read and the answer made
//! once a second, however many watch.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use loadline_listen::Refusal;
use loadline_report::run::RunProgress;
use loadline_session::reported::RunReader;
use loadline_store::{RunRow, Store, StoreError};
use loadline_text::{Catalog, Lang};

use crate::WebSettings;
use crate::api::{self, InLang, Shared};
use crate::runs;

/// Windows are seconds; there is nothing new more often.
const EVERY: Duration = Duration::from_secs(1);
/// An answer that is younger is told again.
const FRESH_MS: i64 = 900;

/// Views of the runs that somebody watches.
#[derive(Default)]
pub(crate) struct WatchedRuns(Mutex<HashMap<(String, Lang), WeakView>>);

/// A view that goes with its last watcher.
type WeakView = Weak<Mutex<RunView>>;

/// A run as all see it who watch it.
struct RunView {
    settings: Arc<WebSettings>,
    follower: RunReader,
    catalog: Catalog,
    store: Store,
    looked_at_ms: Option<i64>,
    /// The answer as an event, and how many there were before.
    told: Bytes,
    number: u64,
    /// There will be no other: the run is over, or cannot be read.
    is_last: bool,
}

/// Someone who watches a run.
struct Watcher {
    view: Arc<Mutex<RunView>>,
    /// The number of the answer that was told last.
    heard: u64,
    is_first: bool,
}

impl WatchedRuns {
    /// The view that others have of a run, or a new one.
    fn view(
        &self,
        settings: Arc<WebSettings>,
        row: RunRow,
        catalog: Catalog,
    ) -> Result<Arc<Mutex<RunView>>, StoreError> {
        let key = (row.name.clone(), catalog.lang());
        let mut all = lock(&self.0);
        all.retain(|_, view| view.strong_count() > 0);
        let known = all.get(&key).and_then(Weak::upgrade);
        // The last answer may be that the run could not be read.
        if let Some(view) = known.filter(|view| !lock(view).is_last) {
            return Ok(view);
        }
        let view = Arc::new(Mutex::new(RunView {
            store: Store::open(&settings.store)?,
            follower: RunReader::new(row),
            catalog,
            settings,
            looked_at_ms: None,
            told: Bytes::new(),
            number: 0,
            is_last: false,
        }));
        all.insert(key, Arc::downgrade(&view));
        Ok(view)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The events: `run` with the same members as the run's report, then `end`.
pub(crate) async fn stream(
    State(settings): Shared,
    Extension(watched): Extension<Arc<WatchedRuns>>,
    Path(reference): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    let found = api::ask(settings.clone(), move |store, settings| {
        store.find(&reference, api::now_ms(settings))
    });
    let row = found.await?;
    let opened = tokio::task::spawn_blocking(move || watched.view(settings, row, lang.catalog()));
    let view = match opened.await {
        Ok(opened) => opened.map_err(|error| api::refusal(&error))?,
        Err(error) => return Err(api::defect(&error)),
    };
    let watcher = Watcher {
        view,
        heard: 0,
        is_first: true,
    };
    let events = stream::unfold(Some(watcher), next);
    Ok(api::events(events))
}

type Told = (Result<Bytes, Infallible>, Option<Watcher>);

async fn next(watcher: Option<Watcher>) -> Option<Told> {
    let mut watcher = watcher?;
    if !std::mem::replace(&mut watcher.is_first, false) {
        tokio::time::sleep(EVERY).await;
    }
    // A thread of its own: the store blocks. One that panicked ends the stream.
    let (told, watcher) = tokio::task::spawn_blocking(move || watcher.look())
        .await
        .ok()?;
    Some((Ok(told), watcher))
}

impl Watcher {
    /// What is to be told now; a comment when nothing changed. No watcher after the last answer.
    fn look(mut self) -> (Bytes, Option<Self>) {
        let mut view = lock(&self.view);
        view.refresh();
        let (told, is_last) = (view.told.clone(), view.is_last);
        let is_known = std::mem::replace(&mut self.heard, view.number) == view.number;
        drop(view);
        match is_known {
            true => (Bytes::from_static(b":\n\n"), Some(self)),
            false => (told, (!is_last).then_some(self)),
        }
    }
}

impl RunView {
    /// Looks at the run again, unless that was done a moment ago.
    fn refresh(&mut self) {
        let now = api::now_ms(&self.settings);
        let is_fresh = |at: i64| (0..FRESH_MS).contains(&(now - at));
        if self.is_last || self.looked_at_ms.is_some_and(is_fresh) {
            return;
        }
        self.looked_at_ms = Some(now);
        let told = match self.follower.read(&self.store, now) {
            Ok(run) => {
                let row = runs::row(self.follower.row(), &self.catalog);
                let answer = runs::answer(&run, row, &self.settings, &self.catalog);
                self.is_last = run.progress != RunProgress::Running;
                let end = match self.is_last {
                    true => "event: end\ndata: {}\n\n",
                    false => "",
                };
                format!("event: run\ndata: {answer}\n\n{end}")
            }
            Err(error) => {
                self.is_last = true;
                let message = serde_json::json!({ "message": error.to_string() });
                format!("event: failed\ndata: {message}\n\n")
            }
        };
        if self.told != told {
            self.told = Bytes::from(told);
            self.number += 1;
        }
    }
}
