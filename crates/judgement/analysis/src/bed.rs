//! A test bed part by part: what each was offered and answered, how much it carries, and which
//! is the weakest.
//!
//! All figures of a part are in the unit of its plan, so that parts can be compared by their
//! headroom: how many times the planned load they carry.
//!
//! Elsewhere: who makes the load (`session`), the words (`report`).

mod search;
mod stand_in;

use loadline_record::Limit;

pub use search::RateSearch;
pub use stand_in::StandIn;

/// A part must answer this share of what it is offered.
const ANSWERED_SHARE_MIN: f64 = 0.95;
/// It may fail this share.
const FAILED_SHARE_MAX: f64 = 0.01;
/// Its 95th percentile may grow by this factor over that at the low rate, ...
const P95_GROWTH_MAX: f64 = 2.0;
/// ... or by this much, ms, if that is more.
const P95_GROWTH_MS_MAX: f64 = 100.0;

/// What a part answered at one rate.
#[derive(Debug, Clone, PartialEq)]
pub struct PartMeasurement {
    /// Requests per second offered.
    pub offered: f64,
    /// Good answers per second, once it had begun.
    pub answered: f64,
    /// Share of answers that were failures.
    pub failed: f64,
    /// Good answers that were counted.
    pub answers: f64,
    /// For so long, seconds.
    pub seconds: f64,
    /// Median of the response time, ms; none without answers.
    pub p50_ms: Option<f64>,
    /// 95th percentile of the response time, ms; none without answers.
    pub p95_ms: Option<f64>,
}

/// Whether a part was strong enough for its load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartJudgement {
    /// It is.
    Holds,
    /// It answers no more than this, requests per second.
    GivesWay(f64),
    /// It fails this share of requests.
    Fails(f64),
    /// Its answers take this much longer: ms at the low and at the planned rate.
    Slows(f64, f64),
}

impl PartMeasurement {
    /// Judges the part, compared with its behaviour at a low rate.
    #[must_use]
    pub fn judge(&self, low: Option<&Self>) -> PartJudgement {
        // The edges of what was counted may cut one answer off.
        let edge = if self.seconds > 0.0 {
            1.0 / self.seconds
        } else {
            0.0
        };
        let is_short = self.answered + edge < self.offered * ANSWERED_SHARE_MIN;
        if self.failed > FAILED_SHARE_MAX {
            return if is_short && self.answered > 0.0 {
                PartJudgement::GivesWay(self.answered)
            } else {
                PartJudgement::Fails(self.failed)
            };
        }
        if is_short {
            return PartJudgement::GivesWay(self.answered);
        }
        let before = low.and_then(|low| low.p95_ms);
        match (before, self.p95_ms) {
            (Some(before), Some(now))
                if now > (before * P95_GROWTH_MAX).max(before + P95_GROWTH_MS_MAX) =>
            {
                PartJudgement::Slows(before, now)
            }
            _ => PartJudgement::Holds,
        }
    }
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartRole {
    /// Makes the load.
    Generator,
    /// A server that the target calls, or its stand-in.
    Outside,
    /// Between generator and target.
    Network,
    /// The test's own users, who cannot offer more.
    Users,
    /// What is to be tested.
    Target,
}

impl PartRole {
    /// Its name in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Generator => "generator",
            Self::Outside => "outside",
            Self::Network => "network",
            Self::Users => "users",
            Self::Target => "target",
        }
    }
}

/// Whether a part stands its planned load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartState {
    /// It does.
    Holds,
    /// It answers less than it is offered.
    GivesWay,
    /// It fails this share of requests.
    Fails(f64),
    /// Its answers take longer: ms at the low and at the planned rate.
    Slows(f64, f64),
    /// It does not answer at all.
    NoAnswer,
    /// Nothing speaks against it, and its limit was not looked for.
    NotKnown,
    /// It was not tried, and why.
    NotTried(NotTriedReason),
}

/// Why a part was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTriedReason {
    /// A person ended it before.
    Interrupted,
    /// The generator does not carry its rate.
    Generator,
    /// Another part gives way first, so that its limit would be measured.
    OtherIsWeak,
}

impl PartState {
    /// Its name in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::GivesWay => "gives-way",
            Self::Fails(_) => "fails",
            Self::Slows(..) => "slows",
            Self::NoAnswer => "no-answer",
            Self::NotKnown => "not-known",
            Self::NotTried(NotTriedReason::Interrupted) => "interrupted",
            Self::NotTried(_) => "not-tried",
        }
    }

    /// It does not stand its planned load.
    #[must_use]
    pub const fn is_weak(self) -> bool {
        matches!(
            self,
            Self::GivesWay | Self::Fails(_) | Self::Slows(..) | Self::NoAnswer
        )
    }
}

