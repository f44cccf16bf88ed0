//! All outputs of a run: passes windows from the run's thread to the outputs, and collects their
//! notices and reports.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use loadline_metrics::{Merger, Registry, SeriesValue, Window};
use loadline_net::{NetworkSettings, Url};
use loadline_reactor::MonotonicClock;
use loadline_record::Redactor;
use loadline_units::{Clock, Time};

use crate::batch::{Batch, WallClock, numbered};
use crate::catalog::{SeriesTracker, SharedCatalog};
use crate::config::{FileName, OutputConfig, OutputKind};
use crate::deliver::{DeliveryEvent, deliver};
use crate::files::{Csv, FileMetadata, FileSink, Json, Target};
use crate::influxdb::InfluxSink;
use crate::notice::{NoticeKind, OutputNotice, OutputReport};
use crate::opentelemetry::OpenTelemetrySink;
use crate::post::{NetworkFor, ReceiverOptions};
use crate::prometheus::PrometheusSink;
use crate::queue::{InputKind, Queue, QueueEvent, ReplacedSamples};
use crate::sink::{MakeSink, Tally};
use crate::spool::Spool;

/// The length of a window.
const WINDOW_LENGTH: Duration = Duration::from_secs(1);

/// How long the end of a run waits before it says that it does.
const WAIT_NOTICE_DELAY: Duration = Duration::from_millis(500);

/// How long it waits for a receiver that never took anything: one that nobody started.
const UNREACHED_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a running attempt may still take after delivery was given up.
const LAST_ATTEMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// What outputs need to start.
pub struct OutputSetup<'a> {
    /// Masks secrets in what is sent.
    pub redactor: Redactor,
    /// The outputs.
    pub configs: &'a [OutputConfig],
    /// What files contain besides samples.
    pub facts: &'a FileMetadata,
    /// How many bytes may wait for one output.
    pub spool_max: u64,
    /// The folder of the spools.
    pub spool_dir: PathBuf,
    /// The folder that relative paths start from.
    pub working_dir: PathBuf,
    /// Opens standard output.
    pub stdout: fn() -> Box<dyn Write + Send>,
    /// Makes the network settings for a receiver.
    pub network: NetworkFor<'a>,
    /// The time of day at the origin of the run's clock, in nanoseconds since 1970.
    pub origin: i64,
    /// The run's metrics.
    pub registry: Arc<Registry>,
}

/// Why outputs could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A file cannot be written; the reason is in Go's words.
    #[error("open {path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The network settings for a receiver are invalid.
    #[error("could not create the '{output}' output: {reason}")]
    Network {
        /// The output.
        output: String,
        /// The reason.
        reason: String,
    },
    /// A thread could not be started.
    #[error("cannot start an output's thread: {0}")]
    Thread(String),
}

/// The outputs of a run.
#[derive(Debug)]
pub struct Outputs {
    intake: Option<Sender<Batch>>,
    outlets: Vec<OutputThread>,
    notices: Receiver<OutputNotice>,
    series_tracker: SeriesTracker,
    redactor: Redactor,
    registry: Arc<Registry>,
    wall: WallClock,
    opened: Time,
    wants_samples: bool,
}

/// One output.
#[derive(Debug)]
struct OutputThread {
    description: String,
    queue: Arc<Queue>,
    state: Arc<Mutex<DeliveryProgress>>,
    ended: Receiver<()>,
    give_up: Sender<()>,
    /// Whether it goes to another program.
    is_remote: bool,
}

/// The progress of an output's thread.
#[derive(Debug, Default)]
struct DeliveryProgress {
    tally: Tally,
    pending: u64,
}

