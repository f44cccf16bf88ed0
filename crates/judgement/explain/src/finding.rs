//! What a rule says.

use loadline_record::signals::{Entity, LineLevel};
use loadline_text::Message;

use super::statement::HeavyStatement;

/// A statement about what limits, with its evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct BottleneckFinding {
    /// Which rule says so.
    pub rule: RuleId,
    /// Where the limit lies.
    pub part: BottleneckPart,
    /// How good the evidence is.
    pub grade: EvidenceGrade,
    /// What it means for the rate.
    pub role: FindingRole,
    /// What it is about.
    pub entity: Entity,
    /// The statement.
    pub statement: Message,
    /// The numbers it rests on.
    pub evidence: Vec<Evidence>,
    /// The statements it is about.
    pub statements: Vec<HeavyStatement>,
    /// What speaks against it, or makes it less certain.
    pub contradictions: Vec<Message>,
    /// Lines of logs that say the same.
    pub logged: Vec<LogLine>,
    /// What to do, the cheapest first.
    pub advice: Vec<Advice>,
    /// The request rate at which it limits, where a law tells.
    pub ceiling: Option<f64>,
}

/// A line of a log, with how often and when it came.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// A sample, masked.
    pub text: String,
    /// How grave it says it is; `None` where its form tells nothing.
    pub level: Option<LineLevel>,
    /// How often.
    pub count: f64,
    /// Seconds since the run's start at which it came first and last.
    pub from_s: f64,
    /// See above.
    pub to_s: f64,
}

/// Where a limit lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BottleneckPart {
    /// Generator, test or stand-ins.
    TestBed,
    /// Between callers and target.
    Network,
    /// The target's CPU.
    Cpu,
    /// The target's memory.
    Memory,
    /// Threads and sockets that take requests.
    Threads,
    /// Files that a process may have open, its connections among them.
    Files,
    /// A pool of connections.
    Pool,
    /// The database.
    Database,
    /// Another server that the target calls.
    Outside,
    /// A cache or a message broker.
    Cache,
    /// The disk that the target writes to or reads from.
    Storage,
    /// The target's own code.
    Code,
    /// Not known.
    Unknown,
}

impl BottleneckPart {
    /// All parts.
    pub const ALL: [Self; 13] = [
        Self::TestBed,
        Self::Network,
        Self::Cpu,
        Self::Memory,
        Self::Threads,
        Self::Files,
        Self::Pool,
        Self::Database,
        Self::Outside,
        Self::Cache,
        Self::Storage,
        Self::Code,
        Self::Unknown,
    ];

    /// The part of a name in files.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TestBed => "test-bed",
            Self::Network => "network",
            Self::Cpu => "cpu",
            Self::Memory => "memory",
            Self::Threads => "threads",
            Self::Files => "files",
            Self::Pool => "pool",
            Self::Database => "database",
            Self::Outside => "outside",
            Self::Cache => "cache",
            Self::Storage => "storage",
            Self::Code => "code",
            Self::Unknown => "unknown",
        }
    }
}

/// How good evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceGrade {
    /// Seen where it happens.
    A,
    /// Inferred from several sources that agree.
    B,
    /// From metrics that fit, and would fit other causes.
    C,
}

impl EvidenceGrade {
    /// The letter.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }
}

/// What a finding means for the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingRole {
    /// It limits now.
    Limit,
    /// It limits when what limits now is fixed.
    Next,
    /// It makes requests slow without limiting their rate.
    Slow,
    /// Something else that must be known.
    Notice,
}

impl RuleId {
    /// Requests fail by themselves: the finding is of no limit.
    #[must_use]
    pub const fn is_of_failing(self) -> bool {
        matches!(
            self,
            Self::FailingAtRandom
                | Self::FailingInLoops
                | Self::FailingAfterWork
                | Self::FailingAtAnyLoad
                | Self::FailingUnclear
                | Self::FailingSince
                | Self::WrongRequests
                | Self::WrongAnswers
        )
    }
}

impl RuleId {
    /// It is about a setting with a reason of its own, which comes before others are tuned; it tells of no limit.
    #[must_use]
    pub const fn is_of_settings(self) -> bool {
        matches!(
            self,
            Self::PoolsAboveSessions
                | Self::PoolGrows
                | Self::PoolPatience
                | Self::ConnectionLimits
                | Self::HeapQuarter
                | Self::HeapNearlyFull
                | Self::SerialCollector
        )
    }
}

