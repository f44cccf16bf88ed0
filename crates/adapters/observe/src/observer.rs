//! Looks at every source once a second while a run goes on, each on a thread of its own.
//!
//! A source that fails is tried again each second; its times of failure stand in its status, and
//! the run never waits for it. Times count from the run's start.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use loadline_reactor::MonotonicClock;
use loadline_record::signals::{Signals, SourceError, SourceStatus};
use loadline_units::{Clock, Random, Time, seed_of_part};

use crate::address::{Place, SourceAddress};
use crate::joined::{Observed, joined};
use crate::logs::LogSource;
use crate::mysql::MysqlSource;
use crate::otlp::OtlpSource;
use crate::page::PageSource;
use crate::postgres::PostgresSource;
use crate::process::{ProcessShared, ProcessSource};
use crate::prometheus::PrometheusSource;
use crate::reading::Reading;
use crate::redis::RedisSource;
use crate::remote::RemoteSource;
use crate::scrapes::Scrapes;
use crate::setup::{ObserverSetup, SourceNotice};
use crate::source::Source;
use crate::target_connections::TargetConnections;
use crate::tempo::TempoSource;

/// What sources of one observer tell each other.
#[derive(Default)]
struct Shared {
    /// When pages are asked for.
    scrapes: Scrapes,
    /// The target's connections to databases.
    target: Arc<TargetConnections>,
}

/// The threads that look at sources.
pub struct TargetObserver {
    threads: Vec<Thread>,
    clock: MonotonicClock,
}

struct Thread {
    stop: Sender<()>,
    ended: Receiver<()>,
    observed: Arc<Mutex<Observed>>,
}

/// What was observed so far.
#[derive(Clone)]
pub struct SignalReader(Vec<Arc<Mutex<Observed>>>);

impl SignalReader {
    /// All of it.
    #[must_use]
    pub fn so_far(&self) -> Signals {
        joined(self.all())
    }

    /// Where what it is about listens.
    pub(crate) fn places(&self) -> BTreeSet<String> {
        let all = self.all();
        all.iter().flat_map(|one| one.places.clone()).collect()
    }

    fn all(&self) -> Vec<Observed> {
        let all = self.0.iter().map(|observed| {
            let observed = observed.lock();
            observed.unwrap_or_else(PoisonError::into_inner).clone()
        });
        all.collect()
    }
}

impl TargetObserver {
    /// Begins to look at all sources.
    #[must_use]
    pub fn start(setup: &ObserverSetup) -> Self {
        let shared = Arc::new(Shared::default());
        let start =
            |address: &SourceAddress| Thread::start(address.clone(), setup.clone(), shared.clone());
        Self {
            threads: setup.addresses.iter().map(start).collect(),
            clock: setup.clock,
        }
    }

    /// A look at what was observed so far, for another thread.
    #[must_use]
    pub fn peek(&self) -> SignalReader {
        let all = self.threads.iter();
        SignalReader(all.map(|thread| thread.observed.clone()).collect())
    }

    /// Looks a last time, and gives all that was observed. Waits up to `patience` for sources
    /// that do not answer.
    #[must_use]
    pub fn finish(self, patience: Duration) -> Signals {
        for thread in &self.threads {
            // A thread that ended on its own is noticed below.
            let _ = thread.stop.try_send(());
        }
        let until = self.clock.now() + patience;
        let all = self.threads.into_iter().map(|thread| {
            let left = until.since(self.clock.now());
            let ended = thread.ended.recv_timeout(left);
            let observed = thread.observed.lock();
            let mut observed = observed.unwrap_or_else(PoisonError::into_inner).clone();
            if ended == Err(RecvTimeoutError::Disconnected) {
                let error = SourceError::Defect.code();
                observed.status.failed(millis(self.clock.now()), &error);
            }
            observed
        });
        joined(all.collect())
    }
}

impl Thread {
    fn start(address: SourceAddress, setup: ObserverSetup, shared: Arc<Shared>) -> Self {
        let status = SourceStatus::new(&address.to_string(), address.kind());
        let observed = Arc::new(Mutex::new(Observed::new(status)));
        let (stop, stopped) = bounded(1);
        let (ended_in, ended) = bounded(1);
        let own = observed.clone();
        let spawned = std::thread::Builder::new()
            .name("observe".to_owned())
            .spawn(move || {
                // Made here: sources need not be able to change threads.
                let seed = seed_of_part(setup.seed, &address.to_string());
                let watch = Watch {
                    address,
                    setup,
                    shared,
                    random: Random::new(seed),
                    stopped,
                    observed: own,
                    source: None,
                    told: None,
                };
                watch.run();
                // The receiver may be gone.
                let _ = ended_in.send(());
            });
        if let Err(error) = spawned {
            let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
            let error = SourceError::Other(error.to_string()).code();
            observed.status.failed(0, &error);
        }
        Self {
            stop,
            ended,
            observed,
        }
    }
}

