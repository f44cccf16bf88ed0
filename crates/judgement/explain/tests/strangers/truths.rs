//! What is right to say of each case, and who can know it. Written before any case was explained, but for one line: that
//! [`RuleId::ScriptCeiling`] is harmless of a healthy case was added after the first scores.
//!
//! A part is right if a team that works on it gets more good answers. Where threads or connections
//! are held during a call whose server is not saturated, both ends are such parts. An answer is
//! harmless where it names what the fault makes visible without blaming a part that is innocent; it
//! counts as neither right nor wrong.

use loadline_explain::{BottleneckPart as Part, RuleId};

use crate::parts::{Fault, Stack, Station, Witness};

/// What is right to say first of a limited case.
pub(crate) struct Truth {
    pub(crate) parts: &'static [Part],
    /// Right whatever part they stand for.
    pub(crate) rules: &'static [RuleId],
    /// Neither right nor wrong.
    pub(crate) harmless: &'static [RuleId],
}

const fn of(parts: &'static [Part]) -> Truth {
    Truth {
        parts,
        rules: &[],
        harmless: &[],
    }
}

/// The truth of a fault; of [`Fault::Healthy`] nothing is right to say.
pub(crate) fn truth(fault: Fault) -> Truth {
    match fault {
        // Closed users that pause do set the rate: it blames nobody.
        Fault::Healthy => Truth {
            harmless: &[RuleId::ScriptCeiling],
            ..of(&[])
        },
        Fault::Cpu | Fault::CpuQuota | Fault::Neighbour => of(&[Part::Cpu]),
        Fault::LoopCpu => Truth {
            rules: &[RuleId::EventLoop],
            ..of(&[Part::Cpu, Part::Code])
        },
        // The loop is held by the call: making it not block, or faster, helps.
        Fault::LoopBlocked => Truth {
            rules: &[RuleId::EventLoop],
            ..of(&[Part::Code, Part::Outside])
        },
        Fault::Workers | Fault::Executor => of(&[Part::Threads, Part::Outside]),
        Fault::PoolHeld => of(&[Part::Pool, Part::Outside]),
        Fault::PoolSmall => Truth {
            harmless: &[RuleId::DatabaseTime],
            ..of(&[Part::Pool])
        },
        Fault::SlowTail => Truth {
            rules: &[RuleId::MissingIndex],
            ..of(&[Part::Pool, Part::Database])
        },
        Fault::RowLock | Fault::HeavyStatement | Fault::ManyStatements => of(&[Part::Database]),
        Fault::DatabaseDisk => Truth {
            harmless: &[RuleId::StorageWait],
            ..of(&[Part::Database])
        },
        Fault::OutsideLimit => of(&[Part::Outside]),
        Fault::OutsideRate => Truth {
            harmless: &[RuleId::Refused, RuleId::LogErrors, RuleId::WrongAnswers],
            ..of(&[Part::Outside])
        },
        Fault::OwnRate => Truth {
            rules: &[RuleId::Refused],
            harmless: &[RuleId::WrongAnswers],
            ..of(&[])
        },
        Fault::Disk => of(&[Part::Storage]),
        Fault::Line => of(&[Part::Network]),
        Fault::MemoryDeath => Truth {
            rules: &[RuleId::OutOfMemory],
            harmless: &[RuleId::Down, RuleId::Stopped, RuleId::LogErrors],
            ..of(&[Part::Memory])
        },
        Fault::Collections => of(&[Part::Memory]),
        Fault::Redis => of(&[Part::Cache]),
        Fault::UserLimit => of(&[Part::TestBed]),
    }
}

/// The station that is full while the fault limits, where it is one.
pub(crate) fn station(fault: Fault) -> Option<Station> {
    Some(match fault {
        Fault::Cpu | Fault::Neighbour => Station::Cpu,
        Fault::LoopCpu | Fault::LoopBlocked => Station::Loop,
        Fault::Workers => Station::Workers,
        Fault::Executor => Station::Executor,
        Fault::PoolHeld | Fault::PoolSmall | Fault::SlowTail => Station::Pool,
        Fault::RowLock => Station::Lock,
        Fault::HeavyStatement | Fault::ManyStatements => Station::DbCpu,
        Fault::DatabaseDisk => Station::DbDisk,
        Fault::OutsideLimit => Station::Outside,
        Fault::Disk => Station::Disk,
        Fault::Line => Station::Line,
        Fault::Redis => Station::Redis,
        _ => return None,
    })
}

/// What a witness tells of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// The resource itself, full.
    Full,
    /// What fits to it.
    Fits,
    Nothing,
}

/// Whether and how well the drawn witnesses know the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origins {
    Insufficient,
    One,
    Two,
}