impl FindingRole {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Next => "next",
            Self::Slow => "slow",
            Self::Notice => "notice",
        }
    }
}

/// A number that a finding rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Its name in files.
    pub name: &'static str,
    /// What it is.
    pub label: Message,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: EvidenceUnit,
}

/// The unit of a number in evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceUnit {
    /// A number of things.
    Count,
    /// So many a second.
    PerSecond,
    /// Milliseconds.
    Millis,
    /// A share, 0 to 1.
    Share,
    /// CPU cores.
    Cores,
    /// Bytes a second.
    BytesPerSecond,
}

impl EvidenceUnit {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::PerSecond => "per-second",
            Self::Millis => "ms",
            Self::Share => "share",
            Self::Cores => "cores",
            Self::BytesPerSecond => "bytes-per-second",
        }
    }
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// In words.
    pub action: Message,
    /// The setting, statement or log line, as it is typed.
    pub setting: Option<String>,
    /// The request rate it is predicted to give.
    pub predicted: Option<f64>,
    /// What limits then.
    pub then: Option<BottleneckPart>,
    /// It is done by a setting, and nothing tells of which stack or library.
    pub is_stack_unknown: bool,
}

/// What something is set by in the target's own stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StackSetting {
    /// This.
    Named(&'static str),
    /// Nothing: the stack has no such setting.
    None,
    /// It is not seen which stack it is, or which library.
    UnknownStack,
}

impl Advice {
    /// Without a prediction.
    #[must_use]
    pub fn to(action: Message) -> Self {
        Self {
            action,
            setting: None,
            predicted: None,
            then: None,
            is_stack_unknown: false,
        }
    }

    pub(super) fn by(mut self, setting: &str) -> Self {
        self.setting = Some(setting.to_owned());
        self
    }

    /// By a setting of the target's own stack, where that is known.
    pub(super) fn by_stack(mut self, setting: StackSetting) -> Self {
        match setting {
            StackSetting::Named(setting) => self.setting = Some(setting.to_owned()),
            StackSetting::UnknownStack => self.is_stack_unknown = true,
            StackSetting::None => {}
        }
        self
    }

    pub(super) fn giving(mut self, predicted: Option<(f64, Option<BottleneckPart>)>) -> Self {
        self.predicted = predicted.map(|(rate, _)| rate);
        self.then = predicted.and_then(|(_, then)| then);
        self
    }
}

macro_rules! rule_ids {
    ($($(#[$doc:meta])* $id:ident $name:literal;)*) => {
        /// A rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RuleId {
            $($(#[$doc])* $id,)*
        }

        impl RuleId {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$id,)*];

            /// Its name in files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$id => $name,)*
                }
            }
        }
    };
}