/// One source, on its thread.
struct Watch {
    address: SourceAddress,
    setup: ObserverSetup,
    shared: Arc<Shared>,
    random: Random,
    stopped: Receiver<()>,
    observed: Arc<Mutex<Observed>>,
    source: Option<Box<dyn Source>>,
    /// What was last told of it.
    told: Option<Option<SourceError>>,
}

impl Watch {
    fn run(mut self) {
        let mut is_last = false;
        loop {
            self.look();
            if is_last {
                return;
            }
            let every = self.setup.every.as_nanos().max(1);
            let now = self.setup.clock.now();
            let passed = u128::from(now.as_nanos()) % every;
            let pause = u64::try_from(every - passed).unwrap_or(u64::MAX);
            is_last = self.glance_until(now + Duration::from_nanos(pause));
        }
    }

    /// Glances at the source at random moments until the next look; whether it is to end.
    fn glance_until(&mut self, next: Time) -> bool {
        loop {
            let left = next.since(self.setup.clock.now());
            let pause = self
                .source
                .as_ref()
                .and_then(|source| source.glance_pause());
            // Times that are independent of all that the target does in turn.
            let pause = pause.map(|mean| mean.mul_f64(-(1.0 - self.random.unit()).ln()));
            let glance = pause.filter(|pause| *pause < left);
            let stopped = self.stopped.recv_timeout(glance.unwrap_or(left));
            if stopped != Err(RecvTimeoutError::Timeout) {
                return true;
            }
            let is_quiet = self.shared.scrapes.is_quiet(self.setup.clock.now());
            match (&mut self.source, glance) {
                (Some(source), Some(_)) if is_quiet => source.glance(),
                (_, Some(_)) => {}
                (_, None) => return false,
            }
        }
    }

    fn look(&mut self) {
        let began = self.setup.clock.now();
        let mut reading = Reading::default();
        let is_page = matches!(self.address.place, Place::Page(_));
        let scrape = is_page.then(|| self.shared.scrapes.begin(began));
        let result = self.read(&mut reading);
        let ended = self.setup.clock.now();
        if let Some(scrape) = scrape {
            self.shared.scrapes.end(scrape, ended);
        }
        // The source told what was so at some time between.
        let middle_ms = u64::midpoint(millis(began), millis(ended));
        let at_ms = reading.at_ms.unwrap_or(middle_ms);
        let error = result.err();
        {
            let mut observed = self.observed.lock().unwrap_or_else(PoisonError::into_inner);
            match &error {
                None => observed.take(reading, at_ms),
                Some(error) => observed.status.failed(at_ms, &error.code()),
            }
            if let Some(source) = &self.source {
                observed.status.missing = source.lacks();
                observed.status.notes = source.notes();
                observed.places.extend(source.places());
            }
        }
        if self.told.as_ref() != Some(&error) {
            (self.setup.listener)(SourceNotice {
                name: self.address.to_string(),
                error: error.clone(),
            });
            self.told = Some(error);
        }
    }

    fn read(&mut self, reading: &mut Reading) -> Result<(), SourceError> {
        let source = match self.source.take() {
            Some(source) => source,
            None => open(&self.address, &self.setup, &self.shared.target)?,
        };
        let source = self.source.insert(source);
        source.read(reading)
    }
}

/// Makes a source ready to be read.
fn open(
    address: &SourceAddress,
    setup: &ObserverSetup,
    target: &Arc<TargetConnections>,
) -> Result<Box<dyn Source>, SourceError> {
    let process = || ProcessShared {
        clock: setup.clock,
        target: target.clone(),
    };
    Ok(match &address.place {
        Place::Page(url) => Box::new(PageSource::new(url.as_ref().clone(), setup)?),
        Place::Process(pid) => Box::new(ProcessSource::of_process(*pid, process())?),
        Place::Port(port) => Box::new(ProcessSource::of_port(*port, process())?),
        Place::Postgres(config, trust) => {
            Box::new(PostgresSource::new(config, trust, target.clone())?)
        }
        Place::Mysql(opts) => Box::new(MysqlSource::new(opts, target.clone())?),
        Place::Prometheus { url, matchers } => {
            Box::new(PrometheusSource::new(url, matchers, setup)?)
        }
        Place::Remote { url, token } => Box::new(RemoteSource::new(url, token, setup)?),
        Place::Redis(client) => Box::new(RedisSource::new(client)?),
        Place::Log(path) => Box::new(LogSource::of_file(path)?),
        Place::Command(command) => Box::new(LogSource::of_command(command)?),
        Place::Loki { url, query, tenant } => {
            Box::new(LogSource::of_loki(url, query, tenant.as_deref(), setup)?)
        }
        Place::Tempo { url, query, tenant } => {
            Box::new(TempoSource::new(url, query, tenant.as_deref(), setup)?)
        }
        Place::Otlp(receiver) => Box::new(OtlpSource::new(receiver, setup)?),
    })
}

fn millis(time: Time) -> u64 {
    time.as_nanos() / 1_000_000
}

#[cfg(test)]
mod tests;
