//! What a simulated target does.

/// What a simulated target does.
#[derive(Debug, Clone)]
pub struct SimulatedTarget {
    /// Connections.
    pub pool: usize,
    /// How long a request holds one, seconds.
    pub hold: f64,
    /// How much single requests differ: a share of the hold time.
    pub jitter: f64,
    /// How long a request waits for a connection before it fails, seconds.
    pub patience: f64,
    /// How long a user thinks after each request, seconds.
    pub think: f64,
    /// Share of requests that fail whatever the load.
    pub errors: f64,
    /// Answers nobody for so long each so often: (every, length), seconds.
    pub pause: Option<(f64, f64)>,
    /// Slower by this factor once under load for so long: (after, factor).
    pub slows: Option<(f64, f64)>,
    /// Slower by this factor until it has served so many: (served, factor).
    pub cold: Option<(f64, f64)>,
    /// Slower by this factor at the very start: (seconds, factor), as beside another's work.
    pub starved: Option<(f64, f64)>,
    /// Gets slower and faster by chance, as beside others' work: (share, seconds it stays so).
    pub wanders: Option<(f64, f64)>,
    /// Answers 429 beyond so many requests in a second.
    pub limited: Option<f64>,
    /// Fails, at once, what is asked beyond so many requests in a second.
    pub fails_beyond: Option<f64>,
    /// Some requests hold a connection longer: (share of the requests, factor), as other endpoints do.
    pub mixed: Option<(f64, f64)>,
    /// Slower by this share for each second since the beginning; faster where it is negative.
    pub drifts: f64,
    /// Refuses everything once it was asked so much in a second.
    pub dies: Option<f64>,
    /// Answers nothing more from this second on.
    pub gone: Option<f64>,
    /// The most a generator starts in time, per second.
    pub generator: Option<f64>,
    /// The generator starts late until then, seconds: a neighbour has its machine.
    pub held_up: f64,
    /// Requests come at random (Poisson), not evenly.
    pub random_arrivals: bool,
    /// Hold times are exponential with the mean `hold`; jitter then does not matter.
    pub random_holds: bool,
    /// For what is drawn.
    pub seed: u64,
}

impl SimulatedTarget {
    /// A pool without faults.
    #[must_use]
    pub fn pool(pool: usize, hold: f64) -> Self {
        Self {
            pool,
            hold,
            jitter: 0.02,
            patience: 3.0,
            think: 0.0,
            errors: 0.0,
            pause: None,
            slows: None,
            cold: None,
            starved: None,
            wanders: None,
            limited: None,
            fails_beyond: None,
            mixed: None,
            drifts: 0.0,
            dies: None,
            gone: None,
            generator: None,
            held_up: 0.0,
            random_arrivals: false,
            random_holds: false,
            seed: 1,
        }
    }

    /// One server, requests at random, exponential service times: the time in it is exponential
    /// with the rate `per_second` - load (M/M/1), so every percentile is known at every load.
    #[must_use]
    pub fn queue(per_second: f64) -> Self {
        Self {
            random_arrivals: true,
            random_holds: true,
            patience: f64::INFINITY,
            ..Self::pool(1, 1.0 / per_second)
        }
    }

    /// What it carries, requests per second.
    #[must_use]
    pub fn truth(&self) -> f64 {
        self.pool as f64 / self.hold
    }
}
