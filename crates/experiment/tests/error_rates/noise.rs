//! Windows of levels whose true value is known exactly.

use loadline_analysis::slo::Sample;
use loadline_experiment::window::Window;
use loadline_metrics::Histogram;

/// The 95th percentile of the normal distribution.
const Z95: f64 = 1.644_854;
/// How much single requests differ, and windows from each other: of the logarithm.
const WITHIN: f64 = 0.5;
const BETWEEN: f64 = 0.35;
const LIMIT_MS: f64 = 500.0;
const ERRORS: f64 = 0.01;

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
}

impl Noise {
    pub(crate) const ALL: [Self; 9] = [
        Self::Independent,
        Self::Correlated(0.3),
        Self::Correlated(0.6),
        Self::Correlated(0.9),
        Self::Errors,
        Self::ErrorSpells(2.0),
        Self::ErrorSpells(4.0),
        Self::Mean,
        Self::Queue,
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
        }
    }

    pub(crate) fn term(self) -> &'static str {
        match self {
            Self::Errors | Self::ErrorSpells(_) => "errors<1%",
            Self::Mean => "mean<500ms",
            _ => "p(95)<500ms",
        }
    }

    /// Endless windows of `rate` requests; the true value is `1 + offset` times the limit.
    pub(crate) fn windows(
        self,
        rate: f64,
        offset: f64,
        seed: u64,
    ) -> Box<dyn Iterator<Item = Window>> {
        let mut source = Source {
            random: Random::new(seed),
            noise: self,
            rate,
            scale: 1.0 + offset,
            second: 0.0,
            wave: 0.0,
            in_spell: false,
            free: 0.0,
            next: 0.0,
        };
        source.begin();
        Box::new(std::iter::from_fn(move || Some(source.window())))
    }
}

struct Source {
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
    fn begin(&mut self) {
        self.wave = self.random.normal();
        self.in_spell = self.random.even() < 0.2;
    }

    fn window(&mut self) -> Window {
        let (durations, bad) = match self.noise {
            Noise::Independent => (self.log_normal(0.0, Z95), 0),
            Noise::Correlated(rho) => {
                self.step_wave(rho);
                (self.log_normal(BETWEEN, Z95), 0)
            }
            Noise::Mean => {
                self.step_wave(0.6);
                (self.log_normal(BETWEEN, 0.0), 0)
            }
            Noise::Errors => (
                vec![100.0; self.count()],
                self.failures(ERRORS * self.scale),
            ),
            Noise::ErrorSpells(seconds) => {
                self.step_spell(seconds);
                let share = if self.in_spell {
                    5.0 * ERRORS * self.scale
                } else {
                    0.0
                };
                (vec![100.0; self.count()], self.failures(share))
            }
            Noise::Queue => (self.queued(), 0),
        };
        self.second += 1.0;
        self.as_window(&durations, bad)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count"
    )]
    fn count(&self) -> usize {
        self.rate as usize
    }

    fn failures(&mut self, share: f64) -> u64 {
        (0..self.count())
            .map(|_| u64::from(self.random.even() < share))
            .sum()
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
        let spread = WITHIN.hypot(between);
        let beside = if z > 0.0 {
            z * spread
        } else {
            spread * spread / 2.0
        };
        let middle = (LIMIT_MS * self.scale).ln() - beside + between * self.wave;
        (0..self.count())
            .map(|_| (middle + WITHIN * self.random.normal()).exp())
            .collect()
    }

    /// A queue that serves as fast as makes its p95 the limit.
    fn queued(&mut self) -> Vec<f64> {
        let per_second = self.rate + 20.0_f64.ln() / (LIMIT_MS * self.scale / 1000.0);
        let mut durations = Vec::new();
        while self.next < self.second + 1.0 {
            self.free = self.free.max(self.next) + self.random.exponential() / per_second;
            durations.push((self.free - self.next) * 1000.0);
            self.next += self.random.exponential() / self.rate;
        }
        durations
    }

    fn as_window(&mut self, durations: &[f64], bad: u64) -> Window {
        let count = durations.len() as f64;
        let mean = durations.iter().sum::<f64>() / count.max(1.0);
        let waiting = self.rate * mean / 1000.0;
        // Little's law, and the chance of counting.
        let in_flight = (waiting + waiting.sqrt() * self.random.normal())
            .max(0.0)
            .round();
        Window {
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
            ..Window::default()
        }
    }
}

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