impl Outputs {
    /// Opens files and starts threads. Receivers are not contacted yet.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(setup: &OutputSetup<'_>) -> Result<Self, StartError> {
        let catalog = SharedCatalog::default();
        let (tell, notices) = unbounded();
        let mut outlets = Vec::new();
        for config in setup.configs {
            let make = maker(config, setup)?;
            outlets.push(OutputThread::start(config, setup, make, &catalog, &tell)?);
        }
        let wants_samples = setup
            .configs
            .iter()
            .any(|config| config.kind.wants() == InputKind::Samples);
        let (intake, batches) = unbounded();
        let queues: Vec<(String, Arc<Queue>)> = outlets
            .iter()
            .map(|outlet| (outlet.description.clone(), outlet.queue.clone()))
            .collect();
        let teller = tell.clone();
        spawn("outputs", move || {
            take_in(&batches, &queues, &catalog, &teller);
        })?;
        Ok(Self {
            intake: Some(intake),
            outlets,
            notices,
            series_tracker: SeriesTracker::default(),
            redactor: setup.redactor.clone(),
            registry: setup.registry.clone(),
            wall: WallClock {
                origin: setup.origin,
            },
            opened: Time::ZERO,
            wants_samples,
        })
    }

    /// Whether any output needs single samples.
    #[must_use]
    pub fn wants_samples(&self) -> bool {
        self.wants_samples
    }

    /// Sets the time from which windows are counted.
    pub fn windows_open(&mut self, at: Time) {
        self.opened = at;
    }

    /// Takes a window; returns at once.
    pub fn window(&mut self, window: &Window, merger: &Merger, now: Time) {
        let mut new = self
            .series_tracker
            .take_new(merger, &self.registry, &self.redactor);
        for late in &window.late {
            let raw = late.raw.iter().cloned().collect();
            let batch = self.batch(late.window, &late.series, raw, now);
            self.give(Batch {
                new: std::mem::take(&mut new),
                ..batch
            });
        }
        let batch = self.batch(window.index, &window.series, window.raw.clone(), now);
        self.give(Batch { new, ..batch });
    }

    fn batch(
        &self,
        window: u64,
        series: &[SeriesValue],
        raw: Vec<Arc<loadline_metrics::RawPart>>,
        now: Time,
    ) -> Batch {
        let from = self.opened + WINDOW_LENGTH * u32::try_from(window).unwrap_or(u32::MAX);
        Batch {
            new: crate::catalog::Additions::default(),
            wall: self.wall,
            from: self.wall.at(from),
            until: self.wall.at((from + WINDOW_LENGTH).min(now.max(from))),
            raw,
            series: numbered(series),
        }
    }

    fn give(&self, batch: Batch) {
        if let Some(intake) = &self.intake {
            // The receiving thread ends only when this sender is dropped.
            let _ = intake.send(batch);
        }
    }

    /// The notices since the last call.
    pub fn notices(&self) -> impl Iterator<Item = OutputNotice> {
        self.notices.try_iter()
    }

    /// Delivers what is left, for at most `patience`, and returns a report for each output. Calls
    /// `waits` once with the outputs that need more than a moment.
    pub fn finish(
        &mut self,
        patience: Duration,
        waits: impl FnOnce(&[OutputNotice]),
    ) -> Vec<OutputReport> {
        self.intake = None;
        let clock = MonotonicClock::start();
        let left = |limit: Duration| limit.saturating_sub(clock.now().since(Time::ZERO));
        let moment = WAIT_NOTICE_DELAY.min(patience);
        let mut open: Vec<&OutputThread> = self.outlets.iter().collect();
        open.retain(|outlet| !outlet.ends_within(left(moment)));
        if !open.is_empty() {
            let waiting = open.iter().map(|outlet| OutputNotice {
                output: outlet.description.clone(),
                what: NoticeKind::Waiting {
                    patience: outlet.patience(patience),
                },
            });
            waits(&waiting.collect::<Vec<_>>());
            // Those that may be given up sooner first.
            open.sort_by_key(|outlet| outlet.patience(patience));
            open.retain(|outlet| !outlet.ends_within(left(outlet.patience(patience))));
        }
        for outlet in &open {
            // A thread that has just ended needs no signal.
            let _ = outlet.give_up.try_send(());
        }
        let asked = clock.now().since(Time::ZERO);
        open.retain(|outlet| !outlet.ends_within(left(asked + LAST_ATTEMPT_TIMEOUT)));
        self.outlets.iter().map(OutputThread::report).collect()
    }
}

impl OutputThread {
    fn start(
        config: &OutputConfig,
        setup: &OutputSetup<'_>,
        make: MakeSink,
        catalog: &SharedCatalog,
        tell: &Sender<OutputNotice>,
    ) -> Result<Self, StartError> {
        let description = config.description();
        let spool = Spool::new(setup.spool_dir.clone(), setup.spool_max);
        let queue = Arc::new(Queue::new(config.kind.wants(), spool));
        let state: Arc<Mutex<DeliveryProgress>> = Arc::default();
        let (ended_in, ended) = bounded(1);
        let (give_up, give_up_out) = bounded(1);
        let thread = (queue.clone(), state.clone(), catalog.clone(), tell.clone());
        let output = description.clone();
        spawn("output", move || {
            let (queue, state, catalog, tell) = thread;
            let mut sink = make();
            let said = |trouble: DeliveryEvent| {
                let what = match trouble {
                    DeliveryEvent::Failing(reason) => NoticeKind::Failing { reason },
                    DeliveryEvent::Recovered => NoticeKind::Recovered,
                };
                let output = output.clone();
                // The run may be over.
                let _ = tell.send(OutputNotice { output, what });
            };
            deliver(
                sink.as_mut(),
                &queue,
                &catalog,
                &give_up_out,
                &|sink| {
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    state.tally = sink.tally().clone();
                    state.pending = sink.pending();
                },
                &said,
            );
            // The sender is gone only when the process is about to end.
            let _ = ended_in.send(());
        })?;
        Ok(Self {
            description,
            queue,
            state,
            ended,
            give_up,
            is_remote: !matches!(
                config.kind,
                OutputKind::Json { .. } | OutputKind::Csv { .. }
            ),
        })
    }

