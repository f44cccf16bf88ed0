//! Which findings are only symptoms of another one.

use super::finding::RuleId as R;

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

/// What a cause makes look like a limit, too.
pub(super) fn symptoms(cause: R) -> &'static [R] {
    match cause {
        R::HeapTooSmall | R::CpuQuota | R::NoisyNeighbour => &[
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
        R::TooFewThreads => &[R::SlowOutside, R::NetworkDelay],
        R::EventLoop => &[R::TargetCpu, R::TooFewThreads, R::NetworkDelay],
        R::AcceptQueue => &[R::NetworkDelay, R::NetworkLoss],
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