rule_ids! {
    /// The generator was too weak.
    Generator "generator";
    /// The users' own pauses set the rate.
    ScriptCeiling "script-ceiling";
    /// The test allows too few users.
    UserLimit "user-limit";
    /// Answers are wrong although their status is not.
    WrongAnswers "wrong-answers";
    /// The clocks of target and generator differ.
    ClockOff "clock-off";
    /// The line is full.
    NetworkBandwidth "network-bandwidth";
    /// The way takes long.
    NetworkDelay "network-delay";
    /// The line loses segments.
    NetworkLoss "network-loss";
    /// Callers open a connection for each request.
    ConnectionsOfCallers "connections-of-callers";
    /// The CPU quota stops the target.
    CpuQuota "cpu-quota";
    /// Somebody else uses the target's cores.
    NoisyNeighbour "noisy-neighbour";
    /// The collector works all the time.
    HeapTooSmall "heap-too-small";
    /// Collections stop the target for long.
    LongPauses "long-pauses";
    /// The target's cores are used up.
    TargetCpu "target-cpu";
    /// Memory is near its limit.
    MemoryLimit "memory-limit";
    /// The run-time compiler was still at work.
    Cold "cold";
    /// An event loop is blocked.
    EventLoop "event-loop";
    /// Threads are used up.
    TooFewThreads "too-few-threads";
    /// Callers are not let in.
    AcceptQueue "accept-queue";
    /// The target has as many files open as it may.
    OpenFiles "open-files";
    /// A pool is starved by calls made while its connections are held.
    PoolHeld "pool-held-across-call";
    /// A pool is too small for the work of its connections.
    PoolTooSmall "pool-too-small";
    /// A pool is used up; why its connections are held is not known.
    PoolExhausted "pool-exhausted";
    /// Sessions wait for a lock.
    RowLock "row-lock";
    /// A request makes many statements.
    ManyStatements "n-plus-one";
    /// A statement reads much more than it returns.
    MissingIndex "missing-index";
    /// What is asked for is missed without any waiting.
    ObjectiveMissed "objective-missed";
    /// The target stops for a part of a second, again and again.
    PeriodicStops "periodic-stops";
    /// The database's cores are used up.
    DatabaseCpu "database-cpu";
    /// Sessions of the database wait for its storage.
    DatabaseStorage "database-storage";
    /// Requests spend their time in the database.
    DatabaseTime "database-time";
    /// The database takes no more sessions.
    DatabaseSessions "database-sessions";
    /// An outside server takes long.
    SlowOutside "slow-outside";
    /// An outside server takes longer the more is asked of it.
    OutsideLimit "outside-limit";
    /// An outside server answers calls with a limit of its own.
    OutsideRefused "outside-refused";
    /// The log says that another server cannot be reached.
    OutsideUnreachable "outside-unreachable";
    /// The log says that calls are made again and again.
    Retries "retries";
    /// Requests wait for the target's disk.
    StorageWait "storage-wait";
    /// Redis uses its one core up.
    RedisCpu "redis-cpu";
    /// Consumers fall behind.
    ConsumerLag "consumer-lag";
    /// One instance gets most of the load.
    UnevenLoad "uneven-load";
    /// The nodes of the instances are not equally busy.
    UnevenNodes "uneven-nodes";
    /// The pools together may open more connections than the database takes.
    PoolsAboveSessions "pools-above-sessions";
    /// A pool opens connections while requests come.
    PoolGrows "pool-grows";
    /// Requests wait for a connection too long, or too short.
    PoolPatience "pool-patience";
    /// Connections that are taken do not fit threads or users.
    ConnectionLimits "connection-limits";
    /// The heap is the quarter of the memory that the JVM takes by itself.
    HeapQuarter "heap-quarter";
    /// Little is free in the heap after a collection.
    HeapNearlyFull "heap-nearly-full";
    /// The JVM chose a collector of one thread.
    SerialCollector "serial-collector";
    /// One instance takes much longer than the others.
    SlowInstance "slow-instance";
    /// A part of the requests takes much longer than the others.
    SlowTail "slow-tail";
    /// Requests get faster while as much is asked.
    Warming "warming-up";
    /// Traces hold a part of the spans only.
    SpansLeftOut "spans-left-out";
    /// The log reports errors.
    LogErrors "log-errors";
    /// Requests wait inside the target for something that is not seen.
    WaitsInside "waits-inside";
    /// The target turns requests away.
    Refused "requests-refused";
    /// A share of the requests fails, however many there are.
    FailingAtRandom "failing-at-random";
    /// A share of the requests of users in loops fails, and costs them next to no time.
    FailingInLoops "failing-in-loops";
    /// A share of the requests fails after as long as good answers take.
    FailingAfterWork "failing-after-work";
    /// A share of the requests fails, and nothing tells whether the load is why.
    FailingUnclear "failing-unclear";
    /// From some second on every request is answered with an error, at a load that was carried before.
    FailingSince "failing-since";
    /// A share of the requests fails with little load as with more.
    FailingAtAnyLoad "failing-at-any-load";
    /// Each request of a kind is turned away as a wrong one.
    WrongRequests "wrong-requests";
    /// The target refused all connections: it was stopped, or started anew.
    Down "target-down";
    /// From some second on no request is answered well.
    Stopped "target-stopped";
    /// It is so since it ran out of memory.
    OutOfMemory "out-of-memory";
    /// The target answers nobody for seconds, again and again.
    Stalls "target-stalls";
    /// Something limits that is not seen.
    UnknownLimit "unknown-limit";
    /// It is not seen, but how many requests it serves at once is.
    ServedAtOnce "served-at-once";
    /// A resource that would limit next.
    NextLimit "next-limit";
}