impl From<PartJudgement> for PartState {
    fn from(judgement: PartJudgement) -> Self {
        match judgement {
            PartJudgement::Holds => Self::Holds,
            PartJudgement::GivesWay(_) => Self::GivesWay,
            PartJudgement::Fails(share) => Self::Fails(share),
            PartJudgement::Slows(before, now) => Self::Slows(before, now),
        }
    }
}

/// How much a part carries, in the unit of its plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PartCapacity {
    /// This and maybe more: no higher rate was tried.
    AtLeast(f64),
    /// This; more was tried and did not hold.
    Measured(f64),
    /// Nobody knows.
    NotKnown,
}

impl PartCapacity {
    /// The rate, if one is known.
    #[must_use]
    pub const fn rate(self) -> Option<f64> {
        match self {
            Self::AtLeast(rate) | Self::Measured(rate) => Some(rate),
            Self::NotKnown => None,
        }
    }
}

/// A rate at which the generator was not healthy.
#[derive(Debug, Clone, PartialEq)]
pub struct UnhealthyRate {
    /// The rate.
    pub rate: f64,
    /// What limited it.
    pub limits: Vec<Limit>,
}

/// A part of the test bed.
#[derive(Debug, Clone, PartialEq)]
pub struct BedPart {
    /// What it is.
    pub role: PartRole,
    /// The URL or test it is known by; empty for the generator.
    pub name: String,
    /// What it is to carry, per second.
    pub planned: f64,
    /// What it carries.
    pub capacity: PartCapacity,
    /// Whether that is enough.
    pub state: PartState,
    /// At a low rate.
    pub low: Option<PartMeasurement>,
    /// Everything tried above that, in its order; the first is the planned rate.
    pub tries: Vec<PartMeasurement>,
    /// CPU used at the planned rate, share of its cores; of the generator alone.
    pub cpu: Option<f64>,
    /// The lowest rate at which the generator was not healthy, and why; of the generator alone.
    pub unhealthy: Option<UnhealthyRate>,
    /// Why requests failed, the most frequent first.
    pub failures: Vec<String>,
    /// Time to connect, ms: a round trip.
    pub connect_ms: Option<f64>,
}

impl BedPart {
    /// A part of which nothing is known yet.
    #[must_use]
    pub fn new(role: PartRole, name: String, planned: f64) -> Self {
        Self {
            role,
            name,
            planned,
            capacity: PartCapacity::NotKnown,
            state: PartState::NotKnown,
            low: None,
            tries: Vec::new(),
            cpu: None,
            unhealthy: None,
            failures: Vec::new(),
            connect_ms: None,
        }
    }

    /// How many times the planned load it carries.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        let rate = self.capacity.rate()?;
        (self.planned > 0.0).then(|| rate / self.planned)
    }

    /// What it answered at its planned rate.
    #[must_use]
    pub fn at_plan(&self) -> Option<&PartMeasurement> {
        self.tries
            .iter()
            .find(|one| (one.offered / self.planned - 1.0).abs() < 0.01)
    }
}

/// All parts, in the order of a request's way.
#[derive(Debug, Clone, PartialEq)]
pub struct TestBed {
    /// The planned rate of the test, per second.
    pub planned: f64,
    /// The parts.
    pub parts: Vec<BedPart>,
    /// Bytes that one start of the test receives; none where that is not known.
    pub bytes_each: Option<f64>,
    /// Stand-ins proposed for weak outside servers.
    pub stand_ins: Vec<StandIn>,
    /// A person ended it before all was tried.
    pub is_interrupted: bool,
}

impl TestBed {
    /// Nothing tried yet.
    #[must_use]
    pub const fn new(planned: f64) -> Self {
        Self {
            planned,
            parts: Vec::new(),
            bytes_each: None,
            stand_ins: Vec::new(),
            is_interrupted: false,
        }
    }

    /// The part that gives way first: of those that do not hold, the one with the least
    /// headroom; else of all whose limit was reached; else of all that were tried.
    #[must_use]
    pub fn weakest(&self) -> Option<&BedPart> {
        // One that does not answer, or of which nothing more is known, carries nothing.
        let headroom = |part: &&BedPart| part.headroom().unwrap_or(0.0);
        let least = |a: &&BedPart, b: &&BedPart| headroom(a).total_cmp(&headroom(b));
        let weak = self.parts.iter().filter(|part| part.state.is_weak());
        let limited = self.parts.iter();
        let limited = limited.filter(|part| matches!(part.capacity, PartCapacity::Measured(_)));
        let known = self.parts.iter().filter(|part| part.headroom().is_some());
        weak.min_by(least)
            .or_else(|| limited.min_by(least))
            .or_else(|| known.min_by(least))
    }

    /// Whether a part does not stand its planned load.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        self.parts.iter().any(|part| part.state.is_weak())
    }
}

#[cfg(test)]
mod tests;
