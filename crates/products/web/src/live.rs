//! A run that goes on, told once a second as server-sent events.
//!
//! All who watch a run in one language share a view of it. A task reads the store and makes the answer
//! once a second, however many watch; they hear of it and do no work of their own.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use loadline_listen::Refusal;
use loadline_report::run::RunProgress;
use loadline_session::reported::RunReader;
use loadline_store::Store;
use loadline_text::{Catalog, Lang};
use tokio::sync::watch;

use crate::WebSettings;
use crate::api::{self, InLang, Shared};
use crate::runs;

/// Windows are seconds; there is nothing new more often.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// A connection that nothing is told over is kept open, or found to be closed, this often.
const STILL_THERE: Duration = Duration::from_secs(5);

/// What is told of a run now: an event. Nothing before the run was looked at.
type Latest = Option<Bytes>;
/// A run in a language.
type ViewKey = (String, Lang);

/// Views of the runs that somebody watches. Each is kept by its task, and goes with its last watcher.
#[derive(Clone, Default)]
pub(crate) struct WatchedRuns(Arc<Mutex<HashMap<ViewKey, watch::Receiver<Latest>>>>);

/// A run as all see it who watch it.
struct RunView {
    settings: Arc<WebSettings>,
    follower: RunReader,
    catalog: Catalog,
    store: Store,
    /// There will be no other answer: the run is over, or cannot be read.
    is_last: bool,
}

impl WatchedRuns {
    fn all(&self) -> MutexGuard<'_, HashMap<ViewKey, watch::Receiver<Latest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches a run: as others do, or by a view of its own that others will share.
    fn watch(&self, key: ViewKey, view: RunView) -> watch::Receiver<Latest> {
        let mut all = self.all();
        // A task that fell over left its view behind.
        let known = all.get(&key).filter(|known| known.has_changed().is_ok());
        if let Some(known) = known {
            return known.clone();
        }
        let (tell, watcher) = watch::channel(None);
        all.insert(key.clone(), watcher.clone());
        drop(all);
        tokio::spawn(self.clone().keep(key, view, tell));
        watcher
    }

    /// Looks at the run once a second until it is over or nobody watches.
    async fn keep(self, key: ViewKey, mut view: RunView, tell: watch::Sender<Latest>) {
        loop {
            // A thread of its own: the store blocks. One that panicked ends the view.
            let looked = tokio::task::spawn_blocking(move || (view.look(), view)).await;
            let Ok((told, again)) = looked else { break };
            view = again;
            tell.send_if_modified(|last| {
                let is_new = last.as_ref() != Some(&told);
                *last = Some(told);
                is_new
            });
            if view.is_last {
                break;
            }
            tokio::time::sleep(LOOK_INTERVAL).await;
            // The list's own receiver watches nothing. Under its lock nobody joins meanwhile.
            let mut all = self.all();
            if tell.receiver_count() <= 1 {
                all.remove(&key);
                return;
            }
        }
        self.all().remove(&key);
    }
}

/// The events: `run` with the same members as the run's report, then `end`.
pub(crate) async fn stream(
    State(settings): Shared,
    Extension(watched): Extension<WatchedRuns>,
    Path(reference): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    let catalog = lang.catalog();
    let opened = api::ask(settings.clone(), move |store, asked| {
        let row = store.find(&reference, api::now_ms(asked))?;
        let key = (row.name.clone(), catalog.lang());
        let view = RunView {
            store: Store::open(&asked.store)?,
            follower: RunReader::new(row),
            catalog,
            settings,
            is_last: false,
        };
        Ok((key, view))
    });
    let (key, view) = opened.await?;
    let mut watcher = watched.watch(key, view);
    watcher.mark_changed();
    Ok(api::events(stream::unfold(watcher, next)))
}

type Told = (Result<Bytes, Infallible>, watch::Receiver<Latest>);

/// What is told next; a comment when nothing is new. Nothing after the last answer.
async fn next(mut watcher: watch::Receiver<Latest>) -> Option<Told> {
    loop {
        let told = match tokio::time::timeout(STILL_THERE, watcher.changed()).await {
            Ok(changed) => {
                changed.ok()?;
                watcher.borrow_and_update().clone()
            }
            Err(_) => Some(Bytes::from_static(b":\n\n")),
        };
        if let Some(told) = told {
            return Some((Ok(told), watcher));
        }
    }
}

impl RunView {
    /// Looks at the run again; what is to be told of it.
    fn look(&mut self) -> Bytes {
        let now = api::now_ms(&self.settings);
        let told = match self.follower.read(&self.store, now) {
            Ok(run) => {
                let row = runs::row(self.follower.row(), &self.catalog);
                let answer = runs::answer(&run, row, &self.settings, &self.catalog);
                self.is_last = run.progress != RunProgress::Running;
                let end = if self.is_last {
                    "event: end\ndata: {}\n\n"
                } else {
                    ""
                };
                format!("event: run\ndata: {answer}\n\n{end}")
            }
            Err(error) => {
                self.is_last = true;
                let message = serde_json::json!({ "message": error.to_string() });
                format!("event: failed\ndata: {message}\n\n")
            }
        };
        Bytes::from(told)
    }
}
