//! A run that goes on, told once a second as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use loadline_listen::Refusal;
use loadline_report::run::RunProgress;
use loadline_session::reported::RunReader;
use loadline_store::{Store, StoreError};
use loadline_text::Catalog;

use crate::WebSettings;
use crate::api::{self, InLang, Shared};
use crate::runs;

/// Windows are seconds; there is nothing new more often.
const EVERY: Duration = Duration::from_secs(1);

/// Someone who watches a run.
struct Watcher {
    settings: Arc<WebSettings>,
    follower: RunReader,
    catalog: Catalog,
    store: Store,
    said: String,
    ended: bool,
}

/// The events: `run` with the same members as the run's report, then `end`.
pub(crate) async fn stream(
    State(settings): Shared,
    Path(reference): Path<String>,
    Query(lang): Query<InLang>,
) -> Result<Response, Refusal> {
    let watcher = api::ask(settings.clone(), move |store, settings| {
        let row = store.find(&reference, api::now_ms(settings))?;
        Ok(row)
    })
    .await?;
    let opened = tokio::task::spawn_blocking(move || -> Result<Watcher, StoreError> {
        Ok(Watcher {
            store: Store::open(&settings.store)?,
            follower: RunReader::new(watcher),
            catalog: lang.catalog(),
            said: String::new(),
            ended: false,
            settings,
        })
    });
    let watcher = match opened.await {
        Ok(opened) => opened.map_err(|error| api::refusal(&error))?,
        Err(error) => return Err(api::defect(&error)),
    };
    let events = stream::unfold(Some((watcher, true)), next);
    Ok(api::events(events))
}

type Told = (Result<Bytes, Infallible>, Option<(Watcher, bool)>);

async fn next(watcher: Option<(Watcher, bool)>) -> Option<Told> {
    let (watcher, first) = watcher?;
    if watcher.ended {
        return None;
    }
    if !first {
        tokio::time::sleep(EVERY).await;
    }
    // A thread of its own: the store blocks. One that panicked ends the stream.
    let (text, watcher) = tokio::task::spawn_blocking(move || watcher.look())
        .await
        .ok()?;
    Some((Ok(Bytes::from(text)), Some((watcher, false))))
}

impl Watcher {
    /// What is to be told now; a comment when nothing changed.
    fn look(mut self) -> (String, Self) {
        let now = api::now_ms(&self.settings);
        let run = match self.follower.read(&self.store, now) {
            Ok(run) => run,
            Err(error) => {
                self.ended = true;
                let message = serde_json::json!({ "message": error.to_string() });
                return (format!("event: failed\ndata: {message}\n\n"), self);
            }
        };
        let row = runs::row(self.follower.row(), &self.catalog);
        let answer = runs::answer(&run, row, &self.settings, &self.catalog).to_string();
        let is_over = run.progress != RunProgress::Running;
        let mut text = match answer == self.said {
            true => ":\n\n".to_owned(),
            false => format!("event: run\ndata: {answer}\n\n"),
        };
        self.said = answer;
        if is_over {
            self.ended = true;
            text.push_str("event: end\ndata: {}\n\n");
        }
        (text, self)
    }
}
