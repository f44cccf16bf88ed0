//! All outputs of a run: what the run's thread gives them, and what comes of it.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use loadline_metrics::{Merger, Registry, SeriesValue, Window};
use loadline_net::{Settings, Url};
use loadline_units::Time;

use crate::batch::{Batch, Wall, numbered};
use crate::catalog::{Novelties, SharedCatalog};
use crate::config::{FileName, OutputConfig, OutputKind};
use crate::deliver::{Trouble, deliver};
use crate::files::{Csv, Facts, FileSink, Json, Target};
use crate::influxdb::InfluxSink;
use crate::opentelemetry::OpenTelemetrySink;
use crate::post::{NetworkFor, Wish};
use crate::prometheus::PrometheusSink;
use crate::queue::{Change, Queue, Replaced, Wants};
use crate::sink::{MakeSink, Tally};
use crate::spool::Spool;

/// The length of a window.
const WINDOW: Duration = Duration::from_secs(1);

/// How long an attempt under way may take to end once delivery was given up.
const LAST_ATTEMPT: Duration = Duration::from_secs(2);

/// What outputs are started with.
pub struct Setup<'a> {
    /// The outputs.
    pub configs: &'a [OutputConfig],
    /// What files say beside samples.
    pub facts: &'a Facts,
    /// Most bytes that wait for one output.
    pub spool_max: u64,
    /// Where what waits is kept.
    pub spool_dir: PathBuf,
    /// Where relative paths start.
    pub working_dir: PathBuf,
    /// Opens standard output.
    pub stdout: fn() -> Box<dyn Write + Send>,
    /// Makes network settings for a receiver.
    pub network: NetworkFor<'a>,
    /// Wall time at the origin of the run's clock, nanoseconds since 1970.
    pub origin: i64,
    /// The run's metrics.
    pub registry: Arc<Registry>,
}

/// Why outputs cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// A file cannot be written; the words are Go's.
    #[error("open {path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A receiver cannot be reached as asked.
    #[error("could not create the '{output}' output: {reason}")]
    Network {
        /// The output.
        output: String,
        /// Why.
        reason: String,
    },
    /// A thread cannot be made.
    #[error("cannot start an output's thread: {0}")]
    Thread(String),
}

/// Something worth saying about an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The output, as described.
    pub output: String,
    /// What.
    pub what: NoticeKind,
}

/// What there is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoticeKind {
    /// Its queue is full: from this wall time on (nanoseconds since 1970), windows take the
    /// place of single samples.
    Replacing {
        /// The moment.
        from: i64,
    },
    /// It takes single samples again from this wall time on.
    Resumed {
        /// The moment.
        from: i64,
    },
    /// Its receiver takes nothing; it is tried again.
    Failing {
        /// Why.
        reason: String,
    },
    /// Its receiver takes what it is sent again.
    Recovered,
    /// The run is over and the output has not delivered everything yet.
    Waiting,
}

/// What an output came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The output, as described.
    pub output: String,
    /// Points, lines or series' values its receiver has taken.
    pub points: u64,
    /// Single samples that windows took the place of.
    pub replaced: u64,
    /// When the first of these windows began and the last ended, nanoseconds since 1970.
    pub replaced_between: Option<(i64, i64)>,
    /// Points the receiver refused for good.
    pub refused: u64,
    /// Why, the first time.
    pub refusal: Option<String>,
    /// Single samples never delivered.
    pub unsent_samples: u64,
    /// Windows, and values of series, never delivered.
    pub unsent_windows: u64,
}

impl Report {
    /// Whether the receiver has every sample, one by one or in sums.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.refused == 0 && self.unsent_samples == 0 && self.unsent_windows == 0
    }
}

/// The outputs of a run.
#[derive(Debug)]
pub struct Outputs {
    intake: Option<Sender<Batch>>,
    outlets: Vec<Outlet>,
    notices: Receiver<Notice>,
    novelties: Novelties,
    registry: Arc<Registry>,
    wall: Wall,
    opened: Time,
    wants_samples: bool,
}

/// One output.
#[derive(Debug)]
struct Outlet {
    description: String,
    queue: Arc<Queue>,
    state: Arc<Mutex<Delivered>>,
    ended: Receiver<()>,
    give_up: Sender<()>,
}

/// How far an output's thread is.
#[derive(Debug, Default)]
struct Delivered {
    tally: Tally,
    pending: u64,
}