/// How many witnesses know: one must see the resource itself. What the callers tell of all faults
/// alike is no origin.
pub(crate) fn origins(fault: Fault, stack: Stack, witnesses: &[Witness]) -> Origins {
    let mut sights: Vec<Sight> = witnesses.iter().map(|w| sight(fault, stack, *w)).collect();
    sights.push(callers(fault));
    let full = sights.iter().filter(|s| **s == Sight::Full).count();
    let known = sights.iter().filter(|s| **s != Sight::Nothing).count();
    match (full, known) {
        (0, _) => Origins::Insufficient,
        (_, 1) => Origins::One,
        _ => Origins::Two,
    }
}

/// What callers see of a fault beyond late and lost answers.
fn callers(fault: Fault) -> Sight {
    match fault {
        // The answers themselves say 429.
        Fault::OwnRate => Sight::Full,
        // Bytes a second are flat, and the time passes between an answer's first and last byte.
        Fault::Line => Sight::Full,
        // Answers in time while starts find no user.
        Fault::UserLimit => Sight::Full,
        // All at once, for good.
        Fault::MemoryDeath => Sight::Fits,
        _ => Sight::Nothing,
    }
}

/// What one witness sees of a fault: the table.
fn sight(fault: Fault, stack: Stack, witness: Witness) -> Sight {
    use Sight::{Fits, Full, Nothing};
    match witness {
        Witness::Kernel => match fault {
            Fault::Cpu | Fault::CpuQuota | Fault::Neighbour | Fault::LoopCpu => Full,
            Fault::LoopBlocked | Fault::Disk | Fault::Line => Full,
            // The JVM's counters stand in a file that the kernel's witness reads.
            Fault::Collections => Full,
            // Seen only where a limit of the group is.
            Fault::MemoryDeath => Full,
            // Connections wait to be accepted.
            Fault::Workers => Fits,
            // It is idle while callers wait.
            Fault::UserLimit => Fits,
            _ => Nothing,
        },
        Witness::Page => page(fault, stack),
        Witness::Database => match fault {
            Fault::RowLock | Fault::DatabaseDisk => Full,
            // Sessions idle in transaction, as many as the pool has; or active ones.
            Fault::PoolHeld | Fault::PoolSmall => Fits,
            Fault::HeavyStatement | Fault::ManyStatements => Fits,
            Fault::SlowTail => Full,
            _ => Nothing,
        },
        Witness::DatabaseKernel => match fault {
            Fault::HeavyStatement | Fault::ManyStatements => Full,
            _ => Nothing,
        },
        Witness::Redis => match fault {
            Fault::Redis => Full,
            _ => Nothing,
        },
        Witness::Traces => match fault {
            Fault::OutsideLimit => Full,
            // Spans of the wait for a connection.
            Fault::PoolHeld | Fault::PoolSmall => Full,
            Fault::SlowTail => Full,
            Fault::RowLock | Fault::HeavyStatement | Fault::ManyStatements => Fits,
            Fault::DatabaseDisk | Fault::Redis | Fault::Workers | Fault::Executor => Fits,
            Fault::Cpu | Fault::CpuQuota | Fault::Neighbour | Fault::LoopCpu => Fits,
            Fault::LoopBlocked | Fault::Disk | Fault::Collections => Fits,
            Fault::OutsideRate | Fault::UserLimit => Fits,
            _ => Nothing,
        },
        Witness::Logs => match fault {
            Fault::MemoryDeath | Fault::OutsideRate => Full,
            _ => Nothing,
        },
    }
}

/// What the page of a stack's usual client library tells.
fn page(fault: Fault, stack: Stack) -> Sight {
    use Sight::{Fits, Full, Nothing};
    let has_pool = matches!(stack, Stack::Java | Stack::Go);
    match fault {
        Fault::Cpu => Full,
        Fault::LoopCpu => Full,
        // Only Node's client tells how late and how busy its loop is.
        Fault::LoopBlocked if stack == Stack::Node => Full,
        Fault::Workers | Fault::Executor | Fault::Collections => Full,
        Fault::PoolHeld | Fault::PoolSmall | Fault::SlowTail if has_pool => Full,
        Fault::RowLock if has_pool => Fits,
        // Go's client has no metrics of calls.
        Fault::OutsideLimit if stack != Stack::Go => Full,
        Fault::OutsideRate if stack != Stack::Go => Full,
        Fault::OwnRate => Fits,
        // Of Go no largest heap is told.
        Fault::MemoryDeath if stack == Stack::Java => Full,
        Fault::MemoryDeath => Fits,
        Fault::UserLimit => Fits,
        _ => Nothing,
    }
}
