//! What another host's `loadline observe --listen` sees there.
//!
//! It is asked once a second for what is new. Its times count by a clock of its own, which it tells with
//! each answer; the answer that took least says how far that is from ours.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use loadline_net::{BlockingClient, Request, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{MissingSignal, SourceError, SourceStatus};
use loadline_units::{Clock, Time};

use crate::new_signals::{NewSignals, SERVED_PATH};
use crate::page::answer_to;
use crate::reading::Reading;
use crate::setup::ObserverSetup;
use crate::source::Source;

/// Another host.
pub(crate) struct RemoteSource {
    client: BlockingClient,
    url: Url,
    token: String,
    clock: MonotonicClock,
    /// As its sources are called here.
    host: String,
    watch: Option<Watched>,
    /// How often each source answered the programs that watched there before, and the one that does now.
    answered: (BTreeMap<String, u64>, BTreeMap<String, u64>),
}

/// What is known of the watch that the other host keeps for this run.
struct Watched {
    id: String,
    /// What came so far, ms by its clock.
    after_ms: u64,
    /// Our clock minus its, ms, and how long the answer took that told it.
    ahead: i128,
    took: Duration,
    places: BTreeSet<String>,
}

impl RemoteSource {
    pub(crate) fn new(url: &Url, token: &str, setup: &ObserverSetup) -> Result<Self, SourceError> {
        let settings = (setup.network)(url).map_err(SourceError::Other)?;
        Ok(Self {
            client: BlockingClient::new(Arc::new(settings)),
            host: url.host_name().to_owned(),
            url: url.clone(),
            token: token.to_owned(),
            clock: setup.clock,
            watch: None,
            answered: Default::default(),
        })
    }

    fn ask(&mut self) -> Result<(NewSignals, Time, Time), SourceError> {
        let query = self.watch.as_ref().map_or_else(String::new, |watch| {
            format!("?watch={}&after={}", watch.id, watch.after_ms)
        });
        let (scheme, host) = (self.url.scheme(), self.url.host());
        let base = format!("{scheme}://{host}{SERVED_PATH}{query}");
        let url = Url::parse(&base).map_err(|_| SourceError::Defect)?;
        let mut request = Request::new("GET", url);
        request.set_field("Authorization", format!("Bearer {}", self.token));
        let began = self.clock.now();
        let response = answer_to(request, &mut self.client);
        let ended = self.clock.now();
        let response = response?;
        match response.head.status() {
            200 => {}
            401 => return Err(SourceError::Login),
            status => return Err(SourceError::Status(status)),
        }
        let new: NewSignals = serde_json::from_slice(&response.body).map_err(|error| {
            if error.is_eof() {
                SourceError::CutOff
            } else {
                SourceError::Unexpected
            }
        })?;
        Ok((new, began, ended))
    }

    /// A place there, as it is called here.
    fn place(&self, place: &str) -> String {
        match place.strip_prefix("127.0.0.1:") {
            Some(port) => format!("{}:{port}", self.host),
            None => place.to_owned(),
        }
    }
}

impl Source for RemoteSource {
    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let (new, began, ended) = self.ask()?;
        let places = new.places.iter().map(|place| self.place(place)).collect();
        let took = ended.since(began);
        let middle = i128::from(u64::midpoint(began.as_nanos(), ended.as_nanos()) / 1_000_000);
        let ahead = middle - i128::from(new.now_ms);
        let is_same = |watch: &&mut Watched| watch.id == new.watch;
        if self
            .watch
            .as_ref()
            .is_some_and(|watch| watch.id != new.watch)
        {
            let (former, last) = &mut self.answered;
            for (name, count) in std::mem::take(last) {
                *former.entry(name).or_default() += count;
            }
        }
        let watch = match self.watch.as_mut().filter(is_same) {
            Some(watch) => {
                if took < watch.took {
                    (watch.ahead, watch.took) = (ahead, took);
                }
                watch
            }
            // The first answer, or another program answers there now.
            None => self.watch.insert(Watched {
                id: new.watch.clone(),
                after_ms: 0,
                ahead,
                took,
                places: BTreeSet::new(),
            }),
        };
        watch.places = places;
        let ours = |theirs: u64| u64::try_from(i128::from(theirs) + watch.ahead).ok();
        for series in new.signals.series() {
            for point in series.points() {
                watch.after_ms = watch.after_ms.max(point.at_ms);
                if let Some(at_ms) = ours(point.at_ms) {
                    let of = (series.kind, series.entity.clone());
                    reading.dated.push((at_ms, of.0, of.1, point.value));
                }
            }
        }
        reading
            .settings
            .extend(new.signals.settings().iter().cloned());
        let (former, last) = &mut self.answered;
        let named = |mut status: SourceStatus| {
            last.insert(status.name.clone(), status.answered);
            status.answered += former.get(&status.name).copied().unwrap_or(0);
            status.name = format!("{} @ {}", status.name, self.host);
            for failure in &mut status.failures {
                failure.from_ms = ours(failure.from_ms).unwrap_or(0);
                failure.to_ms = failure.to_ms.map(|to| ours(to).unwrap_or(0));
            }
            status
        };
        reading.sources = new.signals.sources.into_iter().map(named).collect();
        Ok(())
    }

    fn lacks(&self) -> Vec<MissingSignal> {
        Vec::new()
    }

    fn places(&self) -> BTreeSet<String> {
        let watch = self.watch.as_ref();
        watch.map_or_else(BTreeSet::new, |watch| watch.places.clone())
    }
}
