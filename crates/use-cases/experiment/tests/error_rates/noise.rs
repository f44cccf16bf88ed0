//! Windows of levels whose true value is known exactly, and targets whose line is.

use std::convert::Infallible;

use loadline_analysis::slo::Sample;
use loadline_experiment::runner::{Runner, RunnerRequirements, Running};
use loadline_experiment::window::LoadWindow;
use loadline_metrics::Histogram;

/// The 95th percentile of the normal distribution.
const NORMAL_P95: f64 = 1.644_854;
/// How much single requests differ, and windows from each other: of the logarithm.
const SPREAD_WITHIN: f64 = 0.5;
const SPREAD_BETWEEN: f64 = 0.35;
const LIMIT_MS: f64 = 500.0;
const ERROR_SHARE: f64 = 0.01;
/// Where the line of a target with this noise lies, requests per second.
pub(crate) const LINE_RATE: f64 = 100.0;
/// A server with equal service times that 100 requests come to by chance each second has its
/// p95 at the limit when it serves so many (M/D/1; by simulating 40 million of its requests).
const EQUAL_RATE: f64 = 100.0;
pub(crate) const EQUAL_SERVED: f64 = 102.985_55;

/// How windows follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Noise {
    /// Requests are independent: p95 of a log-normal latency.
    Independent,
    /// Windows are faster and slower, and follow each other with this autocorrelation.
    Correlated(f64),
    /// Independent errors.
    Errors,
    /// Errors in spells of about so many seconds, in a fifth of the time.
    ErrorSpells(f64),
    /// The mean of windows that follow each other with an autocorrelation of 0.6.
    Mean,
    /// A queue near its limit (M/M/1), begun empty: p95 of what it comes to.
    Queue,
    /// The same with service times that are all equal (M/D/1).
    EqualQueue,
}

impl Noise {
    pub(crate) const ALL: [Self; 10] = [
        Self::Independent,
        Self::Correlated(0.3),
        Self::Correlated(0.6),
        Self::Correlated(0.9),
        Self::Errors,
        Self::ErrorSpells(2.0),
        Self::ErrorSpells(4.0),
        Self::Mean,
        Self::Queue,
        Self::EqualQueue,
    ];
    /// Those that are a target of which every load has a value of its own.
    pub(crate) const TARGETS: [Self; 8] = [
        Self::Independent,
        Self::Correlated(0.3),
        Self::Correlated(0.6),
        Self::Correlated(0.9),
        Self::Errors,
        Self::ErrorSpells(2.0),
        Self::ErrorSpells(4.0),
        Self::Mean,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Independent => "p95, independent",
            Self::Correlated(rho) if rho < 0.5 => "p95, autocorrelation 0.3",
            Self::Correlated(rho) if rho < 0.8 => "p95, autocorrelation 0.6",
            Self::Correlated(_) => "p95, autocorrelation 0.9",
            Self::Errors => "errors, independent",
            Self::ErrorSpells(seconds) if seconds < 3.0 => "errors, 2 s of every 10 s",
            Self::ErrorSpells(_) => "errors, 4 s of every 20 s",
            Self::Mean => "mean, autocorrelation 0.6",
            Self::Queue => "p95, a queue begun empty (M/M/1)",
            Self::EqualQueue => "p95, a queue begun empty (M/D/1)",
        }
    }

    pub(crate) fn term(self) -> &'static str {
        match self {
            Self::Errors | Self::ErrorSpells(_) => "errors<1%",
            Self::Mean => "mean<500ms",
            _ => "p(95)<500ms",
        }
    }

    /// What a request takes on average without load, ms: waves are the target's own, not of a
    /// queue, and are there without load, too.
    pub(crate) fn idle_ms(self, offset: f64) -> f64 {
        let limit = LIMIT_MS * (1.0 + offset);
        match self {
            Self::Independent => {
                limit * (SPREAD_WITHIN.powi(2) / 2.0 - NORMAL_P95 * SPREAD_WITHIN).exp()
            }
            Self::Correlated(_) => {
                let spread = SPREAD_WITHIN.hypot(SPREAD_BETWEEN);
                limit * (spread.powi(2) / 2.0 - NORMAL_P95 * spread).exp()
            }
            Self::Mean => limit,
            Self::Errors | Self::ErrorSpells(_) => 100.0,
            Self::Queue => 1000.0 / (LINE_RATE + 20.0_f64.ln() / (limit / 1000.0)),
            Self::EqualQueue => 1000.0 / EQUAL_SERVED,
        }
    }

    /// Endless windows of `rate` requests; the true value is `1 + offset` times the limit.
    pub(crate) fn windows(
        self,
        rate: f64,
        offset: f64,
        seed: u64,
    ) -> Box<dyn Iterator<Item = LoadWindow>> {
        let mut source = Source::new(self, seed);
        source.rate = rate;
        source.scale = 1.0 + offset;
        Box::new(std::iter::from_fn(move || Some(source.window())))
    }

    /// The value at a load, as a share of the limit: 1 at the line.
    fn scale_at(self, load: f64) -> f64 {
        let part = load / LINE_RATE;
        match self {
            Self::Errors | Self::ErrorSpells(_) => part.powi(2),
            _ => 0.4 + 0.6 * part.powi(4),
        }
    }
}

/// A target with a noise and a seed.
pub(crate) struct Noisy(pub(crate) Noise, pub(crate) u64);

impl Runner for Noisy {
    type Running = Source;
    type Error = Infallible;

    fn start(&mut self, _: &RunnerRequirements) -> Result<Source, Infallible> {
        Ok(Source::new(self.0, self.1))
    }
}

