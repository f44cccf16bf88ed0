//! Which resources wait for what their holders do: the deepest of them is the limit.
//!
//! Threads that wait for a connection are no lack of threads, and connections held during a call are
//! no lack of connections. A deeper cause hides what waits for it only where it accounts for most
//! of that: a lock that one request in ten waits for is no reason for a full pool.

use super::finding::{EvidenceGrade, RuleId as R};
use super::under_way::Account;

/// A cause hides what waits for it where it accounts for at least this part of what that does.
const HIDING_PART_MIN: f64 = 0.5;

// What looks like a limit, too, where a pool, a database or a CPU is used up, or a compiler at work.
const OF_POOL: &[R] = &[
    R::PoolExhausted,
    R::Stopped,
    R::TooFewThreads,
    R::SlowOutside,
    R::OutsideLimit,
    R::NetworkDelay,
    R::DatabaseTime,
];
const OF_DATABASE: &[R] = &[
    R::PoolTooSmall,
    R::PoolExhausted,
    R::TooFewThreads,
    R::DatabaseTime,
    R::NetworkDelay,
];
const OF_CPU: &[R] = &[
    R::PoolTooSmall,
    R::PoolExhausted,
    R::TooFewThreads,
    R::NetworkDelay,
    R::DatabaseTime,
];
const OF_COMPILING: &[R] = &[
    R::TargetCpu,
    R::PoolTooSmall,
    R::PoolExhausted,
    R::TooFewThreads,
    R::NetworkDelay,
    R::DatabaseTime,
];

/// A finding that limits, as the chain sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) rule: R,
    pub(super) account: Account,
    pub(super) grade: EvidenceGrade,
}

impl Link {
    /// The other one limits only because this one does.
    pub(super) fn hides(self, other: Self) -> bool {
        // Users who pause set the rate, and who is turned away is by a limit of its own, only as long as nothing
        // is used up.
        let is_behind = symptoms(self.rule).contains(&other.rule)
            || ((other.is_told_by_answers() || other.is_at_door()) && is_used_up(self.rule));
        let is_most = match (self.account, other.account) {
            (Account::Share(cause), Account::Share(symptom)) => cause >= HIDING_PART_MIN * symptom,
            _ => true,
        };
        self.rule != other.rule && is_behind && is_most
    }
}

impl Link {
    /// A resource of the target that is used up is what it is about.
    pub(super) const fn is_used_up(self) -> bool {
        is_used_up(self.rule)
    }

    /// Connections wait to be accepted by a process that is busy.
    fn is_at_door(&self) -> bool {
        self.rule == R::AcceptQueue && self.grade == EvidenceGrade::C
    }

    /// Users who pause, or answers that a queue that is full gives as well as a limit of its own.
    fn is_told_by_answers(self) -> bool {
        let is_unsure = self.grade == EvidenceGrade::C;
        self.rule == R::ScriptCeiling || (self.rule == R::Refused && is_unsure)
    }
}

/// A resource of the target that is used up is what the finding is about.
const fn is_used_up(rule: R) -> bool {
    matches!(
        rule,
        R::TargetCpu
            | R::CpuQuota
            | R::HeapTooSmall
            | R::EventLoop
            | R::TooFewThreads
            | R::PoolHeld
            | R::PoolTooSmall
            | R::PoolExhausted
            | R::RowLock
            | R::ManyStatements
            | R::MissingIndex
            | R::DatabaseCpu
            | R::DatabaseStorage
            | R::StorageWait
            | R::DatabaseSessions
            | R::RedisCpu
            | R::OpenFiles
            | R::UnevenLoad
    )
}

/// What cannot be opened is a connection of a pool, a call, or a caller.
const OF_FILES: &[R] = &[
    R::AcceptQueue,
    R::OutsideUnreachable,
    R::NetworkDelay,
    R::NetworkLoss,
];

/// What a cause makes look like a limit, too.
fn symptoms(cause: R) -> &'static [R] {
    match cause {
        // Who cannot run cannot accept either.
        R::NoisyNeighbour => &[
            R::TargetCpu,
            R::LongPauses,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
            R::NetworkDelay,
            R::AcceptQueue,
        ],
        R::HeapTooSmall | R::CpuQuota => &[
            R::TargetCpu,
            R::NoisyNeighbour,
            R::LongPauses,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
            R::NetworkDelay,
        ],
        R::TargetCpu => OF_CPU,
        R::Cold => OF_COMPILING,
        R::ManyStatements => &[
            R::TargetCpu,
            R::DatabaseCpu,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
            R::DatabaseTime,
        ],
        R::MissingIndex => &[
            R::DatabaseCpu,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
            R::DatabaseTime,
        ],
        R::DatabaseCpu | R::DatabaseSessions => OF_DATABASE,
        R::RowLock => &[
            R::PoolHeld,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
            R::DatabaseTime,
            R::NetworkDelay,
        ],
        R::PoolHeld | R::PoolTooSmall => OF_POOL,
        R::PoolExhausted => &[R::TooFewThreads, R::NetworkDelay, R::Stopped],
        R::OutsideLimit => &[R::TooFewThreads, R::NetworkDelay],
        // What is passed on to callers, and waited for until the next attempt.
        R::OutsideRefused => &[
            R::Refused,
            R::Retries,
            R::WaitsInside,
            R::SlowOutside,
            R::OutsideUnreachable,
            R::NetworkDelay,
        ],
        R::TooFewThreads => &[R::SlowOutside, R::NetworkDelay],
        R::EventLoop => &[R::TargetCpu, R::TooFewThreads, R::NetworkDelay],
        R::AcceptQueue => &[R::NetworkDelay, R::NetworkLoss],
        R::OpenFiles => OF_FILES,
        R::StorageWait => &[R::TooFewThreads, R::NetworkDelay, R::WaitsInside],
        R::DatabaseStorage => OF_DATABASE,
        R::NetworkBandwidth => &[R::NetworkDelay],
        R::UnevenLoad => &[
            R::TargetCpu,
            R::PoolTooSmall,
            R::PoolExhausted,
            R::TooFewThreads,
        ],
        R::ScriptCeiling => &[R::NetworkDelay, R::SlowOutside],
        R::Stopped => &[R::NetworkDelay],
        // Users in loops who are refused at once come again at once.
        R::Down => &[R::Generator, R::Stopped, R::NetworkDelay],
        // A heap that is nearly full has the collector stop everything, before it ends everything.
        R::OutOfMemory => &[R::NetworkDelay, R::EventLoop, R::TargetCpu, R::LongPauses],
        R::Refused => &[R::NetworkDelay],
        _ => &[],
    }
}