    /// Whether the thread ends within `time`.
    fn ends_within(&self, time: Duration) -> bool {
        match self.ended.recv_timeout(time) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
            Err(RecvTimeoutError::Timeout) => false,
        }
    }

    /// How long the end of the run waits for it: a receiver that never took anything is
    /// hardly about to.
    fn patience(&self, longest: Duration) -> Duration {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.tally.points == 0 && self.is_remote {
            longest.min(UNREACHED_TIMEOUT)
        } else {
            longest
        }
    }

    fn report(&self) -> OutputReport {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ReplacedSamples {
            samples,
            first,
            last,
        } = self.queue.replaced();
        let waiting = self.queue.drain();
        OutputReport {
            output: self.description.clone(),
            points: state.tally.points,
            replaced: samples,
            replaced_between: first.map(|first| (first, last)),
            refused: state.tally.refused,
            refusal: state.tally.refusal.clone(),
            unsent_samples: waiting.samples,
            unsent_windows: waiting.windows + state.pending,
            unreadable: waiting.unreadable,
        }
    }
}

/// Passes each window to every output, in order.
fn take_in(
    batches: &Receiver<Batch>,
    queues: &[(String, Arc<Queue>)],
    catalog: &SharedCatalog,
    tell: &Sender<OutputNotice>,
) {
    for batch in batches {
        catalog.add(&batch.new);
        for (output, queue) in queues {
            let what = match queue.push(&batch) {
                None => continue,
                Some(QueueEvent::Replacing { from, cause }) => {
                    NoticeKind::Replacing { from, cause }
                }
                Some(QueueEvent::Resumed { from }) => NoticeKind::Resumed { from },
            };
            let output = output.clone();
            // The run may be over.
            let _ = tell.send(OutputNotice { output, what });
        }
    }
    for (_, queue) in queues {
        queue.close();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), StartError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
        .map_err(|error| StartError::Thread(error.to_string()))
}

/// Returns a function that makes an output's sink; the output's file is already open.
fn maker(config: &OutputConfig, setup: &OutputSetup<'_>) -> Result<MakeSink, StartError> {
    let reached = |url: &Url, wish: &ReceiverOptions| -> Result<Arc<NetworkSettings>, StartError> {
        let settings = (setup.network)(url, wish);
        let failed = |reason| StartError::Network {
            output: config.description(),
            reason,
        };
        settings.map(Arc::new).map_err(failed)
    };
    Ok(match &config.kind {
        OutputKind::Json { file } => {
            let (target, facts) = (open(file, setup)?, setup.facts.clone());
            Box::new(move || Box::new(FileSink::new(Json::new(facts), target)))
        }
        OutputKind::Csv { file, format } => {
            let (target, lines) = (open(file, setup)?, Csv::new(setup.facts, *format));
            Box::new(move || Box::new(FileSink::new(lines, target)))
        }
        OutputKind::InfluxDb(config) => {
            let (settings, config) = (reached(&config.write_url, &config.wish)?, config.clone());
            Box::new(move || Box::new(InfluxSink::new(&config, settings)))
        }
        OutputKind::PrometheusRw(config) => {
            let (settings, config) = (reached(&config.url, &config.wish)?, config.clone());
            Box::new(move || Box::new(PrometheusSink::new(&config, settings)))
        }
        OutputKind::OpenTelemetry(config) => {
            let (settings, config) = (reached(&config.url, &config.wish)?, config.clone());
            Box::new(move || Box::new(OpenTelemetrySink::new(&config, settings)))
        }
    })
}

fn open(file: &FileName, setup: &OutputSetup<'_>) -> Result<Target, StartError> {
    match file {
        FileName::Stdout => Ok(Target::Plain((setup.stdout)())),
        FileName::Path(path) => {
            Target::create(&setup.working_dir.join(path)).map_err(|error| StartError::File {
                path: path.clone(),
                reason: go_words(&error),
            })
        }
    }
}

/// A system error in Go's words.
fn go_words(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file or directory".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "is a directory".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