impl Running for Source {
    fn set_level(&mut self, level: f64) {
        self.rate = level;
        self.scale = self.noise.scale_at(level);
    }

    fn next_window(&mut self) -> Option<LoadWindow> {
        (self.second < SEARCH_SECONDS_MAX).then(|| self.window())
    }

    fn stop(&mut self) {
        self.second = SEARCH_SECONDS_MAX;
    }
}

pub(crate) struct Source {
    random: Random,
    noise: Noise,
    rate: f64,
    scale: f64,
    second: f64,
    /// Where the windows' own wave is, in standard deviations.
    wave: f64,
    in_spell: bool,
    /// When the queue's server is free, and the next request comes.
    free: f64,
    next: f64,
}

impl Source {
    fn new(noise: Noise, seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self {
            noise,
            rate: 0.0,
            scale: 1.0,
            second: 0.0,
            wave: random.normal(),
            in_spell: random.even() < 0.2,
            free: 0.0,
            next: 0.0,
            random,
        }
    }

    fn window(&mut self) -> LoadWindow {
        let (durations, bad) = match self.noise {
            _ if self.rate <= 0.0 => (Vec::new(), 0),
            Noise::Independent => (self.log_normal(0.0, NORMAL_P95), 0),
            Noise::Correlated(rho) => {
                self.step_wave(rho);
                (self.log_normal(SPREAD_BETWEEN, NORMAL_P95), 0)
            }
            Noise::Mean => {
                self.step_wave(0.6);
                (self.log_normal(SPREAD_BETWEEN, 0.0), 0)
            }
            Noise::Errors => self.failing(ERROR_SHARE * self.scale),
            Noise::ErrorSpells(seconds) => {
                self.step_spell(seconds);
                let share = if self.in_spell {
                    5.0 * ERROR_SHARE * self.scale
                } else {
                    0.0
                };
                self.failing(share)
            }
            Noise::Queue | Noise::EqualQueue => (self.queued(), 0),
        };
        self.second += 1.0;
        self.as_window(&durations, bad)
    }

    /// How many requests come in a second: whole ones, on average as many as asked for.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count"
    )]
    fn count(&mut self) -> usize {
        (self.rate + self.random.even()).floor() as usize
    }

    /// Requests of which this share fails.
    fn failing(&mut self, share: f64) -> (Vec<f64>, u64) {
        let count = self.count();
        let failures = (0..count).map(|_| u64::from(self.random.even() < share));
        let failures = failures.sum();
        (vec![100.0; count], failures)
    }

    fn step_wave(&mut self, rho: f64) {
        self.wave = rho * self.wave + (1.0 - rho * rho).sqrt() * self.random.normal();
    }

    /// A fifth of the time is in a spell.
    fn step_spell(&mut self, seconds: f64) {
        let ends = 1.0 / seconds;
        let change = if self.in_spell { ends } else { ends / 4.0 };
        self.in_spell ^= self.random.even() < change;
    }

    /// Times whose percentile at `z`, or mean for zero, over all windows is known.
    fn log_normal(&mut self, between: f64, z: f64) -> Vec<f64> {
        let spread = SPREAD_WITHIN.hypot(between);
        let beside = if z > 0.0 {
            z * spread
        } else {
            spread * spread / 2.0
        };
        let middle = (LIMIT_MS * self.scale).ln() - beside + between * self.wave;
        (0..self.count())
            .map(|_| (middle + SPREAD_WITHIN * self.random.normal()).exp())
            .collect()
    }

    /// A queue that serves as fast as makes its p95 the limit.
    fn queued(&mut self) -> Vec<f64> {
        let is_equal = self.noise == Noise::EqualQueue;
        let per_second = if is_equal {
            // Twice as far from its limit the tail is half as long.
            EQUAL_RATE + (EQUAL_SERVED - EQUAL_RATE) / self.scale
        } else {
            self.rate + 20.0_f64.ln() / (LIMIT_MS * self.scale / 1000.0)
        };
        let mut durations = Vec::new();
        while self.next < self.second + 1.0 {
            let work = if is_equal {
                1.0
            } else {
                self.random.exponential()
            };
            self.free = self.free.max(self.next) + work / per_second;
            durations.push((self.free - self.next) * 1000.0);
            self.next += self.random.exponential() / self.rate;
        }
        durations
    }

    fn as_window(&mut self, durations: &[f64], bad: u64) -> LoadWindow {
        let count = durations.len() as f64;
        let mean = durations.iter().sum::<f64>() / count.max(1.0);
        let waiting = self.rate * mean / 1000.0;
        // Little's law, and the chance of counting.
        let in_flight = (waiting + waiting.sqrt() * self.random.normal())
            .max(0.0)
            .round();
        LoadWindow {
            end: self.second,
            span: 1.0,
            started: count,
            ended: count,
            in_flight,
            requests: count,
            failed: bad as f64,
            durations: Histogram::from_values(durations),
            iterations: Histogram::from_values(durations),
            samples: vec![Sample {
                durations: Histogram::from_values(durations),
                bad,
                all: durations.len() as u64,
                ..Sample::default()
            }],
            ..LoadWindow::default()
        }
    }
}

/// Seconds after which a search is over in any case.
const SEARCH_SECONDS_MAX: f64 = 1200.0;

/// xorshift64*, seeded by splitmix64.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Self((mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) | 1)
    }

    fn even(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.even()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.even()).cos()
    }

    fn exponential(&mut self) -> f64 {
        -(1.0 - self.even()).ln()
    }
}