impl Outputs {
    /// Opens files and starts threads; receivers are not asked anything yet.
    ///
    /// # Errors
    /// [`StartError`].
    pub fn start(setup: &Setup<'_>) -> Result<Self, StartError> {
        let catalog = SharedCatalog::default();
        let (tell, notices) = unbounded();
        let mut outlets = Vec::new();
        for config in setup.configs {
            let make = maker(config, setup)?;
            outlets.push(Outlet::start(config, setup, make, &catalog, &tell)?);
        }
        let wants_samples = setup
            .configs
            .iter()
            .any(|config| config.kind.wants() == Wants::Samples);
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
            novelties: Novelties::default(),
            registry: setup.registry.clone(),
            wall: Wall {
                origin: setup.origin,
            },
            opened: Time::ZERO,
            wants_samples,
        })
    }

    /// Whether some output wants single samples.
    #[must_use]
    pub fn wants_samples(&self) -> bool {
        self.wants_samples
    }

    /// Windows are counted from `at`.
    pub fn windows_open(&mut self, at: Time) {
        self.opened = at;
    }

    /// Takes a window; returns at once.
    pub fn window(&mut self, window: &Window, merger: &Merger, now: Time) {
        let mut new = self.novelties.of(merger, &self.registry);
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
        let from = self.opened + WINDOW * u32::try_from(window).unwrap_or(u32::MAX);
        Batch {
            new: crate::catalog::Additions::default(),
            wall: self.wall,
            from: self.wall.at(from),
            until: self.wall.at((from + WINDOW).min(now.max(from))),
            raw,
            series: numbered(series),
        }
    }

    fn give(&self, batch: Batch) {
        if let Some(intake) = &self.intake {
            // The thread at the other end ends only when this one lets go.
            let _ = intake.send(batch);
        }
    }

    /// What there is to say since the last call.
    pub fn notices(&self) -> impl Iterator<Item = Notice> {
        self.notices.try_iter()
    }

    /// Delivers what is left, for at most `patience`, and says what came of each output.
    /// `waits` hears, once, which take more than a moment.
    pub fn finish(&mut self, patience: Duration, waits: impl FnOnce(&[Notice])) -> Vec<Report> {
        self.intake = None;
        let moment = Duration::from_millis(500).min(patience);
        let first = crossbeam_channel::after(moment);
        let mut open: Vec<&Outlet> = self.outlets.iter().collect();
        open.retain(|outlet| !outlet.ends_before(&first));
        if !open.is_empty() {
            let waiting = open.iter().map(|outlet| Notice {
                output: outlet.description.clone(),
                what: NoticeKind::Waiting,
            });
            waits(&waiting.collect::<Vec<_>>());
            let last = crossbeam_channel::after(patience - moment);
            open.retain(|outlet| !outlet.ends_before(&last));
        }
        for outlet in &open {
            // A thread that has ended just now needs no telling.
            let _ = outlet.give_up.try_send(());
        }
        let last = crossbeam_channel::after(LAST_ATTEMPT);
        open.retain(|outlet| !outlet.ends_before(&last));
        self.outlets.iter().map(Outlet::report).collect()
    }
}

impl Outlet {
    fn start(
        config: &OutputConfig,
        setup: &Setup<'_>,
        make: MakeSink,
        catalog: &SharedCatalog,
        tell: &Sender<Notice>,
    ) -> Result<Self, StartError> {
        let description = config.description();
        let spool = Spool::new(setup.spool_dir.clone(), setup.spool_max);
        let queue = Arc::new(Queue::new(config.kind.wants(), spool));
        let state: Arc<Mutex<Delivered>> = Arc::default();
        let (ended_in, ended) = bounded(1);
        let (give_up, give_up_out) = bounded(1);
        let thread = (queue.clone(), state.clone(), catalog.clone(), tell.clone());
        let output = description.clone();
        spawn("output", move || {
            let (queue, state, catalog, tell) = thread;
            let mut sink = make();
            let said = |trouble: Trouble| {
                let what = match trouble {
                    Trouble::Failing(reason) => NoticeKind::Failing { reason },
                    Trouble::Recovered => NoticeKind::Recovered,
                };
                let output = output.clone();
                // The run may be over.
                let _ = tell.send(Notice { output, what });
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
            // Nobody waits any more only when the process is about to end.
            let _ = ended_in.send(());
        })?;
        Ok(Self {
            description,
            queue,
            state,
            ended,
            give_up,
        })
    }

    /// Whether its thread ends before `deadline`.
    fn ends_before(&self, deadline: &Receiver<std::time::Instant>) -> bool {
        crossbeam_channel::select! {
            recv(self.ended) -> _ => true,
            recv(deadline) -> _ => !self.ended.is_empty(),
        }
    }

    fn report(&self) -> Report {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Replaced {
            samples,
            first,
            last,
        } = self.queue.replaced();
        let waiting = self.queue.drain();
        Report {
            output: self.description.clone(),
            points: state.tally.points,
            replaced: samples,
            replaced_between: first.map(|first| (first, last)),
            refused: state.tally.refused,
            refusal: state.tally.refusal.clone(),
            unsent_samples: waiting.samples,
            unsent_windows: waiting.windows + state.pending,
        }
    }
}

/// Gives each window to every output, in order.
fn take_in(
    batches: &Receiver<Batch>,
    queues: &[(String, Arc<Queue>)],
    catalog: &SharedCatalog,
    tell: &Sender<Notice>,
) {
    for batch in batches {
        catalog.add(&batch.new);
        for (output, queue) in queues {
            let what = match queue.push(&batch) {
                None => continue,
                Some(Change::Replacing { from }) => NoticeKind::Replacing { from },
                Some(Change::Resumed { from }) => NoticeKind::Resumed { from },
            };
            let output = output.clone();
            // The run may be over.
            let _ = tell.send(Notice { output, what });
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

/// What makes an output's sink, with its file open.
fn maker(config: &OutputConfig, setup: &Setup<'_>) -> Result<MakeSink, StartError> {
    let reached = |url: &Url, wish: &Wish| -> Result<Arc<Settings>, StartError> {
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

fn open(file: &FileName, setup: &Setup<'_>) -> Result<Target, StartError> {
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

/// The kernel's error as Go says it.
fn go_words(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file or directory".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        ErrorKind::IsADirectory => "is a directory".to_owned(),
        _ => error.to_string(),
    }
}
